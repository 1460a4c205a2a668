"""The HTTP application: doors on one engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager

from fastapi import FastAPI
from pydantic import SecretStr
from starlette.middleware.cors import CORSMiddleware

from talekeeper import __version__
from talekeeper.app.engine import Engine
from talekeeper.app.game_door import game_hub
from talekeeper.app.models import STORYTELLER
from talekeeper.app.settings import Settings
from talekeeper.app.stream_door import admittance, stream_companion
from talekeeper.doors.common import problems
from talekeeper.doors.common.audience import Audience
from talekeeper.doors.common.gate import Gate
from talekeeper.doors.common.hosts import Hosts
from talekeeper.doors.common.keys import signing_key
from talekeeper.doors.common.limits import Limits
from talekeeper.doors.common.lookout import keep_looking
from talekeeper.doors.common.table import Table
from talekeeper.doors.common.threshold import Threshold
from talekeeper.doors.common.traffic import process_traffic
from talekeeper.doors.fleet.routes import fleet_routes
from talekeeper.doors.game.routes import GameRoute
from talekeeper.doors.stream.admin import admin_routes
from talekeeper.doors.stream.companion_routes import companion_routes
from talekeeper.doors.stream.pages import stream_pages
from talekeeper.doors.stream.sessions import Companion
from talekeeper.doors.web.api import api_routes
from talekeeper.doors.web.health import health_routes
from talekeeper.doors.web.page import STATIC, page_routes
from talekeeper.doors.web.preferences import Preferences, SettingOut
from talekeeper.doors.web.reference import reference_routes
from talekeeper.doors.web.socketio_door import SocketIODoor
from talekeeper.llm.model import Message, ModelRequest


def build_server(
    engine: Engine, sources: Mapping[str, str] | None = None, *, companion: Companion | None = None
) -> FastAPI:
    """The engine is started and closed with the server. `sources` says where each setting came from."""
    settings = engine.settings
    key = _key(settings)
    companion = companion or stream_companion(engine)
    admitted = admittance(engine, key)
    audience = Audience(engine.tasks)
    limits = Limits(requests=settings.limits_requests, turns=settings.limits_turns)
    engine.scenes.onlookers.append(audience.begun)
    table = Table(engine, audience, limits)
    gate = Gate(engine.store, engine.services.clock, key, accounts=settings.auth == "accounts")
    hosts = Hosts(settings.server_host, settings.server_allowed_origins)
    traffic = process_traffic()
    door = SocketIODoor(
        engine, gate, table, audience, limits, hosts, traffic,
        ping_interval=settings.server_socket_ping_interval, ping_timeout=settings.server_socket_ping_timeout,
    )  # fmt: skip

    hub = game_hub(engine)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await engine.start()
        await hub.start()
        await companion.start()
        engine.tasks.spawn(engine.scenes.warm(), "warm")
        engine.tasks.spawn(keep_looking(engine.store, audience), "lookout")
        try:
            yield
        finally:
            await say_goodbye(app)
            await engine.close()

    app = FastAPI(title="Talekeeper", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.house = engine
    app.state.audience = audience
    app.state.limits = limits
    app.state.table = table
    app.state.gate = gate
    app.state.traffic = traffic
    app.state.socketio = door
    app.state.game = hub
    app.state.companion = companion
    app.state.registration = settings.accounts_registration
    app.state.preferences = _preferences(engine, sources or {})
    problems.install(app, debug=settings.server_debug)
    if hosts.origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=sorted(hosts.origins), allow_methods=["*"], allow_headers=["*"],
            allow_credentials=True, expose_headers=["x-request-id", "retry-after"],
        )  # fmt: skip
    app.add_middleware(Threshold, hosts=hosts, limits=limits, traffic=traffic)
    awake = {
        "loops": lambda: engine.scenes.is_warm,
        "worker": lambda: engine.tasks.runs("effects"),
        "models": lambda: engine.models.provider == STORYTELLER or engine.models.of("narrator") is not None,
    }
    # Put side by side, not included: an included router is worked out anew, and asked twice for every request.
    app.router.routes += [
        *health_routes(engine, awake).routes,
        *api_routes(),
        *reference_routes().routes,
        *page_routes().routes,
        GameRoute(hub),
        *fleet_routes(engine, key).routes,
        *admin_routes(companion, admitted).routes,
        *companion_routes(companion, admitted).routes,
        *stream_pages(STATIC, admitted, limits, companion.current_theme, companion.ledger).routes,
    ]
    app.mount("/socket.io", door.app)
    return app


async def say_goodbye(app: FastAPI) -> None:
    """Everybody who watches is let go, before the server waits for what is still open."""
    app.state.audience.close()
    await app.state.socketio.close()
    await app.state.game.close()
    await app.state.companion.close()


def _key(settings: Settings) -> bytes:
    given = settings.server_secret_key
    return signing_key(given.get_secret_value() if given else None, settings.key_file)


def _preferences(engine: Engine, sources: Mapping[str, str]) -> Preferences:
    def listed() -> list[SettingOut]:
        return [
            SettingOut(
                name=name,
                value=_shown(getattr(engine.settings, name)),
                source=sources.get(name, "default"),
                about=field.description or "",
            )
            for name, field in Settings.model_fields.items()
        ]

    async def first_words() -> AsyncIterator[str]:
        model = engine.models.of("narrator")
        if model is None:
            yield engine.services.teller.name
            return
        asked = ModelRequest(messages=(Message("user", "Say one short sentence about the weather."),), max_tokens=40)
        async with aclosing(model.stream(asked)) as stream:
            async for delta in stream:
                if delta.text:
                    yield delta.text

    return Preferences(__version__, lambda: engine.services.teller.name, listed, first_words)


def _shown(value: object) -> str | int | float | bool | None:
    if isinstance(value, SecretStr):
        return "(set)"
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
