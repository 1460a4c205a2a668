"""Canon by replay: the slow, obvious fold that the stored rows must always agree with."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from talekeeper.canon.facts import Key, all_facts
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.vocabulary import Event, ProposalDecided, Value

State = dict[Key, tuple[Value, int]]
"""What holds, and since which event."""


def replay(events: Iterable[Event]) -> State:
    state: State = {}
    for event in events:
        if isinstance(event.body, ProposalDecided) and event.body.decision == "accepted":
            for claim in event.body.claims:
                key = (claim.subj, claim.pred, claim.slot)
                if claim.retract:
                    state.pop(key, None)
                else:
                    state[key] = (claim.obj, event.seq)
    return dict(sorted(state.items()))


def stored(conn: Connection, past: Path) -> State:
    return {key: (fact.obj, fact.seq) for key, fact in all_facts(conn, past).items()}


def differences(conn: Connection, past: Path) -> list[str]:
    """Where the stored state and the replayed one disagree; empty in a healthy world."""
    kept, told = stored(conn, past), replay(read_events(conn, past, kinds=[ProposalDecided.kind]))
    return [
        f"{' '.join(key).strip()}: stored {kept.get(key)}, replayed {told.get(key)}"
        for key in sorted(kept.keys() | told.keys())
        if kept.get(key) != told.get(key)
    ]
