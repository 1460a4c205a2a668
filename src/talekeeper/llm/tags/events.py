"""What the tag parser reports: a tag opened, more of its text arrived, it closed; or text outside every tag."""

from __future__ import annotations

from typing import Literal

import msgspec

CloseReason = Literal["closed", "implied", "eof", "interrupted", "limit"]


class TagOpen(msgspec.Struct, frozen=True, gc=False):
    tag_id: str
    parent_id: str | None
    tag: str
    attrs: dict[str, str]
    self_closing: bool


class TagChunk(msgspec.Struct, frozen=True, gc=False):
    tag_id: str
    tag: str
    text: str


class TagClose(msgspec.Struct, frozen=True, gc=False):
    """`text` is all of the tag's own text: its chunks joined, without the text of tags inside it."""

    tag_id: str
    tag: str
    text: str
    reason: CloseReason


class Untagged(msgspec.Struct, frozen=True, gc=False):
    text: str


TagEvent = TagOpen | TagChunk | TagClose | Untagged
