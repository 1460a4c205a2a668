"""The style gate: what every line of the companion must be, before it leaves. Calm, short, honest, and selling nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

import msgspec

from talekeeper.agents.companion.style_phrases import phrases
from talekeeper.agents.companion.words import stems

LIMIT = 300
SENTENCES = 2
REMEMBERED = 50
"""So many of its last lines it does not come near to again."""

_BLANK = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_QUOTED = re.compile(r"[\"“«][^\"”»]*[\"”»]")
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s+[^\sa-z]|\s*$)")
_ABBREVIATION = re.compile(r"\b(?:mr|mrs|ms|dr|st|vs|etc|e\.g|i\.e|no|vol|[A-Z])\.(?=\s)", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
_ROMAN = re.compile(r"[MDCLXVI]+")
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}")
_LINK = re.compile(
    r"https?:|www\.|\b[a-z0-9-]{2,}\.(?:com|net|org|gg|tv|ly|io|ru|shop|store|online|xyz|me)\b", re.IGNORECASE
)
_MARKUP = re.compile(r"</?[a-z!][^>]*>|\*\*|```|^#+\s|^\s*[-*]\s|\[[^\]]*\]\(", re.IGNORECASE)
_I = re.compile(r"\bI\s+(?=[a-z])")
_SHORT = (("I'm ", "I am "), ("I've ", "I have "), ("I'd ", "I would "), ("I'll ", "I will "))
_MINE = re.compile(
    r"\b(?:my|mine)\b(?! (?:notes?|ledger|record|lines?|work|words)\b)|\bmyself\b|\bjust me\b|\bfor me\b", re.IGNORECASE
)
_PICTURE = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\u2b50]")


class Said(msgspec.Struct, frozen=True):
    """A line as the rules read it."""

    text: str
    own: str
    """Without what is quoted: words of others are not its claims."""
    recent: Sequence[str]
    limit: int
    sentences: int


class Rule(msgspec.Struct, frozen=True):
    name: str
    reason: str
    broken: Callable[[Said], bool]


def clean(text: str) -> str:
    """One line without control characters, and without marks that hide or turn text around."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept = "".join(
        " " if char.isspace() else char for char in text if char.isspace() or unicodedata.category(char) not in _BLANK
    )
    return " ".join(kept.split())


def faults(text: str, recent: Sequence[str] = (), limit: int = LIMIT, sentences: int = SENTENCES) -> tuple[str, ...]:
    """What is wrong with a line, each a sentence for the operator; nothing when it may be said."""
    return tuple(rule.reason for rule in broken(text, recent, limit, sentences))


def broken(text: str, recent: Sequence[str] = (), limit: int = LIMIT, sentences: int = SENTENCES) -> tuple[Rule, ...]:
    plain = clean(unicodedata.normalize("NFKC", text)).replace("’", "'").replace("‘", "'")
    said = Said(plain, _QUOTED.sub('""', plain), [*recent][-REMEMBERED:], limit, sentences)
    if not plain:
        return (EMPTY,)
    return tuple(rule for rule in RULES if rule.broken(said))


def sentence_count(text: str) -> int:
    text = _ABBREVIATION.sub(" ", text).strip()
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    return len(ends) + (not ends or ends[-1] < len(text)) if text else 0


def _exclaims(said: Said) -> bool:
    return said.text.count("!") > 1 or "?!" in said.text or "??" in said.text


def _shouts(said: Said) -> bool:
    run = 0
    for word in _LETTERS.findall(said.text):
        if _ROMAN.fullmatch(word):
            continue
        if _STRETCHED.search(word):
            return True
        if word.isupper() and len(word) > 1:
            run += 1
            if len(word) > 4 or run > 2:
                return True
        elif len(word) > 1:
            run = 0
    return False


def _has(pattern: re.Pattern[str], *, own: bool = False) -> Callable[[Said], bool]:
    return lambda said: bool(pattern.search(said.own if own else said.text))


def _asks_chat(said: Said) -> bool:
    if phrases("chat").search(said.own):
        return True
    questions = re.findall(r"[^.!?…]*\?", said.own)
    return any(phrases("crowd").search(question) for question in questions)


def _speaks_as_a_person(said: Said) -> bool:
    """By a turn of phrase, or by saying `I` of anything but its own work."""
    if phrases("human").search(said.own) or _MINE.search(said.own):
        return True
    text = said.own
    for short, long in _SHORT:
        text = text.replace(short, long)
    after = (text[match.end() :] for match in _I.finditer(text))
    return any(not phrases("first_person").match(rest) for rest in after)


def _enthuses(said: Said) -> bool:
    return bool(phrases("enthusiasm").search(said.own)) or len(_PICTURE.findall(said.text)) > 1


def repeats(text: str, earlier: str) -> bool:
    """Nearly the same line: the same words, or the same things said in an order of its own."""
    a, b = frozenset(_LETTERS.findall(text.casefold())), frozenset(_LETTERS.findall(earlier.casefold()))
    if not a or not b:
        return text.strip() == earlier.strip()
    if len(a & b) >= 0.65 * len(a | b):
        return True
    a, b = stems(text), stems(earlier)
    return min(len(a), len(b)) >= 5 and len(a & b) >= 0.8 * min(len(a), len(b))


EMPTY = Rule("empty", "There is nothing in it.", lambda said: not said.text)
RULES = (
    Rule("length", "It is too long.", lambda said: len(said.text) > said.limit),
    Rule("sentences", "It has too many sentences.", lambda said: sentence_count(said.text) > said.sentences),
    Rule("exclamation", "It piles up exclamation or question marks.", _exclaims),
    Rule("shouting", "It shouts in capitals or drawn-out letters.", _shouts),
    Rule("call_to_action", "It tells people what to do.", _has(phrases("call_to_action"), own=True)),
    Rule("follow", "It asks for a follow, a like or a subscription.", _has(phrases("follow"))),
    Rule("selling", "It sells, or asks for money.", _has(phrases("selling"))),
    Rule("begging", "It begs for attention.", _has(phrases("begging"), own=True)),
    Rule("enthusiasm", "Its enthusiasm is put on.", _enthuses),
    Rule("asks_chat", "It asks the chat at large for an answer.", _asks_chat),
    Rule("human", "It claims to be a person, or to feel as one.", _speaks_as_a_person),
    Rule("viewer", "It poses as one of the viewers.", _has(phrases("viewer"), own=True)),
    Rule("attachment", "It feigns attachment to people.", _has(phrases("attachment"), own=True)),
    Rule("activity", "It claims activity that nobody can see.", _has(phrases("activity"), own=True)),
    Rule("link", "It has a link in it.", _has(_LINK)),
    Rule("markup", "It has markup in it.", _has(_MARKUP)),
    Rule("repetition", "It has said nearly this before.", lambda said: any(repeats(said.text, e) for e in said.recent)),
)  # fmt: skip
