"""The tags that are open, the text they have so far, and the limits on both; tells what happens as events."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Mapping

import msgspec

from talekeeper.llm.tags.events import CloseReason, TagChunk, TagClose, TagEvent, TagOpen, Untagged


class UntaggedText(enum.Enum):
    """Where text outside every tag goes. A tag's name instead of one of these means: as if it stood in that tag."""

    EVENT = "event"
    DROP = "drop"


class TagLimits(msgspec.Struct, frozen=True):
    """Past `max_tags` nothing more is reported; past `max_depth` the innermost tag is closed to make room;
    past `max_chars` (of one tag's own text; `max_chars_of` overrides it by name) the rest of that tag is dropped.
    """

    max_tags: int = 200
    max_depth: int = 8
    max_chars: int = 32_000
    max_chars_of: Mapping[str, int] = {}


class _Frame(msgspec.Struct, gc=False):
    """One open tag. Not live any more when a limit closed it and its own closing tag is still to come."""

    tag_id: str
    tag: str
    room: int
    implied: bool
    parts: list[str] = []
    live: bool = True


_NO_ROOM = -1


class OpenTags:
    """`_room`, `_parts`, `_tag` and `_tag_id` are those of the innermost tag, kept at hand: most text goes there."""

    __slots__ = (
        "_events", "_exhausted", "_hidden", "_limits", "_opened", "_parts", "_room", "_stack", "_tag", "_tag_id",
        "_times_hidden", "_untagged",
    )  # fmt: skip

    def __init__(self, untagged: UntaggedText | str, limits: TagLimits) -> None:
        self._untagged = untagged
        self._limits = limits
        self._stack: list[_Frame] = []
        self._hidden: list[str] = []
        self._times_hidden: Counter[str] = Counter()
        self._opened = 0
        self._exhausted = False
        self._events: list[TagEvent] = []
        self._tag = self._tag_id = ""
        self._room = _NO_ROOM
        self._parts: list[str] = []

    @property
    def exhausted(self) -> bool:
        """The limit on tags was reached: nothing that is fed from now on will be reported."""
        return self._exhausted

    @property
    def open_tag_ids(self) -> list[str]:
        """Outermost first."""
        return [frame.tag_id for frame in self._stack if frame.live]

    def _add_text(self, text: str) -> None:
        room = self._room - len(text)
        if room >= 0:
            self._room = room
            self._parts.append(text)
            self._events.append(TagChunk(self._tag_id, self._tag, text))
        elif self._room >= 0:
            self._overflow(text)
        elif not (self._stack or self._hidden or self._exhausted):
            self._add_untagged(text)

    def _overflow(self, text: str) -> None:
        frame = self._stack[-1]
        if fitting := text[: self._room]:
            frame.parts.append(fitting)
            self._events.append(TagChunk(frame.tag_id, frame.tag, fitting))
        self._events.append(TagClose(frame.tag_id, frame.tag, "".join(frame.parts), "limit"))
        frame.live = False
        self._room = _NO_ROOM

    def _add_untagged(self, text: str) -> None:
        if self._untagged is UntaggedText.EVENT:
            self._events.append(Untagged(text))
        elif isinstance(self._untagged, str) and (told := text.lstrip()):
            self._open_tag(self._untagged, {}, False, implied=True)
            self._add_text(told)

    def _open_tag(self, tag: str, attrs: dict[str, str], self_closing: bool, *, implied: bool = False) -> None:
        stack = self._stack
        if stack and stack[-1].implied:
            self._pop("implied")
        if self._opened >= self._limits.max_tags:
            self._close_all("limit")
            self._exhausted = True
            return
        if len(stack) >= self._limits.max_depth:
            self._pop("limit")
        self._opened += 1
        tag_id = str(self._opened)
        parent_id = None
        if stack:
            parent_id = next((frame.tag_id for frame in reversed(stack) if frame.live), None)
            stack[-1].room = self._room
        self._events.append(TagOpen(tag_id, parent_id, tag, attrs, self_closing))
        if self_closing:
            self._events.append(TagClose(tag_id, tag, "", "closed"))
            return
        self._room = self._limits.max_chars_of.get(tag, self._limits.max_chars)
        frame = _Frame(tag_id, tag, self._room, implied)
        stack.append(frame)
        self._tag_id = tag_id
        self._tag = tag
        self._parts = frame.parts

    def _close_tag(self, tag: str) -> bool:
        """Closes the innermost `tag` and what is open inside it; False when there is none."""
        stack = self._stack
        if not stack:
            return False
        if stack[-1].tag != tag:
            if not any(frame.tag == tag for frame in stack):
                return False
            while stack[-1].tag != tag:
                self._pop("implied")
        self._pop("closed")
        return True

    def _close_all(self, reason: CloseReason) -> None:
        while self._stack:
            self._pop(reason)

    def _pop(self, reason: CloseReason) -> None:
        frame = self._stack.pop()
        if frame.live:
            self._events.append(TagClose(frame.tag_id, frame.tag, "".join(frame.parts), reason))
        self._room = _NO_ROOM
        if self._stack:
            self._resume()

    def _resume(self) -> None:
        frame = self._stack[-1]
        if frame.live:
            self._room = frame.room
            self._tag_id = frame.tag_id
            self._tag = frame.tag
            self._parts = frame.parts

    def _hide(self, tag: str) -> None:
        if self._stack and not self._hidden:
            self._stack[-1].room = self._room
        self._hidden.append(tag)
        self._times_hidden[tag] += 1
        self._room = _NO_ROOM

    def _unhide(self, tag: str) -> None:
        if not self._times_hidden[tag]:  # counted, because searching the list would make a hostile text costly
            return
        closed = ""
        while closed != tag:
            closed = self._hidden.pop()
            self._times_hidden[closed] -= 1
        if self._stack and not self._hidden:
            self._resume()
