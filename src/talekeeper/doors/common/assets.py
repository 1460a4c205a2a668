"""Files a page is made of: compressed once, under an address that changes with them, so browsers may keep them."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import PurePosixPath

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
}


class Asset:
    def __init__(self, name: str, content: bytes) -> None:
        self.content = content
        self.media_type = MEDIA_TYPES[PurePosixPath(name).suffix]

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.content, compresslevel=9, mtime=0)


class Assets:
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._assets = {name: Asset(name, content) for name, content in files.items()}
        digest = hashlib.sha256()
        for name, content in sorted(files.items()):
            digest.update(name.encode() + b"\0" + content)
        self.version = digest.hexdigest()[:12]

    def get(self, name: str) -> Asset | None:
        return self._assets.get(name)
