"""The last look at a text before it leaves: one harmless line, cut at sentences into what a chat takes."""

from __future__ import annotations

import re
import unicodedata

LIMIT = 500
"""Characters a chat shows of one line."""

_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)")
_ELLIPSIS = re.compile(r"^\.{3,}")


def neutralise(text: str) -> str:
    """No control characters, no line ends, and nothing at the front that a chat server would take for a command."""
    shown = "".join(" " if _breaks(char) else char for char in text.encode("utf-8", "replace").decode())
    shown = _ELLIPSIS.sub("…", " ".join(shown.split()))
    return shown.lstrip("/. ").rstrip()


def _breaks(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Zl", "Zp"}


def split(text: str, limit: int = LIMIT, parts: int = 2) -> tuple[str, ...]:
    """A neutralised text in at most `parts` pieces, at sentences where that is possible; the rest is left out."""
    rest = neutralise(text)
    cut: list[str] = []
    while rest and len(cut) < parts:
        if len(rest) <= limit:
            cut.append(rest)
            break
        last = len(cut) == parts - 1
        at = _place(rest, limit - 1 if last else limit)
        piece = rest[:at].rstrip()
        cut.append(f"{piece}…" if last and not piece.endswith(("…", ".", "!", "?")) else piece)
        rest = neutralise(rest[at:])
    return tuple(piece for piece in cut if piece)


def _place(text: str, limit: int) -> int:
    """Where to cut: after a sentence, else between words, else anywhere; never so early that little would be said."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, limit + 1) if match.end() <= limit]
    if ends and ends[-1] >= limit // 4:
        return ends[-1]
    space = text.rfind(" ", limit // 4, limit + 1)
    return space if space > 0 else limit
