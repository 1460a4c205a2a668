"""One turn of an NPC as it is spoken: a speaker's words in, tag events out, and how it ended.

A plain async function: nothing in it resumes after a lost socket.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import aclosing
from typing import Any, Literal

import msgspec

from talekeeper.agents.npc.casting import cast
from talekeeper.agents.npc.performance import Speaking
from talekeeper.agents.npc.sheet import Attr, Sheet, TagDeclaration
from talekeeper.llm.model import Completion, FinishReason, ToolCall, Usage
from talekeeper.llm.tags import TagChunk, TagClose, TagLimits, TagOpen, TagParser, Untagged, UntaggedText

StopReason = Literal["end", "length", "stop_sequence", "tool_use", "error"]
_STOPS: dict[FinishReason, StopReason] = {
    "stop": "end",
    "length": "length",
    "tool_calls": "tool_use",
    "content_filter": "error",
    "other": "end",
}
MOST_TAGS = 200
MOST_CHARS = 32_000
MOST_HEARD = 100_000
"""Characters of one answer, inside tags and out: whoever finds no end is not listened to any longer."""

Shown = TagOpen | TagChunk | TagClose
Show = Callable[[Shown], None]


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    reason: StopReason
    usage: Usage | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    untagged: str = ""


async def perform(
    speaking: Speaking,
    sheet: Sheet,
    show: Show,
    on_first_word: Callable[[], None],
    *,
    first_word_seconds: float | None = None,
    speak_untagged: bool = False,
) -> Ended:
    """Shows each tag as soon as it is certain. TimeoutError when the first word does not come in time.

    Text outside every tag is collected; with `speak_untagged` it is speech. An answer without any tag is speech anyway:
    small models forget the tags, and an NPC that says nothing helps nobody.
    """
    declared = {tag.key: tag for tag in sheet.tags}
    speech = next(key for key, part in cast(sheet.tags).items() if part == "speech")
    parser = TagParser(declared, untagged=speech if speak_untagged else UntaggedText.EVENT, limits=_limits(sheet))
    opened = False
    outside: list[str] = []

    def take(events: list[TagOpen | TagChunk | TagClose | Untagged]) -> None:
        nonlocal opened
        for event in events:
            if isinstance(event, TagChunk | TagClose):
                show(event)
            elif isinstance(event, TagOpen):
                opened = True
                show(typed(event, declared.get(event.tag)))
            else:
                outside.append(event.text)

    done: Completion | None = None
    spoken = False
    heard = 0
    whole = WholeCharacters()
    async with aclosing(speaking.deltas) as deltas:
        try:
            # Until the first word comes, and no longer: a slow speaker is not a silent one.
            async with asyncio.timeout(first_word_seconds) as patience:
                async for delta in deltas:
                    if delta.text:
                        if not spoken:
                            spoken = True
                            patience.reschedule(None)
                            on_first_word()
                        heard += len(delta.text)
                        take(parser.feed(whole.of(delta.text)))
                    if delta.done is not None:
                        done = delta.done
                    if parser.exhausted or heard > MOST_HEARD:
                        break
        except Exception:
            take(parser.finish())
            raise
    take(parser.finish())
    left_over = "".join(outside).strip()
    if left_over and not opened:
        for event in _as_speech(left_over, speech, _limits(sheet)):
            show(event)
        left_over = ""
    if parser.exhausted or heard > MOST_HEARD:
        return Ended(reason="length", usage=done.usage if done else None, untagged=left_over)
    if done is None:
        return Ended(reason="end", untagged=left_over)
    offered = {tool.name for tool in sheet.tools}
    calls = tuple(call for call in done.tool_calls if call.name in offered)
    reason = "tool_use" if calls else _STOPS[done.finish_reason]
    if reason == "tool_use" and not calls:
        reason = "end"
    return Ended(reason=reason, usage=done.usage, tool_calls=calls, untagged=left_over)


def _as_speech(text: str, tag: str, limits: TagLimits) -> Iterable[Shown]:
    most = limits.max_chars_of.get(tag, limits.max_chars)
    yield TagOpen("1", None, tag, {}, self_closing=False)
    yield TagChunk("1", tag, text[:most])
    yield TagClose("1", tag, text[:most], "closed" if len(text) <= most else "limit")


class WholeCharacters:
    """Some services cut a character outside the basic plane in two; half of one cannot be sent to anybody."""

    def __init__(self) -> None:
        self._half = ""

    def of(self, text: str) -> str:
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            if not self._half:
                return text
        text = self._half + text
        self._half = text[-1] if "\ud800" <= text[-1:] <= "\udbff" else ""
        text = text[: len(text) - len(self._half)]
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _limits(sheet: Sheet) -> TagLimits:
    most = sheet.limits.max_tags
    return TagLimits(
        max_tags=MOST_TAGS if most is None else min(int(most), MOST_TAGS),
        max_chars=MOST_CHARS,
        max_chars_of={tag.key: int(tag.max_chars) for tag in sheet.tags if tag.max_chars is not None},
    )


def typed(event: TagOpen, tag: TagDeclaration | None) -> TagOpen:
    """Attributes as the game declared them; what it did not declare, or what does not fit, is left out."""
    if tag is None or tag.attrs is None or not event.attrs:
        return event
    names = {name.lower(): (name, attr) for name, attr in tag.attrs.items()}
    attrs: dict[str, Any] = {}
    for said, value in event.attrs.items():
        name, attr = names.get(said, ("", None))
        if attr is not None and (read := _value(value, attr)) is not None:
            attrs[name] = read
    return TagOpen(event.tag_id, event.parent_id, event.tag, attrs, event.self_closing)


def _value(text: str, attr: Attr) -> str | float | bool | None:
    if attr.enum is not None:
        for choice in attr.enum:
            shown = str(choice).lower() if isinstance(choice, bool) else _plain(choice)
            if shown.lower() == text.strip().lower():
                return choice
        return None
    match attr.type:
        case "boolean":
            return {"true": True, "yes": True, "1": True, "": True, "false": False, "no": False, "0": False}.get(
                text.strip().lower()
            )
        case "number" | "integer":
            try:
                number = float(text)
            except ValueError:
                return None
            if attr.type == "integer":
                return int(number) if number.is_integer() and abs(number) < 2**53 else None
            return number if abs(number) < float("inf") else None
    return text


def _plain(choice: str | float) -> str:
    return str(int(choice)) if isinstance(choice, float) and choice.is_integer() else str(choice)
