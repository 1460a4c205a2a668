"""Canon kept in mind: the current facts of a timeline, brought up to date by what was decided since, on each connection.

A view of the newest state needs one short query instead of dozens. As-of reads of the past, and worlds with very many
facts, go to the tables. The store clears a connection's mind when a transaction is undone.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from talekeeper.canon.facts import Fact, Key, all_facts, decided_since, fact_key_table
from talekeeper.timeline.lineage import OPEN_END, Path
from talekeeper.timeline.vocabulary import Value

MOST_KEYS = 20_000
"""Past this, keeping everything costs more than asking."""
_MOST_TIMELINES = 8
_INFO = "talekeeper_canon"


class KeptCanon:
    """All facts that hold at `seq` of one timeline, by subject."""

    def __init__(self, facts: dict[Key, Fact], seq: int) -> None:
        self.seq = seq
        self._subjects: dict[str, dict[Key, Fact]] = {}
        self._predicates: dict[str, dict[Key, Fact]] = {}
        self._pointing: dict[tuple[str, Value], dict[str, Fact]] = {}
        self.turns: dict[tuple[str, int], str | None] = {}
        """The turns of events that made facts, as far as anybody asked: they never change."""
        for key, fact in facts.items():
            self._take(key, fact)

    def _take(self, key: Key, fact: Fact | None) -> None:
        before = self._subjects.get(key[0], {}).pop(key, None)
        self._predicates.get(key[1], {}).pop(key, None)
        single = not key[2]
        if before is not None and single:
            self._pointing.get((key[1], before.obj), {}).pop(key[0], None)
        if fact is not None:
            self._subjects.setdefault(key[0], {})[key] = fact
            self._predicates.setdefault(key[1], {})[key] = fact
            if single:
                self._pointing.setdefault((key[1], fact.obj), {})[key[0]] = fact

    def learn(self, conn: Connection, past: Path, upto: int) -> None:
        """Take in what was decided after `seq`."""
        if self.seq >= upto:
            return
        for fact, asserted in decided_since(conn, past, self.seq):
            self._take((fact.subj, fact.pred, fact.slot), fact if asserted else None)
            self.seq = max(self.seq, fact.seq)
        if upto < OPEN_END:
            self.seq = max(self.seq, upto)

    def facts_of(self, subj: str) -> dict[Key, Fact]:
        return dict(self._subjects.get(subj, {}))

    def fact(self, key: Key) -> Fact | None:
        return self._subjects.get(key[0], {}).get(key)

    def with_predicate(self, pred: str) -> dict[Key, Fact]:
        return dict(self._predicates.get(pred, {}))

    def pointing_at(self, pred: str, obj: str) -> list[Fact]:
        return list(self._pointing.get((pred, obj), {}).values())


def kept_canon(conn: Connection, past: Path) -> KeptCanon | None:
    """What this connection keeps of this timeline, up to the end of the path; None when the tables must be asked."""
    upto = past.segments[-1].upto
    if past.segments[-1].timeline != past.timeline:
        return None
    minds: dict[tuple[str, str, float], KeptCanon] = conn.info.setdefault(_INFO, {})
    name = (past.world, past.timeline, past.born)
    mind = minds.pop(name, None)
    if mind is not None and mind.seq > upto:
        minds[name] = mind
        return None
    if mind is None:
        k = fact_key_table.c
        many = conn.execute(select(func.count()).select_from(fact_key_table).where(k.world == past.world)).scalar_one()
        if many > MOST_KEYS:
            return None
        facts = all_facts(conn, past)
        mind = KeptCanon(facts, max((fact.seq for fact in facts.values()), default=0))
    mind.learn(conn, past, upto)
    minds[name] = mind  # newest last: the one used longest ago is let go
    while len(minds) > _MOST_TIMELINES:
        minds.pop(next(iter(minds)))
    return mind
