"""A real server on a real socket, a speaker whose words the test decides, and a game that talks to it."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI
from websockets.asyncio.client import ClientConnection, connect

from talekeeper.agents.npc.performance import NpcSpeaker, Performance, Speaking
from talekeeper.agents.npc.storyteller import NpcStoryteller
from talekeeper.app.engine import Engine
from talekeeper.app.settings import Settings
from talekeeper.doors.game.hub import Hub
from talekeeper.doors.game.limits import Limits
from talekeeper.doors.game.routes import GameRoute
from talekeeper.llm.model import Completion, Delta, ToolCall, Usage
from talekeeper.testing.house import House
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.vocabulary import DeedDone, LineSpoken, NarrationTold

Json = dict[str, Any]

MARA: Json = {
    "name": "Mara",
    "role": "innkeeper",
    "persona": "Runs the Crooked Lantern. Dry, quick, fair.",
    "goals": ["find out who waters the ale"],
    "knowledge": ["The north road is closed since the flood.", "The miller owes everybody money."],
}


class Script:
    """What the speaker says in one turn: pieces of text, pauses until the test lets go, tool calls, a failure."""

    def __init__(self, *steps: str | asyncio.Event | ToolCall | Exception, finish: str = "stop") -> None:
        self.steps = steps
        self.finish = finish
        self.performance: Performance | None = None
        self.closed = asyncio.Event()


class ScriptedSpeaker:
    """Fails on a turn nobody wrote; `left` are those nobody asked for."""

    name = "scripted"

    def __init__(self) -> None:
        self.left: list[Script] = []
        self.performances: list[Performance] = []

    def next(self, *steps: str | asyncio.Event | ToolCall | Exception, finish: str = "stop") -> Script:
        script = Script(*steps, finish=finish)
        self.left.append(script)
        return script

    def speak(self, performance: Performance) -> Speaking:
        self.performances.append(performance)
        if not self.left:
            raise AssertionError("the test wrote no more turns")
        script = self.left.pop(0)
        script.performance = performance
        return Speaking(performance, self._deltas(script))

    async def _deltas(self, script: Script) -> AsyncGenerator[Delta, None]:
        calls: list[ToolCall] = []
        try:
            for step in script.steps:
                if isinstance(step, asyncio.Event):
                    await step.wait()
                elif isinstance(step, ToolCall):
                    calls.append(step)
                elif isinstance(step, Exception):
                    raise step
                else:
                    yield Delta(step)
            reason = "tool_calls" if calls else script.finish
            yield Delta(done=Completion("", reason, Usage(10, 20), tuple(calls), "scripted"))  # type: ignore[arg-type]
        finally:
            script.closed.set()


class Game:
    """A game on the line. It answers get_agent_state by itself from `specs`, unless told not to."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.log: list[Json] = []
        self.specs: dict[str, Json] = {"mara": MARA}
        self.extra: Json = {}
        """More fields for every snapshot: tags, tools, limits, state."""
        self.answers_state = True
        self.patience = 10.0
        self._events = 0
        self._waiting: list[Json] = []

    async def send(self, type_: str, **fields: Any) -> None:
        await self.line.send(json.dumps({"type": type_, **fields}))

    async def raw(self, text: str | bytes) -> None:
        await self.line.send(text)

    async def say(self, text: str, agent: str = "mara", **fields: Any) -> str:
        return await self.event(agent, "player_said", text=text, **fields)

    async def event(self, agent: str, kind: str, **fields: Any) -> str:
        """An interaction event; says its id."""
        self._events += 1
        event_id = fields.pop("event_id", f"e{self._events}")
        source = fields.pop("source", {"id": "ana", "name": "Ana", "kind": "player"})
        outer = {key: fields.pop(key) for key in ("interrupt",) if key in fields}
        event = {"kind": kind, "source": source, **fields}
        await self.send("interaction_event", event_id=event_id, agent_id=agent, event=event, **outer)
        return event_id

    async def snapshot(self, request: Json, **fields: Any) -> None:
        spec = self.specs.get(request["agent_id"], {"name": request["agent_id"].title()})
        await self.send(
            "agent_state_snapshot",
            **{"request_id": request["request_id"], "agent_id": request["agent_id"], "spec": spec, "state": {}}
            | self.extra
            | fields,
        )

    async def receive(self) -> Json:
        message: Json = json.loads(await asyncio.wait_for(self.line.recv(), self.patience))
        self.log.append(message)
        if message["type"] == "get_agent_state" and self.answers_state:
            await self.snapshot(message)
        return message

    async def until(self, *types: str, where: Callable[[Json], bool] = lambda _: True) -> Json:
        """The next message of one of these types."""
        while True:
            message = await self.receive()
            if message["type"] in types and where(message):
                return message

    async def turn(self, **match: Any) -> list[Json]:
        """Everything of the next turn that ends, from its start to its end."""
        seen: list[Json] = []
        while True:
            message = await self.receive()
            seen.append(message)
            ended = message["type"] in ("agent_turn_finished", "agent_turn_interrupted")
            if ended and all(message[key] == value for key, value in match.items()):
                return [m for m in seen if m.get("turn_id") == message["turn_id"]]

    async def report(self, turn: list[Json], status: str = "completed", **fields: Any) -> None:
        segments = [
            {"tag_id": m["tag_id"], "tag": m["tag"], "text": m["text"], "outcome": "performed"}
            for m in turn
            if m["type"] == "agent_tag_close"
        ]
        await self.send(
            "agent_turn_result",
            **{
                "turn_id": turn[0]["turn_id"],
                "agent_id": turn[0]["agent_id"],
                "status": status,
                "segments": segments,
            }
            | fields,
        )

    async def settle(self) -> None:
        """Everything sent before this has been taken in: the server answers in order."""
        await self.send("ping", id="settle")
        await self.until("pong", where=lambda m: m["id"] == "settle")


