"""Certificates that a test makes for itself: an authority nobody knows, and what it has signed."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

ADDRESSES = ("127.0.0.1", "127.0.0.2")


class Pair(NamedTuple):
    """A certificate that has signed itself, its key, and its number."""

    cert: Path
    key: Path
    number: int

    def trusting(self) -> ssl.SSLContext:
        """What a client has that trusts this certificate alone."""
        return ssl.create_default_context(cafile=str(self.cert))


def make_pair(folder: Path, stem: str = "tls", *, days: int = 30, password: bytes | None = None) -> Pair:
    """Write a pair into the folder; with days below 0 it has ended."""
    key = generate_private_key(SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "casinowar test")])
    begin = datetime.now(UTC) - timedelta(days=400)
    names = [x509.DNSName("localhost"), *(x509.IPAddress(ip_address(one)) for one in ADDRESSES)]
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(datetime.now(UTC) + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    pair = Pair(folder / f"{stem}.pem", folder / f"{stem}.key", made.serial_number)
    pair.cert.write_bytes(made.public_bytes(Encoding.PEM))
    pair.key.write_bytes(written(key, password))
    return pair


def written(key: EllipticCurvePrivateKey, password: bytes | None) -> bytes:
    protection = BestAvailableEncryption(password) if password else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, protection)
