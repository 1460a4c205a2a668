"""What a model may not do to a sentence: add a name, a number or a claim, or turn round who did what."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_TOKEN = re.compile(r"[^\W_][\w'’.+#/@-]*[^\W_]|[^\W_]|#\d+", re.UNICODE)
_QUOTE = re.compile(r"[“\"]([^”\"]+)[”\"]")
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split()
    )
} | {
    "once": "1",
    "twice": "2",
    "thrice": "3",
    "dozen": "12",
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
}
_NEGATIONS = frozenset(
    {"not", "no", "never", "none", "nobody", "nothing", "without", "neither", "nor", "hardly", "cannot", "unable"}
)
_SUFFIXES = ("ations", "ation", "ings", "ing", "edly", "ied", "ies", "ers", "er", "est", "ed", "es", "ly", "s", "e")


def objections(original: str, polished: str, also: str = "") -> list[str]:
    """Why the polished sentence must not replace the original; [] when it may. `also` are the events' own words."""
    if not polished.strip():
        return ["nothing is left"]
    if len(polished) > 2 * len(original) + 40:
        return ["it has grown too long"]
    source = f"{original} {also}"
    allowed = {_stem(token) for token in _tokens(source)}
    found = [
        f"the quotation “{words}” is not in the events" for words in _QUOTE.findall(polished) if words not in source
    ]
    numbers = {_number(token) for token in _tokens(source)} - {""}
    for token in dict.fromkeys(_tokens(polished)):
        lower, number = token.lower(), _number(token)
        if number:
            if number not in numbers:
                found.append(f"the number {token} is not in the events")
        elif _stem(token) not in allowed and lower not in _neutral():
            kind = "name" if token[:1].isupper() else "claim"
            found.append(f"the {kind} {token!r} is not in the events")
    if _negations(original) != _negations(polished):
        found.append("it denies what was said, or says what was denied")
    if not found and _out_of_order(original, polished):
        found.append("it changes who did what, or when")
    return found


def _tokens(text: str) -> list[str]:
    return [re.sub(r"['’]s\Z", "", token) for token in _TOKEN.findall(text)]


def _number(token: str) -> str:
    lower = token.lower().strip("#")
    if lower in _NUMBER_WORDS:
        return _NUMBER_WORDS[lower]
    return lower.replace(",", "") if any(c.isdigit() for c in lower) else ""


def _stem(token: str) -> str:
    word = token.lower().replace("’", "'")
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word.rstrip("i") or word


def _negations(text: str) -> int:
    own = _tokens(_QUOTE.sub(" ", text))
    return sum(token.lower() in _NEGATIONS or token.lower().endswith(("n't", "n’t")) for token in own) % 2


def _out_of_order(original: str, polished: str) -> bool:
    """Whether the words that carry meaning come in another order than they did."""
    places: dict[str, int] = {}
    for place, token in enumerate(_tokens(original)):
        if token.lower() not in _neutral():
            places.setdefault(_stem(token), place)
    order = [
        places[stem]
        for token in _tokens(polished)
        if (stem := _stem(token)) in places and token.lower() not in _neutral()
    ]
    firsts = list(dict.fromkeys(order))
    return firsts != sorted(firsts)


@cache
def _neutral() -> frozenset[str]:
    """Words that claim nothing by themselves."""
    return frozenset(files(__package__).joinpath("neutral_words.txt").read_text(encoding="utf-8").split())
