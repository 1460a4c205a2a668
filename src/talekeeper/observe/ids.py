"""Random ids, only for what has no place on a timeline: sessions, tokens, requests, lease owners."""

from __future__ import annotations

import secrets
from collections.abc import Callable

NewId = Callable[[], str]


def random_id() -> str:
    return secrets.token_hex(8)
