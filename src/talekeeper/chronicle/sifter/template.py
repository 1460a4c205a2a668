"""How an arc is told: a sentence with names of keys and steps in braces, checked when it is written."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Collection, Mapping, Sequence

from talekeeper.errors import BadInput

from ..sentence import one_line
from .record import Record

Escape = Callable[[str], str]

_OVERALL = frozenset({"duration", "agents"})
_NOBODY = "someone"
_PREFIX = re.compile(r"\A(?:[a-z]+\(([^)]+)\)!?:|\[([^\]]+)\]|([\w./-]+):)\s*(?=\S)")


class Template:
    """`{task}` is a key, `{blow.count}` the number of a step's events, `{win.detail}` a field of its last event.

    `{step.agents}` and `{agents}` name everybody in it, `{duration}` says how long it took.
    """

    def __init__(self, text: str, known: Collection[str]) -> None:
        self.text = text
        self._parts: list[tuple[str, str, str]] = []
        try:
            parsed = list(string.Formatter().parse(text))
        except ValueError as error:
            raise BadInput(f"the sentence {text!r} does not read: {error}.", "Write {{ for a brace.") from None
        for literal, name, _, _ in parsed:
            head, _, tail = (name or "").partition(".")
            if name is not None and head not in known and head not in _OVERALL:
                names = ", ".join(sorted({*known, *_OVERALL}))
                raise BadInput(
                    f"the sentence speaks of {name!r}, which is neither a key nor a step.", f"Known: {names}."
                )
            self._parts.append((literal, head, tail))

    def fill(
        self, keys: Mapping[str, str], steps: Mapping[str, Sequence[Record]], counts: Mapping[str, int], escape: Escape
    ) -> str:
        everything = [record for matched in steps.values() for record in matched]
        pieces = []
        for literal, head, tail in self._parts:
            pieces.append(literal)
            if not head:
                continue
            if head == "duration":
                value = duration(everything[-1].at - everything[0].at)
            elif head == "agents":
                value = escape(company(everything))
            elif head in steps:
                value = _of_step(steps[head], tail or "detail", counts[head], escape)
            else:
                value = escape(_shown(head, keys.get(head)))
            pieces.append(value)
        text = "".join(pieces)
        return text[:1].upper() + text[1:] if text[:1].islower() and self.text[:1].isupper() else text


def _of_step(matched: Sequence[Record], name: str, count: int, escape: Escape) -> str:
    if name == "count":
        return str(count)
    if name == "agents":
        return escape(company(matched))
    if name == "detail":
        return escape(quoted(matched[-1]))
    return escape(_shown(name, matched[-1].get(name)))


def quoted(record: Record) -> str:
    """An event in its own words, without the topic that is named anyway, in quotation marks so that nobody takes them for ours."""
    detail = one_line(str(record.fields.get("detail") or "")).rstrip(".")
    found = _PREFIX.match(detail)
    if found and next(group for group in found.groups() if group) == record.get("task"):
        detail = detail[found.end() :]
    return f"“{detail}”" if detail else f"the {record.kind.replace('_', ' ')}"


def company(records: Sequence[Record]) -> str:
    names = list(dict.fromkeys(str(name) for record in records if (name := record.get("agent"))))
    if len(names) > 6:
        names = [*names[:5], f"{len(names) - 5} others"]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0] if names else _NOBODY


def duration(seconds: float) -> str:
    seconds = abs(seconds)
    for size, name in (
        (86400 * 365.25, "year"),
        (86400 * 30.44, "month"),
        (86400, "day"),
        (3600, "hour"),
        (60, "minute"),
    ):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {name}{'s' if count > 1 else ''}"
    return "moments"


def _shown(name: str, value: object) -> str:
    text = "" if value is None else one_line(str(value))
    if name == "task" and (not text or text.startswith("@")):
        return "the work"
    return text or ("someone" if name == "agent" else "something")
