"""What a seat asks for, carried out: every intent has the power it takes, and the others at the table hear what concerns them."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
import structlog
from sqlalchemy import Connection

from talekeeper.canon.view import CanonView
from talekeeper.doors.common import turn_order
from talekeeper.doors.common.audience import Audience
from talekeeper.doors.common.house import House
from talekeeper.doors.common.limits import Limits
from talekeeper.doors.common.seats import Power, Seat, get_seat
from talekeeper.doors.common.whispers import Whisper, whisper
from talekeeper.errors import BadInput, NotAllowed
from talekeeper.loops import answers
from talekeeper.loops.command_line import Ask, read_line
from talekeeper.loops.intents import (
    Act,
    AnyIntent,
    Backtrack,
    Bound,
    Decide,
    Direct,
    Edit,
    EndScene,
    Fork,
    Intent,
    Retry,
    Roll,
    Stop,
    Switch,
    XCard,
)
from talekeeper.loops.joining import bring_back
from talekeeper.loops.scene import commands, travel
from talekeeper.loops.scene.acceptance import clean_action
from talekeeper.timeline.lineage import path
from talekeeper.timeline.turns import find_by_idem
from talekeeper.timeline.vocabulary import ProposalDecided, RollMade
from talekeeper.timeline.worlds import get_world

log = structlog.get_logger("talekeeper.table")


class Told(msgspec.Struct, frozen=True):
    """A turn has been accepted and is being told."""

    turn: str


class Arrived(msgspec.Struct, frozen=True):
    timeline: str
    turn_number: int


class Rolled(msgspec.Struct, frozen=True):
    made: RollMade


class Decided(msgspec.Struct, frozen=True):
    decision: ProposalDecided


class Answered(msgspec.Struct, frozen=True):
    what: str
    rows: list[tuple[str, str]]


class Done(msgspec.Struct, frozen=True):
    message: str


Result = Told | Arrived | Rolled | Decided | Answered | Done

TAKES: dict[type, Power] = {
    Act: "play", Stop: "play", Roll: "play", XCard: "play", Bound: "play",
    Retry: "run", Edit: "run", Backtrack: "run", Fork: "run", Switch: "run", EndScene: "run", Decide: "run",
    Direct: "run",
}  # fmt: skip

_ASKING: dict[str, Power] = {"canon": "play", "why": "play", "memories": "play", "proposals": "run"}


class Table:
    """One for all worlds of a house."""

    def __init__(self, house: House, audience: Audience, limits: Limits) -> None:
        self._house = house
        self._audience = audience
        self._limits = limits

    async def line(self, seat: Seat, text: str, idem: str | None = None) -> Result:
        """A line as a player types it, /commands included."""
        wish = read_line(seat.world, text)
        if isinstance(wish, Ask):
            return await self.answer(seat, wish)
        if isinstance(wish, Act) and idem is not None:
            wish = msgspec.structs.replace(wish, idem=idem)
        return await self.carry_out(seat, wish)

    async def carry_out(self, seat: Seat, wish: AnyIntent) -> Result:
        if type(wish) not in TAKES:
            raise BadInput("That cannot be asked for here.")
        match wish:
            case Act():
                return await self.act(seat, wish)
            case Retry():
                return await self.retry(seat, wish)
        wish = _asked_by(seat, wish)
        match wish:
            case Stop():
                stopped = await self._house.scenes.stop(wish)
                return Done("Stopped; what was told stands." if stopped else "Nothing was being told.")
            case Backtrack():
                return await self._travelled(seat, await self._house.command(travel.backtrack, wish))
            case Fork():
                return await self._travelled(seat, await self._house.command(travel.fork_timeline, wish))
            case Switch():
                return await self._travelled(seat, await self._house.command(travel.switch, wish))
            case XCard():
                return await self._x_card(seat, wish)
            case Bound():
                await self._house.command(commands.draw_boundary, wish)
                return Done(commands.BOUND)
        return await self._at_the_desk(seat, wish)

    async def act(self, seat: Seat, wish: Act) -> Told:
        # A key is one seat's own: what another seat sent under the same key is another action.
        key = f"{seat.id}:{wish.idem}" if wish.idem is not None else None
        wish = msgspec.structs.replace(_asked_by(seat, wish), actor=seat.actor or None, idem=key)
        again, mode = await self._house.store.read(lambda conn: _expected(conn, seat, key))
        if not again:
            self._limits.count("turn", f"{seat.world}/{seat.id}")
            if seat.actor:
                await self._house.store.write(lambda conn: _be_there(conn, self._house, seat))
        running = await self._house.scenes.act(wish)
        log.info("turn_accepted", world=seat.world, turn=running.turn, seat=seat.id, again=again)
        if not again and mode != "free":
            await self._pass_on(seat)
        return Told(running.turn)

    async def _pass_on(self, seat: Seat) -> None:
        order = await self._house.store.write(lambda conn: turn_order.pass_on(conn, seat))
        if order is not None:
            self._audience.tell(seat.world, "order", mode=order.mode, current=order.current)

    async def whisper(self, seat: Seat, to: str, text: str) -> Whisper:
        """To one seat; only that one and the whisperer's own screens receive it."""
        seat.check("play")
        self._limits.count("message", f"{seat.world}/{seat.id}")
        text = clean_action(text)
        if to == seat.id:
            raise BadInput("You would be talking to yourself.", "Choose another seat.")

        def keep(conn: Connection) -> Whisper:
            get_seat(conn, seat.world, to)
            return whisper(conn, seat.world, seat.id, to, text, self._house.services.clock())

        said = await self._house.store.write(keep)
        self._audience.tell(
            seat.world, "whisper", recipients=(seat.id, to), id=said.id, by=said.by, name=seat.name, to=said.to,
            text=said.text, at=said.at,
        )  # fmt: skip
        return said

    async def retry(self, seat: Seat, wish: Retry) -> Told:
        running = await self._house.scenes.retry(_asked_by(seat, wish))
        log.info("turn_retold", world=seat.world, turn=running.turn, seat=seat.id)
        self._audience.moved(seat.world, running.turn.partition("#")[0], by=seat.id)
        return Told(running.turn)

    async def _travelled(self, seat: Seat, arrival: travel.Arrival) -> Arrived:
        self._audience.moved(seat.world, arrival.timeline, turn_number=arrival.turn_number, by=seat.id)
        return Arrived(arrival.timeline, arrival.turn_number)

    async def _x_card(self, seat: Seat, wish: XCard) -> Done:
        await self._house.command(commands.play_x_card, wish)
        self._audience.tell(seat.world, "x_card")
        if wish.rewind:
            world = await self._house.store.read(lambda conn: get_world(conn, seat.world))
            self._audience.moved(seat.world, world.active, by=seat.id)
        return Done("The X-card is on the table. The story will leave this alone.")

    async def _at_the_desk(self, seat: Seat, wish: AnyIntent) -> Result:
        match wish:
            case Roll():
                made = await self._house.command(commands.roll_dice, wish)
                eyes = (seat.id,) if wish.secret else ("*",)
                self._audience.tell(
                    seat.world, "rolled", recipients=eyes, by=seat.id, name=seat.name, notation=made.notation,
                    detail=made.detail, total=made.total, secret=made.secret,
                )  # fmt: skip
                return Rolled(made)
            case Decide():
                decision = await self._house.command(commands.decide_proposal, wish)
                self._changed(seat.world)
                return Decided(decision)
            case Edit():
                await self._house.command(commands.edit_narration, wish)
                self._changed(seat.world, edited=wish.event)
                return Done("Corrected.")
            case Direct():
                await self._house.command(commands.give_directive, wish)
                return Done("The narrator has been told.")
            case EndScene():
                scene = await self._house.command(commands.close_scene, wish)
                self._changed(seat.world, scene=scene)
                return Done(f"The scene has ended. {scene} begins.")
        raise BadInput("That cannot be asked for here.")

    def _changed(self, world: str, **what: Any) -> None:
        self._audience.changed(world, **what)

    async def answer(self, seat: Seat, ask: Ask) -> Answered | Done:
        seat.check(_ASKING.get(ask.what, "watch"))
        if ask.what == "quit":
            return Done("Everything is kept. Close the page whenever you like.")

        def look(conn: Connection) -> list[tuple[str, str]]:
            world = get_world(conn, seat.world)
            if ask.what == "memories" and not seat.may("run"):
                whose = answers.whose_memories(conn, path(conn, world.slug, world.active), ask.about)
                check_own_mind(seat, whose, world.player)
            mind = None if seat.may("run") else seat.actor or world.player
            return answers.answer(conn, world, ask, mind=mind)

        rows = await self._house.store.read(look)
        return Answered(ask.what, rows) if rows else Done(answers.NOTHING[ask.what])


