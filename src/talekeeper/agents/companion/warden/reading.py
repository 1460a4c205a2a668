"""How much of a pitch is in a text: disguises off, then the signals added up."""

from __future__ import annotations

import re

import msgspec

from talekeeper.agents.companion.warden.disguise import plain
from talekeeper.agents.companion.warden.links import link_weight
from talekeeper.agents.companion.warden.signals import AGAINST, HOT, SIGNALS

ENOUGH = 2.1
"""Beyond this nothing more is looked for."""
DISGUISED = 0.5
ONLY_DISGUISED = 0.3
_ADDRESSED = re.compile(r"(?:@\w+[,:]?\s+)+")
_PLATFORM = "discord"
_MAY_BE_A_SITE = re.compile(r"\.[a-z]{2}|\. ?(?:com|net|org|ru)\b|\*\*\*|\bdot\b|\(\.|,(?:com|net|org|ru)\b")
_FEWEST = 5
_NEARLY = re.compile(
    # The name with letters left out or others in their place.
    # It begins with its letter, so that the search may leap from one to the next.
    r"d(?:(?<=\bd)|(?<=\bond))[\W_]{0,3}[1il!|y]?[\W_]{0,3}[s5z$][\W_]{0,3}[ck]?[\W_]{0,3}[o0]?[\W_]{0,3}r?[\W_]{0,3}d\b"
)


class Reading(msgspec.Struct, frozen=True):
    score: float
    reasons: tuple[str, ...]
    """The weightiest first."""
    strongest: float = 0.0
    """The weight of the weightiest alone."""


NOTHING = Reading(0.0, ())


def weigh(text: str) -> Reading:
    bare = plain(text)
    text, words = bare.text, bare.words
    if _PLATFORM not in words and (nearly := _NEARLY.search(text)) and sum(map(str.isalnum, nearly[0])) >= _FEWEST:
        text, words = text.replace(nearly[0], f" {_PLATFORM} "), words | {_PLATFORM}
    elif HOT.isdisjoint(words) and not bare.disguises and not _MAY_BE_A_SITE.search(text):
        return NOTHING
    if "$" in text or "€" in text:
        words |= {"$"}
    if text.startswith("@"):
        text = _ADDRESSED.sub("", text)
    return _weighed(text, words, bare.disguises)


def _weighed(text: str, words: frozenset[str], disguises: tuple[str, ...]) -> Reading:
    score = link_weight(text, words)
    strongest = score
    reasons = {"points to a site": score} if score else {}
    # Whoever points to a site is not merely asking or telling.
    for signal in SIGNALS[AGAINST:] if score else SIGNALS:
        if signal.found(text, words):
            score += signal.weight
            strongest = max(strongest, signal.weight)
            if signal.reason:
                reasons[signal.reason] = reasons.get(signal.reason, 0.0) + signal.weight
            if score >= ENOUGH:
                break
    if disguises:
        weight = DISGUISED if score > 0 else ONLY_DISGUISED
        score += weight
        reasons[f"hides behind {' and '.join(disguises)}"] = weight
    return Reading(round(score, 3), tuple(sorted(reasons, key=lambda reason: -reasons[reason])), strongest)
