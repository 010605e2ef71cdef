"""The address of the server: a port, or the next free one, how others find it, and a browser that opens its page."""

import errno
import os
import shutil
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Mapping

TRIES = 100
SEND_BUFFER = 64 * 1024
"""Small, so that a client which does not read is noticed after kilobytes and not after megabytes."""

GRAPHICAL = "x-www-browser:firefox:chromium:chromium-browser:google-chrome:microsoft-edge:brave-browser:epiphany"
"""What xdg-open may choose from where there is no desktop; its own list ends with text browsers."""

NOWHERE = ("192.0.2.1", 9)
"""An address for documentation: choosing a way to it sends nothing."""


def listen(host: str, port: int, tries: int = TRIES) -> socket.socket:
    """A listening socket at the port or the first free one of so many after it; OSError for a host that is not ours."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    last = port if port == 0 else min(port + tries, 65_535)
    for candidate in range(port, last + 1):
        # Only for a listener that says it is TCP does asyncio have small frames sent at once.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            listener.bind((address[0], candidate))
            listener.listen(256)
        except OSError as error:
            listener.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES) or candidate == last:
                raise
        else:
            return listener
    raise OSError(errno.EADDRINUSE, "no free port")


def is_everywhere(host: str) -> bool:
    return host in ("0.0.0.0", "::", "")


def is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def network_address() -> str | None:
    """This machine's address on the local network, if it is on one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(NOWHERE)
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if found.startswith(("127.", "0.")) else found


def format_address(host: str, port: int, *, is_secure: bool = False) -> str:
    return f"http{'s' if is_secure else ''}://{f'[{host}]' if ':' in host else host}:{port}/"


def has_screen(environment: Mapping[str, str], platform: str) -> bool:
    if platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in environment
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_page(address: str) -> bool:
    """Start a browser with the page, and say whether one was started."""
    if not has_screen(os.environ, sys.platform):
        return False
    if sys.platform in ("darwin", "win32"):
        return webbrowser.open(address)
    names = ["xdg-open", *GRAPHICAL.split(":")]
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        return False
    subprocess.Popen(
        [found, address],
        env={**os.environ, "BROWSER": GRAPHICAL},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    return True
