"""Files a page is made of: read once, compressed once, under an address that changes with them, so browsers may keep them."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
}


class Asset:
    def __init__(self, content: bytes, media_type: str) -> None:
        self.content = content
        self.media_type = media_type

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.content, compresslevel=9, mtime=0)


class Assets:
    """Everything below `folder`, and single files from elsewhere under the names given."""

    def __init__(self, folder: Path, more: Mapping[str, Path]) -> None:
        files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
        self._assets = {
            name: Asset(path.read_bytes(), MEDIA_TYPES[path.suffix])
            for name, path in (files | dict(more)).items()
            if path.suffix in MEDIA_TYPES
        }
        digest = hashlib.sha256()
        for name, asset in self._assets.items():
            digest.update(name.encode() + b"\0" + asset.content)
        self.version = digest.hexdigest()[:12]

    def __getitem__(self, name: str) -> Asset:
        return self._assets[name]

    def get(self, name: str) -> Asset | None:
        return self._assets.get(name)

    def names(self, folder: str) -> list[str]:
        """Files directly in a folder."""
        return [name for name in self._assets if name.rpartition("/")[0] == folder]
