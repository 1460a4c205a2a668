"""The guard on what goes out: no text of the prompts, no secret before its time, no stray markup in the prose.

A grave finding asks for the turn to be told again, once; after that the offending sentences are taken out, and a teller
that goes on is stopped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import cache, cached_property
from typing import Literal

import msgspec

from talekeeper.agents.guard.boundaries import Boundaries
from talekeeper.agents.guard.runs import flat, holds, runs, runs_of, sentences_with, without, words
from talekeeper.agents.prompts import fixed_text
from talekeeper.agents.situation import Secret
from talekeeper.timeline.vocabulary import GuardActed

PROMPTS = (
    "narrator_system", "narrator_brief", "narrator_turn", "voice_system", "voice_brief", "voice_turn",
    "companion_hearth_system", "companion_hearth_turn", "companion_steward_system", "companion_steward_turn",
    "companion_draft", "companion_second_reader",
)  # fmt: skip
MOST_GRAVE = 3
"""A teller that offends more often in one turn is not told by any more."""

SYSTEM_RUN = 8
_SECRET_RUN = 6
_SECRET_SHARE = 0.6
_MARKUP = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s[^<>]{0,1024})?/?>|<\|[^<>|]{1,40}\|>")
_EXCERPT = 80


class Finding(msgspec.Struct, frozen=True):
    guard: str
    action: Literal["redact", "regenerate", "stop"]
    reason: str
    excerpt: str
    text: str
    """What may be kept."""

    def event(self) -> GuardActed:
        return GuardActed(guard=self.guard, action=self.action, reason=self.reason, excerpt=self.excerpt)


class Guard:
    """Watches one telling of one turn. `hidden` are the secrets that may not come out in it.

    `never` are the lines and veils of the world, `asked` those of this table: what crosses one of the latter is not even
    shown while it is told.
    """

    def __init__(
        self,
        hidden: Iterable[Secret],
        *,
        already_said: str = "",
        last_take: bool = False,
        never: Iterable[str] = (),
        asked: Iterable[str] = (),
    ) -> None:
        self._secrets = [(secret, secret_runs(secret.text)) for secret in hidden]
        self._already_said = already_said
        self._last_take = last_take
        self._asked = Boundaries(asked)
        self._boundaries = Boundaries((*never, *asked))
        self._grave = 0

    def check(self, text: str) -> Finding | None:
        """The gravest thing wrong with a finished piece of prose, if anything is."""
        told = words(text)
        leaked = runs_of(told, SYSTEM_RUN) & system_runs()
        if leaked:
            spans = sentences_with(text, leaked)
            said = text[slice(*spans[0])]
            return self._grave_finding(
                "system_text", "The teller repeated its instructions.", said, without(text, spans)
            )
        flat_told = flat(told)
        for secret, giveaways in self._secrets:
            leaked = frozenset(run for run in giveaways if holds(flat_told, run) and not self._was_said(run))
            if leaked:
                # The secret itself stays out of the record: events are exported and shown.
                reason = f"The secret {secret.id} of {secret.holder} was told before its time."
                return self._grave_finding("secret", reason, "", without(text, sentences_with(text, leaked)))
        crossed = self._boundaries.crossings(text)
        if crossed:
            # Nor does the record repeat it.
            return self._grave_finding("boundary", "It crossed a line or a veil.", "", without(text, crossed))
        bare = _MARKUP.sub("", text) if "<" in text else text
        if bare != text:
            marks = " ".join(match[0] for match in _MARKUP.finditer(text))
            return Finding("markup", "redact", "There was markup in the prose.", _cut(marks), bare.strip())
        return None

    @property
    def careful(self) -> bool:
        """Whether sentences are read before they are shown."""
        return bool(self._asked)

    def may_show(self, sentence: str) -> bool:
        return not self._asked.crossings(sentence)

    @cached_property
    def _flat_said(self) -> str:
        return flat(words(self._already_said))

    def _was_said(self, run: str) -> bool:
        """What the player has said or read already is theirs to hear again."""
        return holds(self._flat_said, run)

    def _grave_finding(self, guard: str, reason: str, excerpt: str, kept: str) -> Finding:
        self._grave += 1
        action: Literal["redact", "regenerate", "stop"] = "redact"
        if not self._last_take:
            action = "regenerate"
        elif self._grave > MOST_GRAVE:
            action = "stop"
        # What is kept may have more wrong with it.
        rest = self.check(kept) if action == "redact" and kept else None
        return Finding(guard, action, reason, _cut(excerpt), rest.text if rest else kept)


def impersonation(who: str, text: str) -> Finding:
    return Finding("impersonation", "redact", f"The teller spoke for {who[:60]!r}.", _cut(text), "")


@cache
def system_runs() -> frozenset[str]:
    return frozenset().union(*(runs(fixed_text(name), SYSTEM_RUN) for name in PROMPTS))


def secret_runs(text: str) -> frozenset[str]:
    """The stretches of a secret that give it away."""
    found = words(text)
    length = max(1, min(len(found), max(_SECRET_RUN, math.ceil(len(found) * _SECRET_SHARE))))
    return runs_of(found, length)


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _EXCERPT else flat[: _EXCERPT - 1] + "…"
