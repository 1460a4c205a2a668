"""How markup looks: which `<` begins a tag, where a tag's head ends, its attributes, entities, code fences."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

import msgspec

from talekeeper.errors import BadInput

HEAD_LIMIT = 1024
"""A tag whose `>` does not come within this many characters was not a tag."""

REASONING = frozenset({
    "think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad", "analysis", "monologue",
    "inner_monologue", "antthinking", "seed:think",
})  # fmt: skip
"""Tags in which models think aloud. Nobody sees what is inside, unless the name is explicitly allowed."""

DELIMITERS = frozenset(" \t\r\n\f\v/>")
SPECIAL = re.compile("[<&`]")
TAG_START = re.compile(r"<(/?)((?:[A-Za-z][A-Za-z0-9_:.-]*+)?)")

_PLAIN_ATTRIBUTE = re.compile(r"""([a-z][a-z0-9_-]*+)="([^"&<>]*+)" ?""")
_PLAIN_BODY = re.compile(r"""(?:[a-z][a-z0-9_-]*+="[^"&<>]*+" ?)*+(/?)""")

# Quotes count only after `=`, so an apostrophe elsewhere is harmless. A quoted value may hold `>`, but once it did, a
# `<` that could begin a tag means the closing quote was forgotten: the value is then left unmatched, and the head
# stops at its `=`.
_QUOTED = "|".join(
    rf"{opening}[^{closing}>]*+(?:[^{closing}<]|<(?![/A-Za-z]))*+{closing}"
    for opening, closing in (('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"))
)
_HEAD = re.compile(rf"(?:[^<>=]++|=\s*+(?:{_QUOTED}|(?![\"'“‘])))*+")
_TAG_AFTER_HEAD = re.compile("<[/A-Za-z]")
_ATTRIBUTE = re.compile(
    r"""([^\s=/"'<>]++)(?:\s*+=\s*+(?:"([^"]*)"?|'([^']*)'?|“([^”]*)”?|‘([^’]*)’?|([^\s"'“‘]\S*+)))?"""
)

_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_NUMERIC_PREFIX = re.compile(r"&#(?:[0-9]{0,7}|[xX][0-9a-fA-F]{0,6})\Z")
_LONGEST_ENTITY = len("&#1234567;")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_NAMED_PREFIXES = frozenset(f"&{name[:length]}" for name in _NAMED for length in range(len(name) + 1))

_TICKS = re.compile("`*")
_FENCE_INFO = re.compile(r"[A-Za-z0-9_+.#-]{0,20}+[ \t\r]{0,8}+")

_ALLOWED_NAME = re.compile(r"[a-z][a-z0-9_:.-]{0,63}")


class Vocabulary(msgspec.Struct, frozen=True):
    """Names that are markup, and every beginning of such a tag that is worth waiting for."""

    names: frozenset[str]
    prefixes: frozenset[str]


@functools.lru_cache(maxsize=256)
def vocabulary(names: frozenset[str]) -> Vocabulary:
    prefixes = {slash + name[:length] for name in names for length in range(len(name) + 1) for slash in ("<", "</")}
    return Vocabulary(names, frozenset(prefixes | {"<", "</"}))


def tag_names(names: Iterable[str]) -> frozenset[str]:
    lowered = frozenset(name.lower() for name in names)
    for name in sorted(lowered):
        if not _ALLOWED_NAME.fullmatch(name):
            raise BadInput(
                f"{name!r} cannot be a tag name.",
                "Use a letter, then letters, digits, `_`, `-`, `.` or `:`, 64 characters at most.",
            )
    return lowered


NOT_YET, BROKEN, CUT_OFF = -1, -2, -3


def head_end(buffer: str, start: int, after_name: int, *, final: bool) -> int:
    """Where the `>` of the tag at `start` is; or it may still come, or there is none, or the text ended before it."""
    limit = min(len(buffer), start + HEAD_LIMIT)
    stop = _end(_HEAD, buffer, after_name, limit)
    if stop < limit and buffer[stop] == ">":
        return stop
    if stop < limit and buffer[stop] == "<":
        return BROKEN
    too_long = limit == start + HEAD_LIMIT
    if stop < limit:  # an open quote
        first = buffer.find(">", stop, limit)
        if first >= 0 and (final or too_long or _TAG_AFTER_HEAD.search(buffer, first, limit)):
            return first
    if too_long:
        return BROKEN
    return CUT_OFF if final else NOT_YET


def plain_attributes(body: str) -> tuple[dict[str, str], bool] | None:
    """Attributes as nearly all are written, `name="value"`, and whether the tag closes itself. None: look closer."""
    match = _PLAIN_BODY.fullmatch(body)
    if match is None:
        return None
    pairs = _PLAIN_ATTRIBUTE.findall(body)
    found = dict(pairs)
    return (found, match[1] == "/") if len(found) == len(pairs) else None


def attributes(body: str) -> dict[str, str]:
    """Names are lowered; the first of two with the same name counts; one without a value is empty."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(body):
        value = match[match.lastindex] if match.lastindex and match.lastindex > 1 else ""
        found.setdefault(match[1].lower(), decode_entities(value) if "&" in value else value)
    return found


def entity(buffer: str, at: int) -> tuple[str, int] | None:
    """The character that the entity at `at` stands for, and where the entity ends."""
    match = _ENTITY.match(buffer, at)
    if match is None:
        return None
    named, decimal, hexadecimal = match.groups()
    if named:
        return _NAMED[named], match.end()
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return (chr(code), match.end()) if _is_character(code) else None


def end_of_ticks(buffer: str, start: int) -> int:
    return _end(_TICKS, buffer, start, len(buffer))


def end_of_fence_info(buffer: str, start: int) -> int:
    return _end(_FENCE_INFO, buffer, start, len(buffer))


def may_become_entity(buffer: str, at: int) -> bool:
    if len(buffer) - at > _LONGEST_ENTITY:
        return False
    return buffer[at:] in _NAMED_PREFIXES or _NUMERIC_PREFIX.match(buffer, at) is not None


def decode_entities(text: str) -> str:
    def decoded(match: re.Match[str]) -> str:
        found = entity(text, match.start())
        return found[0] if found else match[0]

    return _ENTITY.sub(decoded, text)


def _is_character(code: int) -> bool:
    # The characters XML allows: no NUL, no other controls, no lone surrogates (they cannot be encoded).
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF


def _end(pattern: re.Pattern[str], buffer: str, start: int, limit: int) -> int:
    match = pattern.match(buffer, start, limit)
    return match.end() if match else start
