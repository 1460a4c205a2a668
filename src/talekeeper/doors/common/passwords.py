"""Passwords as argon2 hashes. Checking one takes tens of milliseconds on purpose, so it happens on a thread."""

from __future__ import annotations

import asyncio
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_hasher = PasswordHasher()


@cache
def _nobodys() -> str:
    """Compared with when there is no such account, so that a wrong name takes as long as a wrong password."""
    return _hasher.hash("nobody's password")


async def hashed(password: str) -> str:
    return await asyncio.to_thread(_hasher.hash, password)


async def matches(kept: str | None, password: str) -> bool:
    fits = await asyncio.to_thread(_verify, kept, password)
    return fits and kept is not None


def outdated(kept: str) -> bool:
    return _hasher.check_needs_rehash(kept)


def _verify(kept: str | None, password: str) -> bool:
    try:
        return _hasher.verify(kept or _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
