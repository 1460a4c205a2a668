"""How long to wait for a model, and how often to try again."""

from __future__ import annotations

import msgspec


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds. Only calls that have not given a single token are tried again."""

    connect: float = 10.0
    first_token: float = 60.0
    between_tokens: float = 30.0
    attempts: int = 3
    backoff: float = 0.5
    """Before the second attempt; doubled for each further one, and shortened at random by up to a quarter."""
    longest_wait: float = 20.0
    """A service that asks to be left alone for longer than this is reported, not waited for."""
