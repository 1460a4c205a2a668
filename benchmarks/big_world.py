"""Makes a world with a long past, quickly: real events through the real projections, in large transactions."""

from __future__ import annotations

import random

import msgspec
from sqlalchemy import Connection, insert

from talekeeper.app.engine import Engine
from talekeeper.timeline.ids import turn_id
from talekeeper.timeline.lineage import get_timeline, path
from talekeeper.timeline.snapshots import latest_snapshot, snapshot_table
from talekeeper.timeline.turns import turn_table
from talekeeper.timeline.vocabulary import (
    ActionTaken,
    Claim,
    Draft,
    LineSpoken,
    NarrationTold,
    OutcomeResolved,
    ProposalDecided,
    TimePassed,
)

WORDS = """ember harbour lantern bell ledger ferry gravel thimble salt orchard chimney kettle quarry mirror candle willow
anchor barrel copper draper feather garden hammer island jacket kitchen ladder marble needle oyster pepper quiver ribbon
saddle timber umbrella velvet winter yellow zephyr bridge castle dinner engine forest glacier hollow insect jungle
""".split()
BATCH = 500


def prolong(engine: Engine, world: str, events: int, seed: int = 1) -> int:
    """Append turns until the active timeline has about `events` events; gives back how many there are."""
    rng = random.Random(seed)
    head = _head(engine, world)
    number = 1
    while head < events:
        turns = min(BATCH, (events - head) // 6 + 1)
        engine.store.write_now(lambda conn, first=number, many=turns: _past(conn, engine, world, first, many, rng))
        number += turns
        head = _head(engine, world)
    return head


def _head(engine: Engine, world: str) -> int:
    return engine.store.read_now(lambda conn: get_timeline(conn, world, "t1").head)


def _past(conn: Connection, engine: Engine, world: str, first: int, many: int, rng: random.Random) -> None:
    snapshot = latest_snapshot(conn, path(conn, world, "t1"))
    assert snapshot is not None
    base = get_timeline(conn, world, "t1").head
    everyone = snapshot.participants
    player, other = everyone[0], everyone[-1]
    now = 600 + first
    drafts: list[Draft] = []
    ends: list[tuple[int, int]] = []
    for number in range(first, first + many):
        turn = turn_id("t1", number)
        now += 1
        said, told = " ".join(rng.choices(WORDS, k=6)), " ".join(rng.choices(WORDS, k=40))
        start = base + len(drafts)
        common = {"scene": snapshot.scene, "turn": turn, "story_time": now, "place": snapshot.place}
        claims = (Claim("world", "time", 10_000 + now), Claim(other, "trust", rng.randint(-50, 50), slot=player))
        drafts += [
            Draft(body=ActionTaken(player, said), by=player, witnesses=everyone, **common),
            Draft(body=OutcomeResolved(actor=player, verb="talk", tier="plain"), by="rules", **common),
            Draft(body=ProposalDecided(decision="accepted", role="rules", claims=claims), by="rules", **common),
            Draft(body=NarrationTold(told), by="narrator", witnesses=everyone, **common),
            Draft(body=LineSpoken(other, " ".join(rng.choices(WORDS, k=12))), by=other, witnesses=everyone, **common),
            Draft(body=TimePassed(1, now), by="rules", **common),
        ]
        ends.append((start, base + len(drafts)))
    engine.services.appender.append(conn, world, "t1", drafts)
    rows = [
        {"world": world, "id": turn_id("t1", first + n), "timeline": "t1", "scene": snapshot.scene, "number": first + n,
         "attempt": 1, "state": "done", "actor": player, "intent": "{}", "base_seq": start, "last_seq": end,
         "manifest": "{}", "accepted_at": 0.0, "ended_at": 0.0}
        for n, (start, end) in enumerate(ends)
    ]  # fmt: skip
    conn.execute(insert(turn_table), rows)
    body = msgspec.json.encode(
        msgspec.structs.replace(
            snapshot, turn_number=first + many - 1, now=10_000 + now, scene_seq=ends[-min(30, many)][0], scene_turns=0
        )
    ).decode()
    conn.execute(insert(snapshot_table).values(world=world, timeline="t1", seq=ends[-1][1], body=body))
