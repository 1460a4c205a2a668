"""IRC on the wire: lines out of bytes, messages out of lines, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

LONGEST = 64 * 1024
"""Bytes of a line; Twitch's tags may take 8 KiB. What is longer is no chat."""

_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_UNESCAPED = {":": ";", "s": " ", "\\": "\\", "r": "\r", "n": "\n"}
_ESCAPED = str.maketrans({";": r"\:", " ": r"\s", "\\": r"\\", "\r": r"\r", "\n": r"\n"})
_FORBIDDEN = re.compile(r"[\r\n\0]")


class IrcMessage(msgspec.Struct, frozen=True):
    command: str
    params: tuple[str, ...] = ()
    prefix: str = ""
    tags: dict[str, str] = {}

    @property
    def nick(self) -> str:
        return self.prefix.partition("!")[0].partition("@")[0]

    @property
    def last(self) -> str:
        return self.params[-1] if self.params else ""

    def param(self, at: int) -> str:
        """Empty where the server sent fewer."""
        return self.params[at] if at < len(self.params) else ""


class LineBuffer:
    """Whole lines out of pieces of bytes; a line beyond `LONGEST` is passed over."""

    def __init__(self) -> None:
        self._begun = b""
        self._too_long = False

    def feed(self, piece: bytes) -> Iterator[str]:
        *whole, self._begun = (self._begun + piece).replace(b"\r", b"\n").split(b"\n")
        for line in whole:
            if line and not self._too_long and len(line) <= LONGEST:
                yield line.decode("utf-8", "replace")
            self._too_long = False
        if len(self._begun) > LONGEST:
            self._begun, self._too_long = b"", True


def parse(line: str) -> IrcMessage | None:
    """None for what is no message."""
    rest = line.replace("\0", "").strip("\r\n")
    tags: dict[str, str] = {}
    prefix = ""
    if rest.startswith("@"):
        listed, _, rest = rest[1:].partition(" ")
        tags = _tags(listed)
        rest = rest.lstrip(" ")
    if rest.startswith(":"):
        prefix, _, rest = rest[1:].partition(" ")
    middle, colon, last = f" {rest}".partition(" :")
    words = [word for word in middle.split(" ") if word]
    if not words:
        return None
    return IrcMessage(words[0].upper(), (*words[1:], last) if colon else tuple(words[1:]), prefix, tags)


def _tags(listed: str) -> dict[str, str]:
    pairs = [tag.partition("=") for tag in listed.split(";")]
    return {name: unescape_tag(value) if "\\" in value else value for name, _, value in pairs if name}


def unescape_tag(value: str) -> str:
    """In one pass, so that an escaped backslash never begins another escape; a lone one at the end goes."""
    return _ESCAPE.sub(lambda found: _UNESCAPED.get(found[1], found[1]), value)


def escape_tag(value: str) -> str:
    return value.translate(_ESCAPED)


def compose(command: str, *params: str, tags: Mapping[str, str] | None = None, prefix: str = "") -> str:
    """One line without its end; the last parameter may hold spaces. Line ends and NULs inside become spaces."""
    words = [command, *params[:-1]]
    if any(not word or " " in word or word.startswith(":") for word in words):
        raise ValueError(f"only the last parameter may be free text: {words}")
    if params:
        # Many clients take only what follows a colon for text, though the standard asks for none before a single word.
        free = len(params) > 1 or not params[0] or params[0].startswith(":") or " " in _FORBIDDEN.sub(" ", params[0])
        words.append(f":{params[-1]}" if free else params[-1])
    head = f":{prefix} " if prefix else ""
    listed = ";".join(f"{name}={escape_tag(value.replace(chr(0), ''))}" for name, value in (tags or {}).items())
    return _FORBIDDEN.sub(" ", f"{f'@{listed} ' if listed else ''}{head}{' '.join(words)}")
