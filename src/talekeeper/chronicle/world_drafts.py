"""Agents' events on their way into a world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from talekeeper.timeline.vocabulary import FLEET_PREFIX, PUBLIC, Draft, FleetDeed

from .event import AgentEvent
from .task import task_of

TELLER = "fleet"
_LONGEST = 2000


def draft_of(event: AgentEvent) -> Draft:
    """Its `id` makes it come in once only; metadata that is neither text, number nor flag stays behind."""
    plain = {
        name[:80]: value[:_LONGEST] if isinstance(value, str) else value
        for name, value in event.metadata.items()
        if value is None or (isinstance(value, str | float | bool) or (isinstance(value, int) and abs(value) < 2**63))
    }
    own = plain.get("id")
    body = FleetDeed(
        agent=event.agent[:200],
        detail=event.detail[:_LONGEST],
        task=task_of(event.detail, event.metadata) or "",
        metadata=plain,
    )
    return Draft(
        body=body,
        by=TELLER,
        kind=f"{FLEET_PREFIX}{event.kind.value}",
        witnesses=PUBLIC,
        at=event.timestamp,
        idem=f"{TELLER}:{own}"[:300] if own else None,
    )


def batches(events: Iterable[AgentEvent], size: int = 500) -> Iterator[tuple[Draft, ...]]:
    batch: list[Draft] = []
    for event in events:
        batch.append(draft_of(event))
        if len(batch) == size:
            yield tuple(batch)
            batch.clear()
    if batch:
        yield tuple(batch)
