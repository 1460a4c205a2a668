"""Who may run the companion: whoever has the admin key, by header or by the cookie a login with it sets; and who may only watch."""

from __future__ import annotations

import hmac

from fastapi import Request, Response

from talekeeper.doors.common.keys import Signer
from talekeeper.errors import NotConfigured, Unauthorized
from talekeeper.observe.clock import Clock

HEADER = "x-admin-token"
COOKIE = "talekeeper_stream"
_DAYS = 30
_WATCH = "theme"


class Admittance:
    def __init__(self, admin_key: str | None, signing_key: bytes, clock: Clock) -> None:
        self._key = admin_key
        self._clock = clock
        # Whoever changes the admin key ends all logins and all overlays made with the one before.
        self._cookies = Signer(signing_key, f"stream console {admin_key}")
        self._overlays = Signer(signing_key, f"stream overlay {admin_key}")

    def check(self, request: Request) -> None:
        """For every admin request: 503 without a configured key, 401 for a stranger."""
        self._configured()
        given = request.headers.get(HEADER)
        admitted = self.has_key(given) if given is not None else self.is_logged_in(request)
        if not admitted:
            raise Unauthorized(
                "That is for the operator of the stream.", "Send the admin key in X-Admin-Token, or log in."
            )

    def has_key(self, given: str) -> bool:
        """In constant time, whatever the bytes. A header arrives as Latin-1, though it may have been UTF-8."""
        key = self._configured().encode("utf-8", "surrogatepass")
        plain = given.encode("utf-8", "surrogatepass")
        raw = given.encode("latin-1", "replace")
        return hmac.compare_digest(plain, key) | hmac.compare_digest(raw, key)

    def is_logged_in(self, request: Request) -> bool:
        until = self._cookies.verify(request.cookies.get(COOKIE, ""))
        return bool(self._key) and until is not None and float(until) > self._clock()

    def log_in(self, request: Request, response: Response, given: str) -> None:
        if not self.has_key(given):
            raise Unauthorized("That is not the admin key.", "It is the setting ADMIN_API_KEY.")
        until = int(self._clock() + _DAYS * 86_400)
        # Strict: no other site's page can make the browser send it, so nothing else has to prove where it came from.
        response.set_cookie(
            COOKIE, self._cookies.sign(str(until)), max_age=_DAYS * 86_400, httponly=True, samesite="strict",
            secure=request.url.scheme == "https", path="/",
        )  # fmt: skip

    def log_out(self, response: Response) -> None:
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")

    def overlay_token(self) -> str:
        """Reads the theme and nothing else."""
        return self._overlays.mark(_WATCH)

    def may_watch(self, token: str) -> bool:
        return bool(self._key) and self._overlays.fits(_WATCH, token)

    def _configured(self) -> str:
        if not self._key:
            raise NotConfigured("No admin key is configured.", "Set ADMIN_API_KEY.")
        return self._key