class Tavern:
    """A server with an engine behind it."""

    def __init__(self, settings: Settings, engine: Engine, hub: Hub, address: str) -> None:
        self.settings = settings
        self.engine = engine
        self.hub = hub
        self.address = address

    @asynccontextmanager
    async def game(self, **options: Any) -> AsyncIterator[Game]:
        query = options.pop("query", "")
        async with connect(f"{self.address}/ws{query}", max_size=None, **options) as line:
            yield Game(line)

    async def quiet(self) -> None:
        """Everything that was to be recorded is recorded."""
        for agent in list(self.hub._agents.values()):
            await agent.at_rest()
            await agent.recorded(_nothing)


async def _nothing() -> None:
    return None


OpenTavern = Callable[..., Any]


@pytest.fixture
def open_tavern(sqlite_house: House) -> OpenTavern:
    """Opens a tavern; a second one on the same settings is the same house after a restart."""

    @asynccontextmanager
    async def open_(
        speaker: NpcSpeaker | None = None, settings: Settings | None = None, limits: Limits | None = None, **more: Any
    ) -> AsyncIterator[Tavern]:
        settings = settings or sqlite_house.settings(world=False, store_synchronous="NORMAL")
        engine = Engine.open(settings)
        hub = Hub(engine, speaker or NpcStoryteller(), settings.logs / "game", limits=limits, **more)
        app = FastAPI()
        app.router.routes.append(GameRoute(hub))
        with _listening() as listener:
            config = uvicorn.Config(app, log_config=None, ws="websockets-sansio", lifespan="off", loop="asyncio")
            config.load()
            server = uvicorn.Server(config)
            server.lifespan = config.lifespan_class(config)
            await hub.start()
            # As `serve` does, without its pauses: they would be most of the time these tests take.
            await server.startup([listener])
            try:
                port = listener.getsockname()[1]
                yield Tavern(settings, engine, hub, f"ws://127.0.0.1:{port}")
            finally:
                await hub.close()
                for listening in server.servers:
                    listening.close()
                await engine.close()

    return open_


@contextmanager
def _listening() -> Iterator[socket.socket]:
    # Named as TCP, or asyncio would leave small messages waiting for each other.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        yield listener


@pytest.fixture
def speaker() -> Iterator[ScriptedSpeaker]:
    scripted = ScriptedSpeaker()
    yield scripted
    assert not scripted.left, f"{len(scripted.left)} turns were written that nobody asked for"


@pytest.fixture
async def tavern(open_tavern: OpenTavern, speaker: ScriptedSpeaker) -> AsyncIterator[Tavern]:
    async with open_tavern(speaker) as opened:
        yield opened


@pytest.fixture
async def game(tavern: Tavern) -> AsyncIterator[Game]:
    async with tavern.game() as connected:
        yield connected


@pytest.fixture
def limits() -> Callable[..., Limits]:
    """Limits like the real ones, but for those a test is about."""
    return lambda **changed: Limits(**changed)


@pytest.fixture
def log_lines() -> Callable[[Path], list[Json]]:
    def read(path: Path) -> list[Json]:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    return read


@pytest.fixture
def bodies() -> Callable[[Tavern], list[tuple[str, str, str]]]:
    """What happened in the game's world, as kind, who and text; decisions and bookkeeping left out."""

    def read(tavern: Tavern, world: str = "game") -> list[tuple[str, str, str]]:
        events = tavern.engine.store.read_now(lambda conn: list(read_events(conn, path(conn, world, "t1"))))
        return [
            (e.kind, getattr(e.body, "speaker", getattr(e.body, "actor", "")), e.body.text)
            for e in events
            if isinstance(e.body, LineSpoken | DeedDone | NarrationTold)
        ]

    return read


@pytest.fixture
def lines(bodies: Callable[[Tavern], list[tuple[str, str, str]]]) -> Callable[..., list[str]]:
    return lambda tavern, by: [text for kind, who, text in bodies(tavern) if kind == "line.spoken" and who == by]


@pytest.fixture
def crash(sqlite_house: House) -> Callable[[Tavern], Settings]:
    """The home as a process that was killed at this moment would leave it."""

    def copy(tavern: Tavern) -> Settings:
        settings = sqlite_house.settings(world=False, store_synchronous="NORMAL")
        scratch = shutil.ignore_patterns("checkpoints*")  # in use, and read by nobody
        shutil.copytree(tavern.settings.home, settings.home, dirs_exist_ok=True, ignore=scratch)
        return settings

    return copy


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], Any]:
    """Waits until something holds."""

    async def wait(holds: Callable[[], bool]) -> None:
        for _ in range(2000):
            if holds():
                return
            await asyncio.sleep(0.005)
        raise AssertionError("it never came to that")

    return wait
