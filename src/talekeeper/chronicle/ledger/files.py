"""A ledger on disk: each file appears whole or not at all, and replaces the one before."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Literal

from ..book.palette import LIGHT
from .html import html
from .markdown import markdown
from .names import file_name, picture_name, stem
from .obsidian import obsidian
from .pulse import pulse_picture
from .record import LedgerRecord

Form = Literal["markdown", "html", "obsidian"]

__all__ = ["Form", "file_name", "write"]


def write(record: LedgerRecord, folder: Path, form: Form = "markdown") -> Path:
    """Gives the file written. An Obsidian note goes into a folder of its own, with its picture."""
    if form == "markdown":
        return _put(folder / file_name(record), markdown(record))
    if form == "html":
        return _put(folder / f"{stem(record)}.html", html(record))
    vault = folder / "obsidian"
    if record.pulse:
        picture = pulse_picture(record, LIGHT)
        _put(vault / picture_name(record), f'<?xml version="1.0" encoding="UTF-8"?>\n{picture}\n')
    return _put(vault / file_name(record), obsidian(record))


def _put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as raw:
            raw.write(text.encode("utf-8", "replace"))
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path
