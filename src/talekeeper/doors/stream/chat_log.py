"""Chat logs as files: `[H:MM:SS] <name> text`, one line of the chat a line."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from talekeeper.agents.companion.line import ChatLine

_LINE = re.compile(r"\[(\d{1,4}):([0-5]?\d):([0-5]?\d)\]\s+<([^<>]{1,100})>\s?(.*)")


class ChatLog(msgspec.Struct, frozen=True):
    lines: tuple[ChatLine, ...]
    skipped: int
    """Lines of the file that are not lines of a chat."""


def read_log(text: Iterable[str], started: float) -> ChatLog:
    """In the order of their times; those of one second keep the order of the file."""
    lines: list[ChatLine] = []
    skipped = 0
    for number, raw in enumerate(text, 1):
        found = _LINE.fullmatch(raw.strip().lstrip("\N{BYTE ORDER MARK}"))
        if found is None:
            skipped += bool(raw.strip())
            continue
        hours, minutes, seconds, name, said = found.groups()
        at = started + 3600 * int(hours) + 60 * int(minutes) + int(seconds)
        lines.append(ChatLine(id=f"log-{number}", name=name.strip().lower(), text=said, at=at, display=name.strip()))
    return ChatLog(tuple(sorted(lines, key=lambda line: line.at)), skipped)
