"""What the operator's console asks for: what is heard and thought, held lines, hushes, clips, seeds, themes."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from talekeeper.agents.companion.dashboard import Dashboard, GeneratorInput, generate, merge, validate
from talekeeper.agents.companion.librarian import long_themes
from talekeeper.agents.companion.scribe import BlogSeed, blog_seeds, draft
from talekeeper.doors.stream import admin_bodies as bodies
from talekeeper.doors.stream.admin_route import REFUSALS, AdminRoute, Refused
from talekeeper.doors.stream.admittance import Admittance
from talekeeper.doors.stream.feed import encode
from talekeeper.doors.stream.gated import say_as_companion
from talekeeper.doors.stream.keeper import Keeper, decision_body, line_body
from talekeeper.doors.stream.moments import iso
from talekeeper.doors.stream.sessions import Companion
from talekeeper.errors import NotFound
from talekeeper.loops.companion.actions import Action, actions_of, find_action, mark, read_clip
from talekeeper.loops.companion.hearing import flags_of, lines_of
from talekeeper.loops.companion.ledger import people_of
from talekeeper.loops.companion.session import sessions_of
from talekeeper.loops.companion.speaking import decisions_of

Answer = dict[str, Any]
Id = Annotated[str, Field(min_length=1, max_length=100)]


class HushIn(BaseModel):
    minutes: float = Field(default=30.0, ge=0, le=1440, allow_inf_nan=False)


class ApproveIn(BaseModel):
    id: Id
    text: str | None = Field(default=None, max_length=1000)


class RefuseIn(BaseModel):
    id: Id


class MarkerIn(BaseModel):
    clip_id: Id


class StreamerIn(BaseModel):
    talking: bool = Field(description="Whether the streamer speaks now, as OBS hears it.")


class GenerateIn(BaseModel):
    game: str = Field(default="", max_length=2000)
    mood: str = Field(default="", max_length=2000)
    familiarity: str = Field(default="", max_length=2000)
    recent_experience: str = Field(default="", max_length=2000)
    start_time: str = Field(default="", max_length=200)


class DraftIn(BaseModel):
    id: Id


def companion_routes(companion: Companion, admittance: Admittance) -> APIRouter:
    def admitted(request: Request) -> None:
        admittance.check(request)
        if not companion.started:
            raise Refused(503, "not_initialised")

    router = APIRouter(
        prefix="/admin/companion", tags=["stream console"], route_class=AdminRoute, dependencies=[Depends(admitted)],
        responses=REFUSALS,
    )  # fmt: skip

    def stamped(**body: Any) -> Answer:
        return bodies.stamped(companion, body)

    @router.get("/feed", summary="Everything as it happens, as server-sent events")
    async def feed() -> StreamingResponse:
        keeper = companion.current_or_none()
        first: list[bytes] = []
        if keeper is not None:
            first.append(encode("status", await bodies.stream_status(companion)))
            first += [encode("line", line_body(one.line, one.flag)) for one in keeper.room.shown]
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        channel = keeper.session.channel if keeper else ""
        return StreamingResponse(companion.feed.watch(first, channel), media_type="text/event-stream", headers=headers)

    @router.get("/decisions", summary="Why it spoke, and why it did not")
    async def decisions() -> Answer:
        session = companion.current().session
        found = await companion.house.store.read(lambda conn: decisions_of(conn, session))
        return stamped(decisions=[decision_body(one) for one in reversed(found)])

    @router.get("/flags", summary="What the Warden flagged")
    async def flags() -> Answer:
        session = companion.current().session
        found, lines = await companion.house.store.read(
            lambda conn: (flags_of(conn, session), {line.id: line for line in lines_of(conn, session, 5000)})
        )
        return stamped(
            flags=[
                {
                    "id": line.id, "at": iso(line.at), "name": line.name, "text": line.text,
                    "severity": found[line.id].severity, "reason": found[line.id].reason,
                }
                for line in lines.values()
                if line.id in found
            ]
        )  # fmt: skip

    @router.get("/hush", summary="Until when it is silent")
    async def hushed() -> Answer:
        keeper = companion.current()
        return stamped(hushed_until=iso(keeper.session.hushed_until) if keeper.hushed else None)

    @router.post("/hush", summary="Silence it for some minutes; 0 lets it speak again")
    async def hush(given: HushIn) -> Answer:
        keeper = companion.current()
        until = await keeper.hush(given.minutes, "the operator")
        return stamped(hushed_until=iso(until) if given.minutes else None)

    @router.get("/held", summary="Lines that wait for the operator")
    async def held() -> Answer:
        keeper = companion.current()
        return stamped(
            held=[
                {"id": one.id, "text": one.text, "reason": one.reason, "at": iso(one.at)}
                for one in await _actions(keeper, "response", ("held",))
            ]
        )

    @router.post("/approve", summary="Let a held line be said, perhaps in other words")
    async def approve(given: ApproveIn) -> Answer:
        keeper = companion.current()
        async with keeper.approving:
            action = await _held(keeper, given.id)
            delivery = await say_as_companion(
                keeper, given.text or action.text, action.mode, action.reason, action_id=action.id,
                context_hash=action.context_hash,
            )  # fmt: skip
        return stamped(status="approved", **bodies.delivery_body(delivery))

    @router.post("/refuse", summary="Let a held line go unsaid")
    async def refuse(given: RefuseIn) -> Answer:
        keeper = companion.current()
        async with keeper.approving:
            action = await _held(keeper, given.id)
            refused = {"state": "dropped", "approved_by": "nobody: the operator refused it"}
            await companion.house.store.write(lambda conn: mark(conn, action.id, **refused))
        return stamped(status="refused", id=action.id)

    @router.get("/actions", summary="Everything it did in this session, and what became of its lines")
    async def actions() -> Answer:
        session = companion.current().session
        found = await companion.house.store.read(lambda conn: actions_of(conn, session.id, limit=500))
        shown = ("id", "type", "mode", "text", "reason", "state", "context_hash", "approved_by")
        return stamped(
            actions=[
                {
                    **{name: getattr(one, name) for name in shown},
                    "at": iso(one.at),
                    "why": one.about if one.type == "response" else "",
                }
                for one in found
            ]
        )

    @router.get("/clips", summary="Moments that may be clips")
    async def clips() -> Answer:
        return stamped(clips=[_clip(one) for one in await _actions(companion.current(), "clip")])

    @router.post("/markers", summary="Set a stream marker where a clip is")
    async def markers(given: MarkerIn) -> Answer:
        keeper = companion.current()
        clip = next((one for one in await _actions(keeper, "clip") if one.id == given.clip_id), None)
        if clip is None:
            raise NotFound("clip_not_found")
        await keeper.mouth.set_marker(clip.text)
        await companion.house.store.write(lambda conn: mark(conn, clip.id, state="marked", approved_by="operator"))
        return stamped(status="marker_set", clip=_clip(msgspec.structs.replace(clip, state="marked")))

    @router.get("/blog-seeds", summary="Threads one might write about")
    async def seeds() -> Answer:
        found = await _seeds(companion)
        return stamped(
            seeds=[{"id": str(n), "topic": s.topic, "description": s.description} for n, s in enumerate(found)]
        )

    @router.post("/blog-seeds/draft", summary="A first draft about one of them")
    async def draft_seed(given: DraftIn) -> Answer:
        keeper = companion.current()
        found = await _seeds(companion)
        if not given.id.isdecimal() or int(given.id) >= len(found):
            raise NotFound("seed_not_found")
        seed = found[int(given.id)]
        people = await companion.house.store.read(
            lambda conn: people_of(conn, keeper.session, companion.settings.silent_names)
        )
        text = await draft(seed, people, keeper.model, channel=keeper.session.channel, bot=companion.settings.bot)
        return stamped(topic=seed.topic, draft=text)

    @router.get("/themes", summary="What the channel came back to, stream after stream")
    async def themes() -> Answer:
        channel = companion.current().session.channel
        past = await companion.house.store.read(lambda conn: sessions_of(conn, channel))
        found = long_themes((session.started_at, (session.theme,)) for session in past)
        return stamped(themes=[{"theme": one.theme, "sessions": one.sessions, "last": iso(one.last)} for one in found])

    @router.post("/dashboard/generate", summary="A dashboard from a few words; nothing is saved")
    async def generate_(given: GenerateIn) -> Answer:
        answers = GeneratorInput(
            game=given.game, mood=given.mood, familiarity=given.familiarity, experience=given.recent_experience,
            start_time=given.start_time,
        )  # fmt: skip
        made = msgspec.to_builtins(generate(answers))
        return stamped(dashboard={name: value for name, value in made.items() if not name.endswith("_at")})

    @router.post("/dashboard/validate", summary="What is amiss with a dashboard; nothing is saved")
    async def validate_(given: dict[str, Any]) -> Answer:
        made = merge(Dashboard(raw_markdown="-"), given)
        faults = validate(made)
        return stamped(valid=not faults, faults=faults)

    @router.post("/live-status/refresh", summary="Ask again whether the channel is live")
    async def refresh() -> Answer:
        return stamped(live_status=(await bodies.twitch_body(companion, force=True))["live_status"])

    @router.post("/streamer", summary="Whether the streamer is talking: an optional signal, such as from OBS")
    async def streamer(given: StreamerIn) -> Answer:
        keeper = companion.current()
        keeper.streamer(talking=given.talking)
        return stamped(talking=given.talking)

    return router


async def _actions(keeper: Keeper, type_: Any, states: tuple[str, ...] | None = None) -> list[Action]:
    return await keeper.house.store.read(lambda conn: actions_of(conn, keeper.session.id, (type_,), states=states))


async def _held(keeper: Keeper, id_: str) -> Action:
    """A line that still waits for the operator."""
    action = await keeper.house.store.read(lambda conn: find_action(conn, keeper.session.id, id_))
    if action is None or action.state != "held":
        raise NotFound("line_not_found")
    return action


async def _seeds(companion: Companion) -> list[BlogSeed]:
    session = companion.current().session
    silent = companion.settings.silent_names
    return await companion.house.store.read(lambda conn: blog_seeds(people_of(conn, session, silent), session.theme))


def _clip(action: Action) -> Answer:
    clip = read_clip(action)
    return {
        "id": action.id, "start": iso(clip.start), "peak": iso(clip.peak), "end": iso(clip.end), "reason": action.text,
        "approved": action.state == "marked",
    }  # fmt: skip
