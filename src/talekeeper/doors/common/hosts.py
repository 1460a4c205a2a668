"""Which names this server answers to, and which pages may talk to it: not another site's, nor by a name others point here."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_ANY = ("0.0.0.0", "::", "")


class Hosts:
    def __init__(self, bound_to: str, allowed_origins: str = "") -> None:
        self.origins = frozenset(o.strip().rstrip("/").lower() for o in allowed_origins.split(",") if o.strip())
        self._everywhere = bound_to in _ANY
        named = (urlsplit(origin).hostname or "" for origin in self.origins)
        self._names = frozenset((*_LOOPBACK, bound_to.lower(), *named)) - {""}

    def answers_to(self, host: str) -> bool:
        """By name. Bound to every address, any address will do, but no name that was not given: it may be anybody's."""
        name = _hostname(host)
        return name is not None and (name in self._names or (self._everywhere and _is_address(name)))

    def may_come_from(self, origin: str | None, host: str, fetch_site: str | None = None) -> bool:
        """Programs send no Origin and may; a page may if it came from here or from where the settings say."""
        if origin is None:
            return fetch_site in (None, "same-origin", "none")
        if origin.lower().rstrip("/") in self.origins:
            return True
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _hostname(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str | None:
    """The first of its name, as text; None where there is none."""
    return next((value.decode("latin-1") for key, value in headers if key == name), None)
