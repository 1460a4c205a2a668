"""The events of a world file: each one checked, stored in batches, and its derived rows made again."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, insert

from talekeeper.canon.authority import check_decision, check_staging
from talekeeper.canon.predicates import PREDICATES
from talekeeper.errors import TalekeeperError
from talekeeper.loops.world_file.ancestry import Ancestry
from talekeeper.loops.world_file.lines import EventLine, TimelineLine
from talekeeper.loops.world_file.reader import Unsound
from talekeeper.timeline.append import Appender
from talekeeper.timeline.events import event_table, to_row
from talekeeper.timeline.ids import parse_event_id, parse_turn_id
from talekeeper.timeline.vocabulary import (
    Body,
    Claim,
    Event,
    ProposalDecided,
    ProposalStaged,
    SceneOpened,
    WorldCreated,
    decode_body,
    encode_body,
    is_kind,
)
from talekeeper.timeline.worlds import World

_BATCH = 500
_KNOWN_V = 1
_INT64 = range(-(2**63), 2**63)
_MOST_KEY = 500


class EventIntake:
    """Events come timeline by timeline, in order and without gaps, or not at all."""

    def __init__(self, conn: Connection, appender: Appender, world: World, ancestry: Ancestry) -> None:
        self._conn = conn
        self._appender = appender
        self._world = world
        self._ancestry = ancestry
        self._waiting = iter(ancestry.timelines.values())
        self._timeline: TimelineLine | None = None
        self._reached = 0
        self._batch: list[Event] = []
        self.scenes: dict[str, tuple[str, int]] = {}
        """Every scene with the event that opened it."""

    def take(self, line: EventLine) -> None:
        while self._timeline is None or (self._timeline.id != line.timeline and self._reached == self._timeline.head):
            self._next_timeline()
        self._reached += 1
        if (line.timeline, line.seq) != (self._timeline.id, self._reached) or self._reached > self._timeline.head:
            raise Unsound(f"event {line.timeline}@{line.seq} stands where {self._timeline.id}@{self._reached} belongs")
        try:
            self._batch.append(self._event(line))
        except RecursionError as error:
            raise Unsound("it is nested too deeply") from error
        except TalekeeperError as error:
            raise Unsound(error.message.rstrip(".")) from error
        except ValueError as error:
            raise Unsound(f"it does not read: {error}") from error
        if len(self._batch) >= _BATCH:
            self._flush()

    def end(self) -> None:
        while self._timeline is None or self._reached == self._timeline.head:
            if self._timeline is not None and self._timeline.id == f"t{len(self._ancestry.timelines)}":
                self._flush()
                return
            self._next_timeline()
        raise Unsound(f"the events of {self._timeline.id} end at {self._reached} instead of {self._timeline.head}")

    def _next_timeline(self) -> None:
        self._flush()
        self._timeline = next(self._waiting, None)
        if self._timeline is None:
            raise Unsound("it is an event of no timeline")
        self._reached = self._timeline.fork_seq

    def _flush(self) -> None:
        if self._batch and self._timeline is not None:
            self._conn.execute(insert(event_table), [to_row(event) for event in self._batch])
            self._appender.project_again(self._conn, self._ancestry.paths[self._timeline.id], self._batch)
            self._batch.clear()

    def _event(self, line: EventLine) -> Event:
        if not is_kind(line.kind) or line.v != _KNOWN_V:
            raise Unsound(f"it is a {line.kind} event (v{line.v}), which this Talekeeper does not know")
        if line.turn is not None and parse_turn_id(line.turn)[0] != line.timeline:
            raise Unsound(f"event {line.timeline}@{line.seq} is of the turn {line.turn}, on another timeline")
        if line.cause is not None:
            parse_event_id(line.cause)
        body = _body(line)
        self._check(line, body)
        return Event(
            world=self._world.slug, timeline=line.timeline, seq=line.seq, kind=line.kind, v=line.v, at=line.at,
            story_time=line.story_time, scene=line.scene, turn=line.turn, by=line.by, place=line.place,
            witnesses=line.witnesses, cause=line.cause, body=body, idem=line.idem,
        )  # fmt: skip

    def _check(self, line: EventLine, body: Body) -> None:
        if (line.timeline == "t1" and line.seq == 1) != isinstance(body, WorldCreated):
            raise Unsound("a world is created once, by its first event")
        match body:
            case WorldCreated(seed=seed, preset=preset, rules=rules, player=player):
                world = self._world
                if (seed, preset, rules, player) != (world.seed, world.preset, world.rules, world.player):
                    raise Unsound("the header tells of another world than its first event")
            case SceneOpened(scene=scene):
                self.scenes[scene] = (line.timeline, line.seq)
            case ProposalStaged(role=role, claims=claims):
                check_staging(role, claims)
            case ProposalDecided(role=role, claims=claims, decision="accepted"):
                check_decision(role, claims)
                _check_claims(claims)


def _body(line: EventLine) -> Body:
    """As this Talekeeper writes it; what it would lose, it does not take."""
    raw = bytes(line.body)
    body = decode_body(line.kind, raw)
    if encode_body(body).encode() != raw:
        known = {field.encode_name for field in msgspec.structs.fields(type(body))}
        unknown = msgspec.json.decode(raw, type=dict[str, msgspec.Raw]).keys() - known
        if unknown:
            raise Unsound(f"the {line.kind} event says {min(unknown)[:80]!r}, which this Talekeeper does not know")
    return body


def _check_claims(claims: tuple[Claim, ...]) -> None:
    """What canon itself could not have stored: the projections rely on it."""
    keys = {(claim.subj, claim.pred, claim.slot) for claim in claims}
    if len(keys) != len(claims):
        raise Unsound("it decides two things at once about the same fact")
    for claim in claims:
        if claim.pred not in PREDICATES:
            raise Unsound(f"{claim.pred[:60]!r} is not something canon can say")
        if max(len(claim.subj), len(claim.slot)) > _MOST_KEY:
            raise Unsound("the name of a fact is too long")
        if any(moment is not None and moment not in _INT64 for moment in (claim.valid_from, claim.valid_to)):
            raise Unsound("a fact holds beyond the end of time")
