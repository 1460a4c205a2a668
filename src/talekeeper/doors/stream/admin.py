"""The admin API: sessions, tests of the companion, previews, dashboards, ledgers, and how everything stands."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import PlainTextResponse, Response

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.style import clean
from talekeeper.chronicle.ledger import markdown
from talekeeper.doors.stream import admin_bodies as bodies
from talekeeper.doors.stream.admin_route import REFUSALS, AdminRoute, Refused
from talekeeper.doors.stream.admittance import Admittance
from talekeeper.doors.stream.answering import show
from talekeeper.doors.stream.gated import say_as_companion
from talekeeper.doors.stream.hearth import written
from talekeeper.doors.stream.listening import take
from talekeeper.doors.stream.moments import iso
from talekeeper.doors.stream.sessions import Companion
from talekeeper.doors.stream.shadow import try_loop
from talekeeper.doors.stream.ticks import checked_interval
from talekeeper.errors import BadInput, NotFound
from talekeeper.loops.companion import dashboards
from talekeeper.observe.ids import random_id

SessionForm = Annotated[str, Form(max_length=200)]
SessionQuery = Annotated[str, Query(max_length=200)]
Answer = dict[str, Any]

MARKDOWN = "text/markdown"
NO_DASHBOARD = "dashboard_not_found"
MOST_MESSAGE = 100_000


def admin_routes(companion: Companion, admittance: Admittance) -> APIRouter:
    def admitted(request: Request) -> None:
        admittance.check(request)
        if not companion.started:
            raise Refused(503, "not_initialised")

    router = APIRouter(
        prefix="/admin", tags=["stream"], route_class=AdminRoute, dependencies=[Depends(admitted)], responses=REFUSALS
    )

    def stamped(**body: Any) -> Answer:
        return bodies.stamped(companion, body)

    @router.post("/session/start", summary="Open a channel's session, or find the one that is open")
    async def start(channel_name: Annotated[str, Form(max_length=200)]) -> Answer:
        keeper = await companion.open(channel_name)
        return stamped(session_id=keeper.session.id, channel=keeper.session.channel, status="active")

    @router.post("/session/end", summary="End a session and write its ledger")
    async def end(session_id: SessionForm) -> Answer:
        session = await companion.end((await companion.session(session_id)).id, "ended by the operator")
        return stamped(status="ended", session_id=session.id, ledger_path=session.ledger or None)

    @router.post("/test-message", summary="A line as if somebody had written it; the answer is shown, not posted")
    async def test_message(
        session_id: SessionForm,
        message: Annotated[str, Form(max_length=MOST_MESSAGE)],
        username: Annotated[str, Form(max_length=100)] = "test_user",
    ) -> Answer:
        keeper = companion.get(session_id)
        name = clean(username) or "test_user"
        if not clean(message):
            raise BadInput("An empty line is no line.")
        line = ChatLine(id=f"test-{random_id()}", name=name.lower(), text=message, at=keeper.now, display=name)
        heard, command = take(keeper, line)
        if heard.durable is not None:
            await heard.durable
        text = None
        if command is not None and heard.flag is None and not keeper.hushed:
            text = await show(keeper, heard.line, command)
        taken = [*heard.actions_taken, *(["STEWARD_REPLY"] if text else [])]
        return stamped(agent_response=text, actions_taken=taken)

    @router.post("/test-agent-response", summary="Say something as the companion")
    async def test_agent_response(
        session_id: SessionForm,
        message: Annotated[str, Form(max_length=MOST_MESSAGE)],
        mode: Annotated[str, Form(pattern=r"^[a-z_]{1,40}$")] = "admin",
    ) -> Answer:
        delivery = await say_as_companion(companion.get(session_id), message, mode, "said by the operator")
        return stamped(status="agent_response_emitted", delivery=bodies.delivery_body(delivery))

    @router.post("/test-loop-inactivity", summary="Try the loop on a copy of the session; nothing is posted or changed")
    async def test_loop(session_id: SessionForm, inactive_minutes: Annotated[int, Form(ge=1, le=1440)] = 16) -> Answer:
        result = await try_loop(companion.get(session_id), inactive_minutes)
        return stamped(status="passed" if result["passed"] else "failed", result=result)

    @router.post("/hearthkeeper/preview", summary="What it would say now; nothing is posted or recorded")
    async def preview(session_id: Annotated[str | None, Form(max_length=200)] = None) -> Answer:
        keeper = companion.get(session_id) if session_id else companion.current()
        live = await keeper.mouth.reach.status.get()
        decision = keeper.decide(live=live.is_live)
        meant = decision if decision.speak else msgspec.structs.replace(decision, speak=True, reason="inactive_chat")
        observation = await written(keeper, meant)
        shown = {
            "generated": observation is not None, "session_id": keeper.session.id,
            "agent_response": observation.text if observation else None, "theme": keeper.session.theme or None,
            "dashboard": bodies.dashboard_body(keeper.session, keeper.dashboard),
            "recent_discussion": [bodies.line_as_said(line) for line in list(keeper.room.people)[-5:]],
        }  # fmt: skip
        return stamped(
            status="preview_generated", preview=shown, live_status=bodies.live_body(live),
            would_post_now=observation is not None and decision.speak and keeper.mouth.connected,
        )  # fmt: skip

    @router.post("/session/dashboard", summary="Save the dashboard of a session; only what is given is replaced")
    async def save_dashboard(request: Request) -> Answer:
        given = await _json(request)
        session_id = given.pop("session_id", None)
        if not isinstance(session_id, str) or not session_id:
            raise Refused(400, "session_id is required")
        keeper = companion.get(session_id)
        saved = await keeper.save_dashboard(given)
        return stamped(status="dashboard_saved", dashboard=bodies.dashboard_body(keeper.session, saved))

    @router.get("/session/dashboard", summary="The dashboard of a session")
    async def session_dashboard(session_id: SessionQuery) -> Answer:
        session = await companion.session(session_id)
        found = bodies.dashboard_body(session, dashboards.read(session))
        if found is None:
            raise NotFound(NO_DASHBOARD)
        return stamped(dashboard=found)

    @router.post("/stream/dashboard", summary="Save the dashboard of the current session")
    async def save_current(request: Request) -> Answer:
        keeper = companion.current()
        given = await _json(request)
        given.pop("session_id", None)
        saved = await keeper.save_dashboard(given)
        body = bodies.dashboard_body(keeper.session, saved)
        return stamped(status="dashboard_saved", session_id=keeper.session.id, dashboard=body)

    @router.get("/stream/dashboard", summary="The dashboard of the current session")
    async def current_dashboard() -> Answer:
        keeper = companion.current()
        found = bodies.dashboard_body(keeper.session, keeper.dashboard)
        if found is None:
            raise NotFound(NO_DASHBOARD)
        return stamped(session_id=keeper.session.id, dashboard=found)

    @router.get("/ledger", summary="The ledger of a session, as it stands", response_model=None)
    async def ledger(request: Request, session_id: SessionQuery) -> Answer | Response:
        text = markdown(await companion.ledger(session_id))
        if MARKDOWN in request.headers.get("accept", ""):
            return PlainTextResponse(text, media_type=f"{MARKDOWN}; charset=utf-8")
        return stamped(session_id=session_id, ledger=text)

    @router.get("/session/status", summary="How a session stands")
    async def session_status(session_id: SessionQuery) -> Answer:
        session = await companion.session(session_id)
        return bodies.stamped(companion, bodies.session_status(session, companion.house.services.clock()))

    @router.get("/stream/status", summary="How everything stands")
    async def stream_status() -> Answer:
        return bodies.stamped(companion, await bodies.stream_status(companion))

    @router.get("/loop/status", summary="How often it looks")
    async def loop_status() -> Answer:
        return bodies.stamped(companion, bodies.loop_body(companion))

    @router.post("/loop/frequency", summary="Change how often it looks")
    async def loop_frequency(interval_seconds: Annotated[str, Form(max_length=400)] = "") -> Answer:
        try:
            companion.loop.set_interval(checked_interval(interval_seconds))
        except BadInput as error:
            raise Refused(400, str(error)) from error
        return stamped(status="loop_frequency_updated", interval_seconds=companion.loop.interval)

    @router.get("/twitch/status", summary="How the chat is reached")
    async def twitch_status() -> Answer:
        return bodies.stamped(companion, await bodies.twitch_body(companion))

    @router.post("/twitch/offline-test-mode", summary="Let it post though the channel is not live, for a while")
    async def offline_test_mode(enabled: Annotated[bool, Form()]) -> Answer:
        await companion.switch_test_mode(on=enabled)
        gate = companion.gate
        return stamped(
            status="offline_chat_test_mode_updated", offline_chat_test_mode=gate.test_mode, warning=gate.warning,
            expires_at=iso(gate.expires_at),
        )  # fmt: skip

    return router


async def _json(request: Request) -> dict[str, Any]:
    try:
        given = msgspec.json.decode(await request.body())
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(400, "The body is not JSON.") from error
    if not isinstance(given, dict):
        raise Refused(400, "The body is not a JSON object.")
    return given
