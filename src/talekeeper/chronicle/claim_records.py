"""What facts that changed mean to a story: somebody moved, was hurt, died, trusted more or less; a faction rose or fell."""

from __future__ import annotations

import re
from collections.abc import Iterable

from talekeeper.timeline.vocabulary import Claim, Event

from .sifter.record import Record

_NOTABLE = 10
"""A change of regard smaller than this is a mood."""

_DEAD = re.compile(r"\b(?:dead|died|killed|slain|drowned)\b", re.IGNORECASE)
_REGARD = frozenset({"trust", "affection", "respect"})


class ClaimRecords:
    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: dict[tuple[str, str, str], float] = {}
        self._places: dict[str, str] = {}

    def name(self, entity: str) -> str:
        """As the world calls it; before it has a name, the end of its id."""
        return self._names.get(entity) or entity.rpartition("/")[2].replace("-", " ") or "someone"

    def records(self, event: Event, claims: Iterable[Claim], actor: str) -> list[Record]:
        found: list[Record] = []
        for claim in claims:
            if not claim.retract:
                found += self._claim(event, claim, actor)
        return found

    def record(self, event: Event, kind: str, actor: str, target: str, text: str, **keys: str) -> Record:
        who, whom = self.name(actor), self.name(target) if target else ""
        keys |= {"agent": who, "person": who, "mentor": who}
        if event.scene:
            keys["scene"] = event.scene
        if whom:
            keys["relation"] = " and ".join(sorted((who, whom)))
        at = event.story_time * 60.0 if event.story_time is not None else event.at
        return Record(
            event.id, kind, at, keys, {"detail": text, "actor": who, "target": whom or who, "happened": event.at}
        )

    def _claim(self, event: Event, claim: Claim, actor: str) -> list[Record]:
        subj, pred, value = claim.subj, claim.pred, claim.obj
        if pred == "name" and isinstance(value, str):
            self._names[subj] = value
        elif pred == "at" and isinstance(value, str) and subj.startswith("person/"):
            return self._moved(event, subj, value)
        elif pred in ("status", "condition") and subj.startswith("person/") and _DEAD.search(str(value)):
            return [self.record(event, "died", subj, "", f"{self.name(subj)} is {value}")]
        elif isinstance(value, int | float) and not isinstance(value, bool):
            return self._measured(event, claim, float(value), actor)
        return []

    def _moved(self, event: Event, who: str, to: str) -> list[Record]:
        before, self._places[who] = self._places.get(who), to
        if before is None or before == to:
            return []
        left = self.record(event, "departed", who, "", f"left {self.name(before)}", place=self.name(before))
        came = self.record(event, "arrived", who, "", f"came to {self.name(to)}", place=self.name(to))
        return [left, came]

    def _measured(self, event: Event, claim: Claim, value: float, actor: str) -> list[Record]:
        key = (claim.subj, claim.pred, claim.slot)
        before = self._values.get(key, 0.0)
        known = key in self._values
        self._values[key] = value
        change = value - before
        if claim.pred == "harm" and change > 0 and actor.startswith("person/") and actor != claim.subj:
            return [self.record(event, "harmed", actor, claim.subj, f"{self.name(claim.subj)} was hurt")]
        if claim.pred == "clock" and known and change and claim.subj.startswith("faction/"):
            kind, words = ("power_gained", "gained ground") if change > 0 else ("power_lost", "lost ground")
            name = self.name(claim.subj)
            return [self.record(event, kind, claim.subj, "", f"{name} {words}", faction=name)]
        if claim.pred in _REGARD and claim.slot and known and abs(change) >= _NOTABLE:
            return [self._regarded(event, claim, before, value)]
        return []

    def _regarded(self, event: Event, claim: Claim, before: float, value: float) -> Record:
        """The one who is regarded did something; the one who regards tells how it was taken."""
        subj, other = self.name(claim.subj), self.name(claim.slot)
        text = f"{subj}'s {claim.pred} towards {other} went from {before:g} to {value:g}"
        if value < before:
            kind = "estranged"
        else:
            kind = "reconciled" if before < 0 else "helped"
        return self.record(event, kind, claim.slot, claim.subj, text)
