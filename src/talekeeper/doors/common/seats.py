"""Seats: who sits at a world's table, in which role, and what that role may do."""

from __future__ import annotations

from typing import Literal

import msgspec

from talekeeper.errors import NotAllowed

Role = Literal["owner", "game_master", "player", "spectator"]
Power = Literal["watch", "play", "run", "own"]

POWERS: dict[Role, tuple[Power, ...]] = {
    "owner": ("watch", "play", "run", "own"),
    "game_master": ("watch", "play", "run"),
    "player": ("watch", "play"),
    "spectator": ("watch",),
}
_NEEDS: dict[Power, str] = {
    "watch": "a seat",
    "play": "a player's seat",
    "run": "the game master's seat",
    "own": "the owner's seat",
}


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    world: str
    id: str
    """Unique in its world; what `by` of events and `to` of frames name."""
    role: Role
    name: str
    actor: str = ""
    """The character this seat plays; empty for the world's own player."""

    def may(self, power: Power) -> bool:
        return power in POWERS[self.role]

    def check(self, power: Power) -> None:
        if not self.may(power):
            raise NotAllowed(
                f"A {self.role.replace('_', ' ')} may not do that: it takes {_NEEDS[power]}.",
                "The owner of the world can give you another seat.",
            )


def owner_seat(world: str) -> Seat:
    """Whoever opens a single-user install owns every world in it."""
    return Seat(world=world, id="owner", role="owner", name="Owner")
