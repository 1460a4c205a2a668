"""How much of a pitch is in a text: disguises off, then the signals added up."""

from __future__ import annotations

import re

import msgspec

from talekeeper.agents.companion.warden.disguise import Plain, plain
from talekeeper.agents.companion.warden.links import link_weight
from talekeeper.agents.companion.warden.signals import HOT, SIGNALS

ENOUGH = 3.0
"""Beyond this nothing more is looked for."""
DISGUISED = 0.5
ONLY_DISGUISED = 0.3
_TOKEN = re.compile(r"[a-z0-9_$]+")
_ADDRESSED = re.compile(r"^(?:@\w+[,:]?\s+)+")
_PLATFORM = "discord"
_NEARLY = re.compile(
    r"(?:\b|(?<=\bon))d[\W_]{0,3}[1il!|y]?[\W_]{0,3}[s5z$][\W_]{0,3}[ck]?[\W_]{0,3}[o0]?[\W_]{0,3}r?[\W_]{0,3}d\b"
)


class Reading(msgspec.Struct, frozen=True):
    score: float
    reasons: tuple[str, ...]
    """The weightiest first."""


NOTHING = Reading(0.0, ())


def weigh(text: str) -> Reading:
    bare = plain(text)
    text = bare.text
    tokens = set(_TOKEN.findall(text))
    if (
        HOT.isdisjoint(tokens)
        and not bare.disguises
        and "." not in text
        and "***" not in text
        and not _NEARLY.search(text)
    ):
        return NOTHING
    text = _ADDRESSED.sub("", text)
    if _PLATFORM not in tokens:
        # However the name was broken up, it is put back together.
        text = _NEARLY.sub(f" {_PLATFORM} ", text)
        tokens = set(_TOKEN.findall(text))
    return _weighed(Plain(text, bare.disguises), tokens)


def _weighed(bare: Plain, tokens: set[str]) -> Reading:
    score = link_weight(bare.text, tokens)
    reasons = {"points to a site": score} if score else {}
    for signal in SIGNALS:
        if not signal.needs.isdisjoint(tokens) and signal.pattern.search(bare.text):
            score += signal.weight
            if signal.reason:
                reasons[signal.reason] = reasons.get(signal.reason, 0.0) + signal.weight
            if score >= ENOUGH:
                break
    if bare.disguises:
        weight = DISGUISED if score > 0 else ONLY_DISGUISED
        score += weight
        reasons[f"hides behind {' and '.join(bare.disguises)}"] = weight
    return Reading(round(score, 3), tuple(sorted(reasons, key=lambda reason: -reasons[reason])))
