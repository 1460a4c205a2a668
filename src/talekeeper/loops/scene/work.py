"""What one run of the scene graph carries: the services it uses and the turn row it works on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.context import DEFAULT_BUDGET, Manifest
from talekeeper.agents.resolver import Resolver
from talekeeper.agents.situate import situate
from talekeeper.agents.situation import Situation
from talekeeper.agents.teller import Teller
from talekeeper.canon.view import CanonView
from talekeeper.loops.intents import Act
from talekeeper.loops.running import RunningTurn
from talekeeper.observe.clock import Clock
from talekeeper.observe.observer import Observer, Silence
from talekeeper.presets.preset import Calendar
from talekeeper.rules.dice import turn_seed
from talekeeper.timeline.append import Appender
from talekeeper.timeline.lineage import Path, path
from talekeeper.timeline.snapshots import WorldSnapshot
from talekeeper.timeline.store import Store
from talekeeper.timeline.turns import Turn, write_turn
from talekeeper.timeline.vocabulary import ActionTaken, Check, Claim, GuardActed, OutcomeResolved, RollMade
from talekeeper.timeline.worlds import World


class Resolution(msgspec.Struct, frozen=True, omit_defaults=True):
    """The row's `outcome`. Written twice: with the check alone before the dice fall, then whole."""

    action: ActionTaken
    check: Check | None = None
    roll: RollMade | None = None
    outcome: OutcomeResolved | None = None


class Segment(msgspec.Struct, frozen=True, omit_defaults=True):
    """One told piece: narration, do or say."""

    tag: str
    text: str
    who: str = ""
    lines: tuple[str, ...] = ()


class ToldClaim(msgspec.Struct, frozen=True, omit_defaults=True):
    role: str
    claim: Claim
    why: str = ""


class Prose(msgspec.Struct, frozen=True, omit_defaults=True):
    """The row's `prose`."""

    teller: str
    segments: tuple[Segment, ...]
    claims: tuple[ToldClaim, ...] = ()
    complete: bool = True
    acts: tuple[GuardActed, ...] = ()
    """What the guards did while it was told."""


@dataclass(frozen=True)
class Services:
    """Everything the loops need, put together by the app."""

    store: Store
    appender: Appender
    clock: Clock
    owner: str
    """Whose leases these are: this process."""
    teller: Teller
    understudy: Teller
    """Tells a turn when nothing the teller said can be used."""
    resolver: Callable[[World], Resolver]
    calendar: Callable[[World], Calendar]
    tone: Callable[[World], str]
    boundaries: Callable[[World], tuple[str, ...]]
    """The lines and veils the world came with."""
    weather: Callable[[World, int], str]
    """The sky over a world at a minute of its story; empty where nobody has written one."""
    effects: tuple[tuple[str, int], ...] = ()
    """Name and version of the effects every turn asks for."""
    after_turn: Callable[[], None] = lambda: None
    """Called when a turn has ended: there may be effects to run."""
    observer: Observer = field(default_factory=Silence)
    budget: int = DEFAULT_BUDGET
    max_scene_turns: int = 60


@dataclass
class TurnWork:
    services: Services
    world: World
    turn: Turn
    running: RunningTurn
    head: int | None = None
    """The last event this turn appended, its scene's end included."""
    left_at: tuple[WorldSnapshot, str] | None = None
    """Where the turn's own events left the world, and the name of that place."""
    _situation: Situation | None = field(default=None)
    _base: Path | None = field(default=None)
    _unwritten: dict[str, object] = field(default_factory=dict)

    @property
    def seed(self) -> int:
        return turn_seed(self.world.seed, self.turn.id)

    @property
    def action(self) -> str:
        return msgspec.json.decode(self.turn.intent, type=Act).text

    def base_path(self, conn: Connection) -> Path:
        """The path as of the turn's acceptance: all the turn reads is from before it."""
        if self._base is None:
            self._base = path(conn, self.world.slug, self.turn.timeline).until(self.turn.base_seq)
        return self._base

    def situation_now(self, conn: Connection, view: CanonView | None = None) -> Situation:
        """Read once a turn: it is as of the turn's acceptance, whenever it is asked for."""
        if self._situation is None:
            view = view or CanonView(conn, self.base_path(conn))
            self._situation = situate(conn, view, self.world, self.turn, self.seed)
        return self._situation

    def name_of(self, conn: Connection, entity: str) -> str:
        return CanonView(conn, path(conn, self.world.slug, self.turn.timeline)).name(entity)

    async def situation(self) -> Situation:
        known = self._situation
        return known if known is not None else await self.services.store.read(lambda conn: self.situation_now(conn))

    def note(self, **values: object) -> None:
        """Output of a step that costs nothing to repeat: it is written together with the next step's."""
        self._unwritten |= values
        self.turn = msgspec.structs.replace(self.turn, **values)

    async def write(self, **values: object) -> None:
        """A step's output into the row, durably."""
        turn, values = self.turn, self._unwritten | values
        self.turn = await self.services.store.write(lambda conn: write_turn(conn, turn, **values))
        self._unwritten = {}

    @property
    def resolution(self) -> Resolution:
        if self.turn.outcome is None:
            raise RuntimeError("the turn is not resolved")
        return msgspec.json.decode(self.turn.outcome, type=Resolution)

    @property
    def outcome(self) -> OutcomeResolved:
        outcome = self.resolution.outcome
        if outcome is None:
            raise RuntimeError("the turn is not resolved")
        return outcome

    @property
    def manifest(self) -> Manifest:
        if self.turn.manifest is None:
            raise RuntimeError("the turn has no context yet")
        return _read_manifest(self.turn.manifest)

    @property
    def prose(self) -> Prose:
        if self.turn.prose is None:
            raise RuntimeError("the turn is not told yet")
        return msgspec.json.decode(self.turn.prose, type=Prose)


@lru_cache(maxsize=16)
def _read_manifest(text: str) -> Manifest:
    """Asked for by every step after the first."""
    return msgspec.json.decode(text, type=Manifest)


def encode(value: msgspec.Struct) -> str:
    return msgspec.json.encode(value).decode()
