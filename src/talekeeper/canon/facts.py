"""Facts: assert and retract rows, never updated. They come from accepted proposals on the timeline and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Index, Integer, Table, Text, bindparam, insert, select, text

from talekeeper.canon.authority import check_decision
from talekeeper.canon.predicates import PREDICATES
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.store.asked import Question
from talekeeper.timeline.store.metadata import metadata
from talekeeper.timeline.store.missing import insert_missing
from talekeeper.timeline.vocabulary import Claim, Event, ProposalDecided, Value

# Clustered by what is asked for: the newest row of one (subject, predicate, slot) on one timeline is a single descent.
fact_table = Table(
    "fact",
    metadata,
    Column("world", Text, primary_key=True),
    Column("subj", Text, primary_key=True),
    Column("pred", Text, primary_key=True),
    Column("slot", Text, primary_key=True),
    Column("timeline", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("op", Integer, nullable=False),
    Column("obj", Text, nullable=False),
    Column("valid_from", BigInteger),
    Column("valid_to", BigInteger),
    Column("proposal", Text, nullable=False),
    Column("role", Text, nullable=False),
    sqlite_with_rowid=False,
)

Index("fact_seq", fact_table.c.world, fact_table.c.timeline, fact_table.c.seq)

# Every (subject, predicate, slot) ever claimed, on any timeline: what to look for when reading a whole entity.
fact_key_table = Table(
    "fact_key",
    metadata,
    Column("world", Text, primary_key=True),
    Column("subj", Text, primary_key=True),
    Column("pred", Text, primary_key=True),
    Column("slot", Text, primary_key=True),
    sqlite_with_rowid=False,
)
Index("fact_key_pred", fact_key_table.c.world, fact_key_table.c.pred, fact_key_table.c.slot)

# Every subject that ever pointed at an entity: candidates for "who is here", checked against the present.
fact_link_table = Table(
    "fact_link",
    metadata,
    Column("world", Text, primary_key=True),
    Column("obj", Text, primary_key=True),
    Column("pred", Text, primary_key=True),
    Column("subj", Text, primary_key=True),
    sqlite_with_rowid=False,
)


class Fact(msgspec.Struct, frozen=True):
    subj: str
    pred: str
    slot: str
    obj: Value
    timeline: str
    seq: int
    valid_from: int | None
    valid_to: int | None
    proposal: str
    role: str

    @property
    def event(self) -> str:
        """The decision that made it a fact."""
        return f"{self.timeline}@{self.seq}"

    def valid_at(self, now: int) -> bool:
        return (self.valid_from is None or self.valid_from <= now) and (self.valid_to is None or now < self.valid_to)


Key = tuple[str, str, str]
_INSERT = insert(fact_table)
_decode_value = msgspec.json.Decoder(Value).decode


def project(conn: Connection, past: Path, events: Sequence[Event]) -> None:
    """Projection: rows of every accepted proposal. Authority is checked here again, whoever appended."""
    rows: list[dict[str, Any]] = []
    for event in events:
        if isinstance(event.body, ProposalDecided) and event.body.decision == "accepted":
            check_decision(event.body.role, event.body.claims)
            rows.extend(_row(event, event.body, claim) for claim in event.body.claims)
    if not rows:
        return
    conn.execute(_INSERT, rows)
    keys = {(r["subj"], r["pred"], r["slot"]): None for r in rows}
    insert_missing(conn, fact_key_table, [{"world": past.world, "subj": s, "pred": p, "slot": o} for s, p, o in keys])
    links = {(msgspec.json.decode(r["obj"]), r["pred"], r["subj"]): None for r in rows if _links(r)}
    insert_missing(conn, fact_link_table, [{"world": past.world, "obj": o, "pred": p, "subj": s} for o, p, s in links])


def _row(event: Event, body: ProposalDecided, claim: Claim) -> dict[str, Any]:
    return {
        "world": event.world, "subj": claim.subj, "pred": claim.pred, "slot": claim.slot,
        "timeline": event.timeline, "seq": event.seq, "op": 0 if claim.retract else 1,
        "obj": msgspec.json.encode(claim.obj).decode(), "valid_from": claim.valid_from, "valid_to": claim.valid_to,
        "proposal": body.proposal or event.id, "role": body.role,
    }  # fmt: skip


def _links(row: dict[str, Any]) -> bool:
    return bool(row["op"]) and PREDICATES[row["pred"]].value == "entity"


def facts_of(conn: Connection, past: Path, subjects: Sequence[str]) -> dict[Key, Fact]:
    """What holds of some subjects at the end of a path: one index descent per key and segment, however long the history."""
    return _newest(conn, past, "subjects", {"subjects": msgspec.json.encode(subjects).decode()})


def names_of(conn: Connection, past: Path, subjects: Sequence[str]) -> dict[Key, Fact]:
    """The names of some subjects, and nothing else about them."""
    return _newest(conn, past, "names", {"subjects": msgspec.json.encode(subjects).decode()})


def facts_with(conn: Connection, past: Path, pred: str) -> dict[Key, Fact]:
    """What holds of one predicate, over all subjects."""
    return _newest(conn, past, "predicate", {"pred": pred})


def pointing_at(conn: Connection, past: Path, pred: str, obj: str) -> list[Fact]:
    """Who or what stands in `pred` to `obj` now."""
    found = _newest(conn, past, "pointing", {"pred": pred, "obj": obj})
    return [fact for fact in found.values() if fact.obj == obj]


def fact(conn: Connection, past: Path, key: Key) -> Fact | None:
    subj, pred, slot = key
    return _newest(conn, past, "one", {"subj": subj, "pred": pred, "slot": slot}).get(key)


def all_facts(conn: Connection, past: Path) -> dict[Key, Fact]:
    return _newest(conn, past, "all", {})


_f = fact_table.c
_READ = (
    _f.subj,
    _f.pred,
    _f.slot,
    _f.obj,
    _f.timeline,
    _f.seq,
    _f.valid_from,
    _f.valid_to,
    _f.proposal,
    _f.role,
    _f.op,
)
_DECIDED = Question(
    select(*_READ)
    .where(fact_table.c.world == bindparam("world"), fact_table.c.timeline == bindparam("timeline"))
    .where(fact_table.c.seq > bindparam("after"), fact_table.c.seq <= bindparam("upto"))
    .order_by(fact_table.c.seq)
)


def decided_since(conn: Connection, past: Path, after: int) -> list[tuple[Fact, bool]]:
    """What was asserted or retracted on the path's own timeline after a seq, in order."""
    last = past.segments[-1]
    bounds = {"world": past.world, "timeline": last.timeline, "after": after, "upto": last.upto}
    return [(_fact(row), bool(row[-1])) for row in _DECIDED.ask(conn, bounds)]


