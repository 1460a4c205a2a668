"""How things are called in prose."""

from __future__ import annotations

_ARTICLES = ("the ", "a ", "an ")
_PLAIN_BEGINNINGS = frozenset("The There You It No Nobody Nothing From A An Your That This".split())
PRONOUNS = {
    "she": {"they": "she", "them": "her", "their": "her"},
    "he": {"they": "he", "them": "him", "their": "his"},
    "they": {"they": "they", "them": "them", "their": "their"},
}


def in_prose(name: str) -> str:
    """`The Otter` in mid-sentence is `the Otter`; `spade` is `the spade`; `Corrow Street` stays."""
    if name.startswith("The "):
        return f"the {name[4:]}"
    if not name or name[0].isupper() or name.lower().startswith(_ARTICLES):
        return name
    return f"the {name}"


def thing_in_prose(name: str) -> str:
    """`County list` is `the County list`; `Nan's jar` and `a cup` stay."""
    owned = "'s " in name or name.lower().startswith((*_ARTICLES, "your "))
    return in_prose(name) if owned or not name else f"the {name}"


def sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]


def in_mid_sentence(text: str) -> str:
    """A finished sentence as part of another: `The key is gone.` becomes `the key is gone`."""
    first = text.partition(" ")[0]
    text = text.removesuffix(".")
    return text[:1].lower() + text[1:] if first in _PLAIN_BEGINNINGS else text


def full_stop(text: str) -> str:
    text = text.strip()
    return text if not text or text.endswith((".", "!", "?", '."', '!"', '?"')) else f"{text}."


def listed(names: list[str], joint: str = "and") -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {joint} {names[-1]}"
