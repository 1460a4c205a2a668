"""Events of real work, told by agents and repositories: one body for the open family fleet.<kind>."""

from __future__ import annotations

import msgspec

from talekeeper.timeline.vocabulary.body import Body

FLEET_PREFIX = "fleet."


class FleetDeed(Body, frozen=True):
    kind = "fleet.deed"
    agent: str
    detail: str = ""
    task: str = ""
    metadata: dict[str, str | int | float | bool | None] = msgspec.field(default_factory=dict)
