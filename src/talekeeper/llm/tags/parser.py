"""The incremental tag parser: a model's text goes in piece by piece, tag events come out as soon as they are certain.

However the text is cut, the events are the same, but for where the text of a tag is cut into chunks.
"""

from __future__ import annotations

from collections.abc import Iterable

from talekeeper.llm.tags import grammar
from talekeeper.llm.tags.events import CloseReason, TagChunk, TagEvent
from talekeeper.llm.tags.open_tags import OpenTags, TagLimits, UntaggedText

_LITERAL = -1
_UNDECIDED = -2


class TagParser(OpenTags):
    """Feed it text, then `finish`. `void` names tags that never have content, with or without their `/`."""

    __slots__ = ("_held", "_in_head", "_prefixes", "_reasoning", "_void", "_words", "stray_closes")

    def __init__(
        self,
        allowed: Iterable[str],
        *,
        untagged: UntaggedText | str = UntaggedText.EVENT,
        limits: TagLimits | None = None,
        void: Iterable[str] = (),
    ) -> None:
        self._void = grammar.tag_names(void)
        names = grammar.tag_names(allowed) | self._void
        if isinstance(untagged, str):
            untagged = untagged.lower()
            names |= grammar.tag_names((untagged,))
        super().__init__(untagged, limits or TagLimits())
        self._words = grammar.vocabulary(names | grammar.REASONING)
        self._prefixes = self._words.prefixes
        self._reasoning = grammar.vocabulary(grammar.REASONING - names)
        self._held = ""
        self._in_head = False
        self.stray_closes = 0

    def feed(self, text: str) -> list[TagEvent]:
        # Short cuts for nearly every piece: plain text in a tag, and a little more of a tag that is not complete yet.
        if self._held:
            if self._in_head and ">" not in text and "<" not in text and self._may_grow_by(text):
                self._held += text
                return []
            text = self._held + text
        else:
            room = self._room - len(text)
            if room >= 0 and "<" not in text and "&" not in text and "`" not in text and text:
                self._room = room
                self._parts.append(text)
                return [TagChunk(self._tag_id, self._tag, text)]
        if text in self._prefixes:
            self._held = text
            return []
        return self._scan(text, False)

    def finish(self, reason: CloseReason = "eof") -> list[TagEvent]:
        """The text ends here: decide what was still undecided and close what is open, innermost first.

        When the text was interrupted, an undecided beginning of a tag is dropped: nobody has seen it, and the rest of
        it will not come.
        """
        held = self._held
        events = self._scan("" if reason == "interrupted" and held.startswith("<") else held, True)
        self._close_all(reason)
        return events

    def _may_grow_by(self, text: str) -> bool:
        return self._held[-1] != "<" and len(self._held) + len(text) < grammar.HEAD_LIMIT

    def _scan(self, buffer: str, final: bool) -> list[TagEvent]:
        events: list[TagEvent] = []
        self._events = events
        self._held = ""
        self._in_head = False
        unsent = position = 0
        size = len(buffer)
        while position < size and not self._exhausted:
            at = position
            mark = buffer[at]
            if mark != "<":
                if self._hidden:
                    at = buffer.find("<", position)
                else:
                    special = grammar.SPECIAL.search(buffer, position)
                    at = special.start() if special else -1
                if at < 0:
                    break
                mark = buffer[at]
            if mark == "<":
                end = self._markup(buffer, unsent, at, final)
            elif mark == "&":
                end = self._entity(buffer, unsent, at, final)
            else:
                end = self._fence(buffer, unsent, at, final)
            if end >= 0:
                unsent = position = end
            elif end == _LITERAL:
                position = at + 1
            else:
                size = at
                break
        if unsent < size:
            self._add_text(buffer[unsent:size])
        return events

    # The next five look at what stands at `at`. They tell where it ends, having reported it and the text before it
    # (from `unsent` on); or that it is literal text; or that more must be seen, which is then held.

    def _markup(self, buffer: str, unsent: int, at: int, final: bool) -> int:
        words = self._reasoning if self._hidden else self._words
        end = buffer.find(">", at, at + grammar.HEAD_LIMIT)
        if end < 0:
            if not final and len(buffer) - at < grammar.HEAD_LIMIT and self._is_beginning(buffer[at:], words):
                return self._hold(buffer[at:])
            return self._unusual_markup(buffer, unsent, at, words, final)
        name = buffer[at + 1 : end]
        closing = name[0] == "/" if name else False
        attrs: dict[str, str] = {}
        empty = False
        if closing:
            name = name[1:]
        if name not in words.names:
            name, _, body = name.partition(" ")
            plain = grammar.plain_attributes(body) if name in words.names else None
            if plain is None:
                return self._unusual_markup(buffer, unsent, at, words, final)
            attrs, empty = plain
        if unsent < at:
            self._add_text(buffer[unsent:at])
        if closing:
            self._close(name)
        else:
            self._begin(name, attrs, empty)
        return end + 1

    def _is_beginning(self, text: str, words: grammar.Vocabulary) -> bool:
        if text in words.prefixes:
            return True
        name, _, rest = text[1:].partition(" ")
        self._in_head = name in words.names and "<" not in rest
        return self._in_head

    def _unusual_markup(self, buffer: str, unsent: int, at: int, words: grammar.Vocabulary, final: bool) -> int:
        """A `<` that may be text, a tag not complete yet, or one written carelessly."""
        match = grammar.TAG_START.match(buffer, at)
        assert match is not None
        closing, name, after = match[1], match[2].lower(), match.end()
        if after == len(buffer):
            if not final and match[0].lower() in words.prefixes:
                return self._hold(buffer[at:])
            # A closing tag that the end of the text cut short is not text; the end closes what is open anyway.
            cut_short = final and closing and name and any(frame.tag.startswith(name) for frame in self._stack)
            return self._send(buffer, unsent, at, after) if cut_short else _LITERAL
        if name not in words.names or buffer[after] not in grammar.DELIMITERS:
            return _LITERAL
        end = grammar.head_end(buffer, at, after, final=final)
        if end == grammar.NOT_YET:
            self._in_head = True
            return self._hold(buffer[at:])
        if end == grammar.BROKEN and not closing:
            return _LITERAL
        self._send(buffer, unsent, at, at)
        if closing:
            self._close(name)
            return end + 1 if end >= 0 else after
        if end == grammar.CUT_OFF:
            return len(buffer)
        body = buffer[after:end].rstrip()
        empty = body.endswith("/")
        self._begin(name, grammar.attributes(body[:-1] if empty else body), empty)
        return end + 1

    def _entity(self, buffer: str, unsent: int, at: int, final: bool) -> int:
        found = grammar.entity(buffer, at)
        if found:
            self._send(buffer, unsent, at, at)
            self._add_text(found[0])
            return found[1]
        return _LITERAL if final or not grammar.may_become_entity(buffer, at) else self._hold(buffer[at:])

    def _fence(self, buffer: str, unsent: int, at: int, final: bool) -> int:
        """Drops three or more backticks, with the rest of their line when that is at most a language's name."""
        after = grammar.end_of_ticks(buffer, at)
        if after - at < 3:
            return self._hold(buffer[at:]) if after == len(buffer) and not final else _LITERAL
        line_end = grammar.end_of_fence_info(buffer, after)
        if line_end == len(buffer) and not final:
            return self._hold("```" + buffer[after:])
        whole_line = line_end == len(buffer) or buffer[line_end] == "\n"
        return self._send(buffer, unsent, at, line_end + 1 if whole_line else after)

    def _begin(self, name: str, attrs: dict[str, str], self_closing: bool) -> None:
        if name not in self._reasoning.names:
            self._open_tag(name, attrs, self_closing or name in self._void)
        elif not self_closing:
            self._hide(name)

    def _close(self, name: str) -> None:
        if self._hidden:
            self._unhide(name)
        elif not self._close_tag(name):
            self.stray_closes += 1

    def _send(self, buffer: str, start: int, end: int, resume_at: int) -> int:
        if start < end:
            self._add_text(buffer[start:end])
        return resume_at

    def _hold(self, text: str) -> int:
        self._held = text
        return _UNDECIDED