def _expected(conn: Connection, seat: Seat, key: str | None) -> tuple[bool, turn_order.Mode]:
    """Whether this very request has been taken before; if not, whether it is this seat's turn."""
    if key is not None and find_by_idem(conn, seat.world, key) is not None:
        return True, "free"
    turn_order.check_turn(conn, seat)
    return False, turn_order.turn_order(conn, seat.world).mode


def _be_there(conn: Connection, house: House, seat: Seat) -> None:
    """A character who came later than the turn somebody went back to comes again."""
    world = get_world(conn, seat.world)
    if not CanonView(conn, path(conn, world.slug, world.active)).exists(seat.actor):
        bring_back(conn, house.services, world.slug, seat.actor, seat.name, by=seat.id)


W = TypeVar("W", bound=Intent)


def _asked_by(seat: Seat, wish: W) -> W:
    """The wish with the seat that asks written into it, if that seat may."""
    seat.check(TAKES[type(wish)])
    return msgspec.structs.replace(wish, world=seat.world, by=seat.id, role=seat.role)


def check_own_mind(seat: Seat, whose: str, player: str) -> None:
    """A player looks into the head of their own character only."""
    if not seat.may("run") and whose != (seat.actor or player):
        raise NotAllowed("You can look into your own character's memories only.", "The game master can see the others.")