def _newest(conn: Connection, past: Path, which: str, arguments: dict[str, str]) -> dict[Key, Fact]:
    """The newest row of each key, nearest segment first; a retraction settles a key as absent."""
    found: dict[Key, Fact] = {}
    settled: set[Key] = set()
    statement = _STATEMENTS[conn.dialect.name][which]
    for segment in reversed(past.segments):
        bounds = {"world": past.world, "timeline": segment.timeline, "upto": segment.upto}
        for row in statement.ask(conn, {**arguments, **bounds}):
            key = (row[0], row[1], row[2])
            if key not in settled:
                settled.add(key)
                if row[-1]:
                    found[key] = _fact(row)
    return dict(sorted(found.items()))


_KEYS = {
    "subjects": "fact_key k where k.world = :world and k.subj in (select value from {subjects})",
    "names": """fact_key k where k.world = :world and k.subj in (select value from {subjects})
                  and k.pred = 'name' and k.slot = ''""",
    "predicate": "fact_key k where k.world = :world and k.pred = :pred",
    "pointing": """fact_link l cross join fact_key k
                   where l.world = :world and l.obj = :obj and l.pred = :pred
                     and k.world = l.world and k.subj = l.subj and k.pred = l.pred and k.slot = ''""",
    "one": "fact_key k where k.world = :world and k.subj = :subj and k.pred = :pred and k.slot = :slot",
    "all": "fact_key k where k.world = :world",
}
_SUBJECTS = {
    "sqlite": "json_each(:subjects)",
    "postgresql": "jsonb_array_elements_text(cast(:subjects as jsonb)) as subjects(value)",
}
# `cross join` keeps SQLite from reading the facts first and the keys after: it takes the tables in this order.
_STATEMENTS = {
    dialect: {
        which: Question(
            text(f"""
            select {", ".join(f"f.{column.name}" for column in _READ)}
            from (select k.subj, k.pred, k.slot,
                         (select max(o.seq) from fact o
                          where o.world = :world and o.subj = k.subj and o.pred = k.pred and o.slot = k.slot
                            and o.timeline = :timeline and o.seq <= :upto) as seq
                  from {keys.format(subjects=subjects)}) n
            cross join fact f
            where f.world = :world and f.subj = n.subj and f.pred = n.pred and f.slot = n.slot
              and f.timeline = :timeline and f.seq = n.seq""").columns(*_READ)
        )
        for which, keys in _KEYS.items()
    }
    for dialect, subjects in _SUBJECTS.items()
}


def history(conn: Connection, past: Path, subj: str, pred: str, slot: str = "") -> list[tuple[Fact, bool]]:
    """Every assertion and retraction of one fact along a path, oldest first."""
    f = fact_table.c
    found: list[tuple[Fact, bool]] = []
    for segment in past.segments:
        rows = conn.execute(
            select(*_READ)
            .where(f.world == past.world, f.subj == subj, f.pred == pred, f.slot == slot)
            .where(f.timeline == segment.timeline, f.seq <= segment.upto)
            .order_by(f.seq)
        )
        found.extend((_fact(row), bool(row.op)) for row in rows)
    return found


def _fact(row: Any) -> Fact:
    """From a row of the columns of `_READ`."""
    subj, pred, slot, obj, *rest, _ = row
    return Fact(subj, pred, slot, _decode_value(obj), *rest)
