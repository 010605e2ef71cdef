"""The origin of a request: our own page has a name of this server as its host, and that host as its origin."""

import ipaddress
import socket
from collections.abc import Mapping

from casinowar.web.http.errors import WebError

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def check_host(headers: Mapping[str, str], is_behind_tls: bool) -> None:
    """Refuse a host that is none of ours: a foreign name may have been made to point here (DNS rebinding).

    Behind TLS the proxy knows the names.
    """
    if not is_behind_tls and not is_own_host(_without_port(headers.get("host", ""))):
        raise WebError("foreign_host")


def check_origin(headers: Mapping[str, str], is_behind_tls: bool) -> None:
    """Refuse a page of another origin; `null` is one. Programs send no origin, and browsers always do."""
    origin = headers.get("origin")
    if origin is None:
        return
    scheme = "https" if is_behind_tls else "http"
    if origin.lower() != f"{scheme}://{headers.get('host', '').lower()}":
        raise WebError("foreign_origin")


def is_own_host(host: str) -> bool:
    """An address, localhost, or the machine's own name."""
    name = socket.gethostname().lower()
    if host.lower() in ("localhost", name, name.partition(".")[0], f"{name.partition('.')[0]}.local"):
        return True
    try:
        ipaddress.ip_address(host[1:-1] if host[:1] + host[-1:] == "[]" else host)
    except ValueError:
        return False
    return True


def _without_port(host: str) -> str:
    """The host without its port. Behind an address in brackets only a port may follow."""
    inside, bracket, rest = host.partition("]")
    if host.startswith("["):
        return inside + bracket if not rest or rest.startswith(":") else host
    return host.partition(":")[0]
