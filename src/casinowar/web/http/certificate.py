"""The certificate with which the server speaks TLS itself: read, checked, and read again when its files change."""

import asyncio
import logging
import ssl
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

LOOK_S = 5.0
"""How often it is looked whether the files have changed."""

Stamp = tuple[tuple[int, int, int], ...]
log = logging.getLogger(__name__)


class Certificate:
    """A certificate and its key. `context` is what connections begin with; it stays the same when they are renewed.

    Raises ValueError, in words for whoever named the files, where they are no pair that can be used.
    """

    def __init__(self, file: Path, key: Path) -> None:
        self.file, self.key = file, key
        self._stamp = self._look()
        self.end = self._check()
        self.context = _context()
        self.context.load_cert_chain(file, key, _no_password)

    def has_ended(self) -> bool:
        return self.end <= datetime.now(UTC)

    def renew(self) -> bool:
        """Read the files again, and say whether they were taken. Where they cannot be used, the old pair goes on."""
        try:
            self._stamp = self._look()
            self.end = self._check()
            self.context.load_cert_chain(self.file, self.key, _no_password)
        except (ValueError, OSError) as error:
            log.error("the certificate was not renewed", extra={"error": str(error)})
            return False
        log.info("the certificate was renewed", extra={"ends": self.end.isoformat()})
        return True

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Have the files read again whenever they have changed, as long as the loop runs."""

        def look() -> None:
            try:
                is_changed = self._look() != self._stamp
            except ValueError:  # One of them is gone for now: it will come back, or the old pair goes on.
                is_changed = False
            if is_changed:
                self.renew()
            loop.call_later(LOOK_S, look)

        loop.call_later(LOOK_S, look)

    def _look(self) -> Stamp:
        """What is another when the files have changed."""
        found = []
        for option, file in (("--cert", self.file), ("--key", self.key)):
            try:
                state = file.stat()
            except OSError as error:
                raise ValueError(f"{option} {file}: {error.strerror}") from None
            found.append((state.st_mtime_ns, state.st_ino, state.st_size))
        return tuple(found)

    def _check(self) -> datetime:
        """The moment at which the certificate ends, once it is known that the pair can be used."""
        chain, key = self._read_chain(), self._read_key()
        form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        if chain[0].public_key().public_bytes(*form) != key.public_key().public_bytes(*form):
            raise ValueError(f"--key {self.key} is not the key of the certificate in --cert {self.file}")
        try:
            _context().load_cert_chain(self.file, self.key, _no_password)
        except ssl.SSLError as error:
            raise ValueError(f"--cert {self.file}: it cannot be used: {error.reason or error}") from None
        return chain[0].not_valid_after_utc

    def _read_chain(self) -> list[x509.Certificate]:
        try:
            return x509.load_pem_x509_certificates(_bytes_of("--cert", self.file))
        except ValueError as error:
            if str(error).startswith("--cert"):
                raise
            raise ValueError(f"--cert {self.file}: there is no certificate in PEM form in it") from None

    def _read_key(self) -> PrivateKeyTypes:
        content = _bytes_of("--key", self.key)
        try:
            return load_pem_private_key(content, None)
        except TypeError:
            raise ValueError(f"--key {self.key}: it has a password: the server can ask for none") from None
        except (ValueError, UnsupportedAlgorithm):
            raise ValueError(f"--key {self.key}: there is no private key in PEM form in it") from None


def _bytes_of(option: str, file: Path) -> bytes:
    """What is in the file. A device or a pipe may never come to an end."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise ValueError(f"{option} {file}: not a regular file")
        return file.read_bytes()
    except OSError as error:
        raise ValueError(f"{option} {file}: {error.strerror}") from None


def _context() -> ssl.SSLContext:
    """TLS 1.2 and later, HTTP/1.1, and no renegotiation, which costs the server more than its client."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    context.set_alpn_protocols(["http/1.1"])
    return context


def _no_password() -> NoReturn:
    """Else OpenSSL would ask at the terminal."""
    raise ValueError("the key has a password")
