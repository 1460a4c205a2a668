"""How often: requests of an address, turns of a seat, attempts to log in. Counted in this process, in moving windows."""

from __future__ import annotations

import time
from typing import Literal

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from talekeeper.errors import TooMuch

Kind = Literal["request", "turn", "message", "login", "password", "invite"]

_SAID: dict[Kind, str] = {
    "request": "That were too many requests in one minute.",
    "turn": "That were too many turns in one minute.",
    "message": "That were too many messages in one minute.",
    "login": "That were too many attempts to log in.",
    "password": "That were too many wrong passwords for this name.",
    "invite": "That were too many invitations tried.",
}


class Limits:
    """A limit of 0 is none."""

    def __init__(self, *, requests: int, turns: int, messages: int = 600) -> None:
        self._storage = MemoryStorage()
        self._windows = MovingWindowRateLimiter(self._storage)
        self._items: dict[Kind, RateLimitItem | None] = {
            "request": RateLimitItemPerMinute(requests) if requests else None,
            "turn": RateLimitItemPerMinute(turns) if turns else None,
            "message": RateLimitItemPerMinute(messages),
            "login": RateLimitItemPerMinute(20, 5),
            "password": RateLimitItemPerMinute(8, 5),
            "invite": RateLimitItemPerMinute(30, 5),
        }

    def count(self, kind: Kind, who: str) -> None:
        """One more; refused when there have been too many."""
        item = self._items[kind]
        if item is not None and not self._windows.hit(item, kind, who):
            raise self._refusal(kind, item, who)

    def check(self, kind: Kind, who: str) -> None:
        """Refused when there have been too many, without counting this one."""
        item = self._items[kind]
        if item is not None and not self._windows.test(item, kind, who):
            raise self._refusal(kind, item, who)

    def forget(self, kind: Kind, who: str) -> None:
        item = self._items[kind]
        if item is not None:
            self._windows.clear(item, kind, who)

    def _refusal(self, kind: Kind, item: RateLimitItem, who: str) -> TooMuch:
        wait = max(1.0, self._windows.get_window_stats(item, kind, who).reset_time - time.time())
        return TooMuch(_SAID[kind], f"Wait {round(wait)} seconds.", retry_after=wait)
