"""Canon as it stands at one point of one timeline, with what the current update has already changed on top."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from talekeeper.canon.facts import Fact, Key, fact, facts_of, facts_with, names_of, pointing_at
from talekeeper.canon.kept import KeptCanon, kept_canon
from talekeeper.canon.predicates import PREDICATES
from talekeeper.timeline.events import turn_of_event
from talekeeper.timeline.ids import WORLD_ENTITY, parse_turn_id
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.vocabulary import Claim, Value

_PENDING_SEQ = 0


class CanonView:
    """Reads are remembered for the view's short life, so validators may ask freely."""

    def __init__(self, conn: Connection, past: Path) -> None:
        self._conn = conn
        self.path = past
        self._kept_canon = kept_canon(conn, past)
        self._kept_seq = self._kept_canon.seq if self._kept_canon else 0
        self._whole: dict[str, dict[Key, Fact]] = {}
        self._single: dict[Key, Fact | None] = {}
        self._changed: dict[Key, Fact | None] = {}
        self._listed: dict[str, list[Fact]] = {}

    @property
    def _kept(self) -> KeptCanon | None:
        """What the connection keeps in mind, unless a later view on it has learned more than this one should see."""
        kept = self._kept_canon
        return kept if kept is not None and kept.seq == self._kept_seq else None

    def load(self, subjects: Iterable[str]) -> None:
        """Fetch whole entities at once; what is not stored is then known to be absent."""
        wanted = sorted({s for s in subjects if s} - self._whole.keys())
        if wanted and self._kept is not None:
            self._whole.update((subj, self._kept.facts_of(subj)) for subj in wanted)
        elif wanted:
            self._whole.update((subj, {}) for subj in wanted)
            for key, found in facts_of(self._conn, self.path, wanted).items():
                self._whole[key[0]][key] = found

    def load_names(self, subjects: Iterable[str]) -> None:
        """Fetch the names of entities that are only mentioned."""
        wanted = sorted({s for s in subjects if (s, "name", "") not in self._single} - self._whole.keys())
        if wanted and self._kept is None:
            self._single.update(((subj, "name", ""), None) for subj in wanted)
            self._single.update(names_of(self._conn, self.path, wanted))

    def fact(self, subj: str, pred: str, slot: str = "") -> Fact | None:
        key = (subj, pred, slot)
        if key in self._changed:
            return self._changed[key]
        if subj in self._whole:
            return self._whole[subj].get(key)
        if self._kept is not None:
            return self._kept.fact(key)
        if key not in self._single:
            self._single[key] = fact(self._conn, self.path, key)
        return self._single[key]

    def value(self, subj: str, pred: str, slot: str = "") -> Value | None:
        found = self.fact(subj, pred, slot)
        return None if found is None else found.obj

    def text(self, subj: str, pred: str, slot: str = "") -> str:
        value = self.value(subj, pred, slot)
        return "" if value is None else str(value)

    def number(self, subj: str, pred: str, slot: str = "", default: int = 0) -> int:
        value = self.value(subj, pred, slot)
        return int(value) if isinstance(value, int | float) else default

    def facts_of(self, subj: str) -> list[Fact]:
        listed = self._listed.get(subj)
        if listed is None:
            self.load([subj])
            merged: dict[Key, Fact | None] = dict(self._whole.get(subj, {}))
            merged.update({key: found for key, found in self._changed.items() if key[0] == subj})
            self._listed[subj] = listed = [f for key in sorted(merged) if (f := merged[key]) is not None]
        return listed

    def many(self, subj: str, pred: str) -> list[Fact]:
        """All values of a predicate that has several."""
        return [fact for fact in self.facts_of(subj) if fact.pred == pred]

    def exists(self, subj: str) -> bool:
        return subj == WORLD_ENTITY or self.fact(subj, "name") is not None

    def name(self, subj: str) -> str:
        return self.text(subj, "name") or subj.partition("/")[2].replace("-", " ").replace("_", " ") or subj

    def pointing_at(self, pred: str, obj: str) -> list[str]:
        """Subjects that stand in `pred` to `obj`, in a stable order."""
        kept = self._kept
        pointing = kept.pointing_at(pred, obj) if kept else pointing_at(self._conn, self.path, pred, obj)
        subjects = {found.subj for found in pointing}
        for key, changed in self._changed.items():
            if key[1] == pred:
                if changed is not None and changed.obj == obj:
                    subjects.add(key[0])
                else:
                    subjects.discard(key[0])
        return sorted(subjects)

    def with_predicate(self, pred: str) -> list[Fact]:
        kept = self._kept
        found: dict[Key, Fact | None] = {
            **(kept.with_predicate(pred) if kept else facts_with(self._conn, self.path, pred))
        }
        found.update({k: f for k, f in self._changed.items() if k[1] == pred})
        return [fact for _, fact in sorted(found.items()) if fact is not None]

    def entities(self, kind: str | None = None) -> list[str]:
        return [f.subj for f in self.with_predicate("name") if kind is None or f.subj.startswith(f"{kind}/")]

    @property
    def now(self) -> int:
        return self.number(WORLD_ENTITY, "time")

    def apply(self, claims: Sequence[Claim], role: str = "") -> None:
        """See the world as if these claims had been accepted."""
        for claim in claims:
            key = (claim.subj, claim.pred, claim.slot)
            self._listed.pop(claim.subj, None)
            self._changed[key] = None if claim.retract else Fact(
                claim.subj, claim.pred, claim.slot, claim.obj, self.path.timeline, _PENDING_SEQ,
                claim.valid_from, claim.valid_to, "", role,
            )  # fmt: skip

    def turn_of(self, fact: Fact) -> int:
        """The number of the turn that made it a fact; 0 for what was there from the start."""
        if fact.seq == _PENDING_SEQ:
            return 0
        turns = self._kept_canon.turns if self._kept_canon else {}
        if (made := (fact.timeline, fact.seq)) not in turns:
            turns[made] = turn_of_event(self._conn, self.path.world, *made)
        turn = turns[made]
        return parse_turn_id(turn)[1] if turn else 0

    def say(self, fact: Fact) -> str:
        """The fact as a sentence, with names for ids."""
        predicate = PREDICATES.get(fact.pred)
        template = predicate.says if predicate else "{subj} {pred}: {obj}"
        return template.format(
            subj=self.name(fact.subj), pred=fact.pred, obj=self._shown(fact.obj), slot=self._shown(fact.slot)
        )

    def _shown(self, value: Value) -> str:
        if isinstance(value, str) and "/" in value and self.exists(value):
            return self.name(value)
        return str(value)
