"""What a shell command did to a repository, as far as its words tell."""

from __future__ import annotations

import re

from ..event import EventKind
from .payload import first_line

_MESSAGE = re.compile(r"""(?:^|\s)(?:-m|--message|-am)[\s=]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+))""")
_HEREDOC = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?\s*\n(.*?)\n\s*\1", re.DOTALL)
_TITLE = re.compile(r"""--title[\s=]+(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+))""")
_PART = re.compile(r"(?:^|&&|\|\||;|\n|\()\s*(?:\w+=\S+\s+)*(?=(?:git|gh|glab|tea)\b)")


def deeds_of(command: str) -> list[tuple[EventKind, str]]:
    """Commits, pushes, pull requests opened and merged, in order."""
    deeds = []
    starts = [found.end() for found in _PART.finditer(command)]
    for begin, end in zip(starts, [*starts[1:], len(command)], strict=False):
        part = command[begin:end]
        words = part.split(maxsplit=6)
        if _is(words, "git", "commit") and "--amend" not in words:
            deeds.append((EventKind.COMMIT, _message(part)))
        elif _is(words, "git", "push"):
            deeds.append((EventKind.PUSH, ""))
        elif words[:3] in (["gh", "pr", "create"], ["glab", "mr", "create"], ["tea", "pulls", "create"]):
            deeds.append((EventKind.PR_OPEN, _found(_TITLE, part)))
        elif words[:3] in (["gh", "pr", "merge"], ["glab", "mr", "merge"], ["tea", "pulls", "merge"]):
            deeds.append((EventKind.PR_MERGE, f"#{words[3]}" if len(words) > 3 and words[3].isdigit() else ""))
    return deeds


def _is(words: list[str], program: str, verb: str) -> bool:
    """`git -C path commit` is a commit too."""
    return words[:1] == [program] and verb in [word for word in words[1:4] if not word.startswith("-")]


def _message(part: str) -> str:
    heredoc = _HEREDOC.search(part)
    return first_line(heredoc.group(2) if heredoc else _found(_MESSAGE, part))


def _found(pattern: re.Pattern[str], part: str) -> str:
    found = pattern.search(part)
    return next((group for group in found.groups() if group is not None), "").replace('\\"', '"') if found else ""
