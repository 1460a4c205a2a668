"""Who and what is alive in a world: people, clocks, threads, the recap and the calendar."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.agents.situate import read_person
from talekeeper.canon.view import CanonView
from talekeeper.doors.common.house import House
from talekeeper.doors.common.seats import Seat
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import TheHouse, Watching
from talekeeper.memory.recaps import recaps
from talekeeper.presets.calendar import DAY, daypart_at, time_name
from talekeeper.timeline.events import read_events
from talekeeper.timeline.ids import WORLD_ENTITY
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.vocabulary import ActionTaken
from talekeeper.timeline.worlds import World, get_world

router = api_router("/worlds/{world}", "the living world")

_LOOK_BACK = 200
"""Actions in which to find what somebody has seen the player do last."""

R = TypeVar("R")


class PersonOut(BaseModel):
    id: str
    name: str
    role: str
    look: str
    mood: str
    status: str
    attitude: str = Field(description="warm, guarded or hostile, towards your character")
    regard: dict[str, int] = Field(description="trust, affection, respect, fear, debt; -100 to 100")
    remembers: str = Field(description="The last thing your character did that this person saw.")
    place_name: str = Field(description="Where they are, if they are with you.")
    present: bool


class ClockOut(BaseModel):
    id: str
    name: str
    filled: int
    size: int


class ThreadOut(BaseModel):
    id: str
    name: str
    about: str
    status: str
    beat: int


class RecapOut(BaseModel):
    turn: str
    scene: str
    text: str


class DaypartOut(BaseModel):
    id: str
    name: str
    starts: int


class CalendarOut(BaseModel):
    now: int = Field(description="Minutes since the world's first midnight.")
    day: int = Field(description="Days since then.")
    minute: int = Field(description="Of the day.")
    time_name: str
    weekday: str
    daypart: str
    weather: str
    weekdays: list[str]
    dayparts: list[DaypartOut]


async def _look(house: House, seat: Seat, look: Callable[[World, CanonView, Connection], R]) -> R:
    def read(conn: Connection) -> R:
        world = get_world(conn, seat.world)
        return look(world, CanonView(conn, path(conn, world.slug, world.active)), conn)

    return await house.store.read(read)


@router.get("/people", summary="The people of the world, those present first")
async def people(seat: Watching, house: TheHouse) -> list[PersonOut]:
    def look(world: World, view: CanonView, conn: Connection) -> list[PersonOut]:
        actor = seat.actor or world.player
        snapshot = latest_snapshot(conn, view.path)
        here = set(snapshot.participants) if snapshot else set()
        everyone = [p for p in view.entities("person") if p != actor]
        view.load(everyone)
        seen = _last_seen(conn, view, actor, set(everyone))
        found = []
        for who in sorted(everyone, key=lambda p: (p not in here, view.name(p).casefold())):
            person = read_person(view, who, actor)
            present = who in here
            found.append(
                PersonOut(
                    id=who, name=person.name, role=person.role, look=person.look, mood=person.mood,
                    status=person.status, attitude=person.attitude, regard=person.regard,
                    remembers=seen.get(who, ""), present=present,
                    place_name=view.name(snapshot.place) if present and snapshot else "",
                )
            )  # fmt: skip
        return found

    return await _look(house, seat, look)


def _last_seen(conn: Connection, view: CanonView, actor: str, wanted: set[str]) -> dict[str, str]:
    seen: dict[str, str] = {}
    events = read_events(conn, view.path, kinds=[ActionTaken.kind], newest_first=True, limit=_LOOK_BACK)
    for event in events:
        if isinstance(event.body, ActionTaken) and event.body.actor == actor:
            seen = {who: event.body.text for who in event.witnesses if who in wanted} | seen
    return seen


@router.get("/clocks", summary="What is drawing nearer")
async def clocks(seat: Watching, house: TheHouse) -> list[ClockOut]:
    def look(_world: World, view: CanonView, _conn: Connection) -> list[ClockOut]:
        subjects = [fact.subj for fact in view.with_predicate("clock_size")]
        view.load(subjects)
        return [
            ClockOut(
                id=c, name=view.text(c, "clock_name") or view.name(c), filled=view.number(c, "clock"),
                size=view.number(c, "clock_size"),
            )
            for c in subjects
        ]  # fmt: skip

    return await _look(house, seat, look)


@router.get("/threads", summary="The open matters of the story")
async def threads(seat: Watching, house: TheHouse) -> list[ThreadOut]:
    def look(_world: World, view: CanonView, _conn: Connection) -> list[ThreadOut]:
        subjects = [fact.subj for fact in view.with_predicate("thread")]
        view.load(subjects)
        return [
            ThreadOut(
                id=t, name=view.name(t), about=view.text(t, "about"), status=view.text(t, "thread") or "open",
                beat=view.number(t, "thread_beat"),
            )
            for t in subjects
        ]  # fmt: skip

    return await _look(house, seat, look)


@router.get("/recap", summary="What has happened so far, oldest first")
async def recap(seat: Watching, house: TheHouse) -> list[RecapOut]:
    def look(_world: World, view: CanonView, conn: Connection) -> list[RecapOut]:
        return [RecapOut(turn=r.turn, scene=r.scene, text=r.text) for r in recaps(conn, view.path, limit=20)]

    return await _look(house, seat, look)


@router.get("/calendar", summary="What day and hour it is there")
async def calendar(seat: Watching, house: TheHouse) -> CalendarOut:
    def look(world: World, view: CanonView, _conn: Connection) -> CalendarOut:
        named = house.services.calendar(world)
        now = view.now
        return CalendarOut(
            now=now, day=now // DAY, minute=now % DAY, time_name=time_name(named, now),
            weekday=named.weekdays[now // DAY % len(named.weekdays)], daypart=daypart_at(named, now).name,
            weather=view.text(WORLD_ENTITY, "weather"), weekdays=list(named.weekdays),
            dayparts=[DaypartOut(id=p.id, name=p.name, starts=p.starts) for p in named.dayparts],
        )  # fmt: skip

    return await _look(house, seat, look)
