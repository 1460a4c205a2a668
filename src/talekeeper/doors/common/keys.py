"""The key that signs cookies: given by a setting, or made once and kept in the home, readable by its owner only."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from talekeeper.errors import NotConfigured

_LEAST = 16


def signing_key(given: str | None, file: Path) -> bytes:
    if given is not None:
        if len(given) < _LEAST:
            raise NotConfigured(f"SECRET_KEY has fewer than {_LEAST} characters.", "Take a long random one.")
        return given.encode()
    try:
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as made:
            made.write(secrets.token_hex(32))
    except FileExistsError:
        pass
    return file.read_text(encoding="ascii").strip().encode()


class Signer:
    """Signs short texts for one purpose: what was signed for another does not verify here."""

    def __init__(self, key: bytes, purpose: str) -> None:
        self._key = hmac.digest(key, purpose.encode(), hashlib.sha256)

    def mark(self, text: str) -> str:
        return hmac.digest(self._key, text.encode(), hashlib.sha256).hex()

    def sign(self, text: str) -> str:
        return f"{text}.{self.mark(text)}"

    def verify(self, signed: str) -> str | None:
        """The text, if this key signed it."""
        text, _, mark = signed.rpartition(".")
        return text if text and self.fits(text, mark) else None

    def fits(self, text: str, mark: str) -> bool:
        return hmac.compare_digest(self.mark(text).encode(), mark.encode("utf-8", "replace"))
