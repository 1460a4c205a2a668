"""Whatever happens in whatever order: numbers without gaps, one end to each turn, every tag closed, a history that alternates."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from talekeeper.agents.npc.model_speaker import request_of
from talekeeper.agents.npc.performance import Performance, Speaking
from talekeeper.app.engine import Engine
from talekeeper.doors.game.hub import Hub
from talekeeper.doors.game.limits import Limits
from talekeeper.errors import ModelDown
from talekeeper.llm.model import Completion, Delta, ToolCall, Usage
from talekeeper.testing.house import House

PIECES = [
    "<say>",
    "</say>",
    "Hello ",
    "<emote>nods",
    "</emote>",
    "a < b &amp; c",
    "<say x",
    "='1'>",
    "</",
    "action>",
    "…",
]
PAUSE = object()
steps = st.lists(st.sampled_from([*PIECES, PAUSE]), max_size=8)
endings = st.sampled_from(["stop", "length", "tool", "fail"])
scripts = st.lists(st.tuples(steps, endings), min_size=1, max_size=6)

agents = st.sampled_from(["mara", "tom"])
operations = st.lists(
    st.one_of(
        st.tuples(st.just("begin"), agents),
        st.tuples(st.just("say"), agents, st.sampled_from(["always", "if_idle", "queue"])),
        st.tuples(st.just("state"), st.booleans()),
        st.tuples(st.just("release")),
        st.tuples(st.just("rest"), st.integers(0, 3)),
        st.tuples(st.just("report"), st.sampled_from(["completed", "interrupted", "failed"]), st.integers(0, 20)),
        st.tuples(st.just("tools"), st.booleans()),
        st.tuples(st.just("cancel"), agents),
        st.tuples(st.just("notify"), st.sampled_from(["mara", "*"])),
        st.tuples(st.just("nonsense")),
        st.tuples(st.just("reconnect")),
    ),
    min_size=1,
    max_size=14,
)


class Improviser:
    """Speaks the scripts in a circle; a pause lasts until the test lets it end."""

    name = "improviser"

    def __init__(self, written: list[tuple[list[Any], str]]) -> None:
        self._written = itertools.cycle(written)
        self._pauses: list[asyncio.Event] = []
        self.performances: list[Performance] = []
        self.free = False

    def release(self) -> None:
        for pause in self._pauses:
            pause.set()
        self._pauses.clear()

    def speak(self, performance: Performance) -> Speaking:
        self.performances.append(performance)
        return Speaking(None, self._deltas(*next(self._written)))

    async def _deltas(self, written: list[Any], ending: str) -> AsyncGenerator[Delta, None]:
        for step in written:
            if step is PAUSE:
                if not self.free:
                    self._pauses.append(asyncio.Event())
                    await self._pauses[-1].wait()
            else:
                yield Delta(step)
                await asyncio.sleep(0)
        if ending == "fail":
            raise ModelDown("The model fell over.")
        calls = (ToolCall("c1", "look", "{}"),) if ending == "tool" else ()
        yield Delta(done=Completion("", "stop" if ending == "tool" else ending, Usage(1, 1), calls))


class Line:
    """A socket without a network: what the server needs of one."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.query_params: dict[str, str] = {}
        self.client = type("Address", (), {"host": "127.0.0.1"})
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.log: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []

    async def accept(self) -> None: ...

    async def close(self, code: int, reason: str = "") -> None: ...

    async def receive(self) -> dict[str, Any]:
        return await self.incoming.get()

    async def send(self, frame: dict[str, Any]) -> None:
        await asyncio.sleep(0)
        message = json.loads(frame["text"])
        self.log.append(message)
        if message["type"] == "get_agent_state":
            self.asked.append(message)

    def put(self, type_: str, **fields: Any) -> None:
        self.incoming.put_nowait({"type": "websocket.receive", "text": json.dumps({"type": type_, **fields})})

    def hang_up(self) -> None:
        self.incoming.put_nowait({"type": "websocket.disconnect", "code": 1006})

    def answer(self, asked: dict[str, Any]) -> None:
        look = [{"name": "look", "description": "look around", "parameters": {}}]
        self.put(
            "agent_state_snapshot", request_id=asked["request_id"], agent_id=asked["agent_id"],
            spec={"name": asked["agent_id"].title()}, tools=look,
        )  # fmt: skip


class Table:
    def __init__(self, hub: Hub, speaker: Improviser, pause: float) -> None:
        self.hub = hub
        self.pause = pause
        self.speaker = speaker
        self.lines: list[Line] = []
        self.serving: list[asyncio.Task[None]] = []
        self.events = itertools.count(1)
        self.connect()

    @property
    def line(self) -> Line:
        return self.lines[-1]

    def connect(self) -> None:
        self.lines.append(Line())
        self.serving.append(asyncio.create_task(self.hub.serve(self.line, self.line.send)))

    async def do(self, operation: tuple[Any, ...]) -> None:
        match operation:
            case ("say", agent, wish):
                event = {
                    "kind": "player_said",
                    "source": {"id": "ana", "name": "Ana"},
                    "text": f"Words {next(self.events)}",
                }
                self.line.put(
                    "interaction_event", event_id=f"e{next(self.events)}", agent_id=agent, event=event, interrupt=wish
                )
            case ("begin", agent):
                # A turn that is really under way: without it, chance would seldom come so far.
                await self.do(("say", agent, "always"))
                await self._until(lambda: bool(self.line.asked))
                await self.do(("state", True))
                before = len(self.line.log)
                await self._until(lambda: "agent_turn_started" in [m["type"] for m in self.line.log[before:]])
            case ("state", True) if self.line.asked:
                self.line.answer(self.line.asked.pop())
            case ("state", False) if self.line.asked:
                self.line.asked.pop()
            case ("release",):
                self.speaker.release()
            case ("report", status, cut):
                self._report(status, cut)
            case ("tools", known):
                turn = self._last("agent_turn_finished") or {"turn_id": "x", "agent_id": "mara"}
                results = [{"call_id": "c1", "name": "look", "ok": known, "content": "dark"}]
                self.line.put("tool_results", turn_id=turn["turn_id"], agent_id=turn["agent_id"], results=results)
            case ("cancel", agent):
                self.line.put("cancel_turn", agent_id=agent)
            case ("notify", whom):
                event = {"kind": "custom", "source": {"id": "w", "kind": "world"}, "text": f"Noise {next(self.events)}"}
                self.line.put("notification_event", agent_id=whom, event=event)
            case ("nonsense",):
                self.line.incoming.put_nowait({"type": "websocket.receive", "text": "{"})
            case ("reconnect",):
                self.line.hang_up()
                self.connect()
            case ("rest", times):
                for _ in range(times):
                    await asyncio.sleep(0)

    async def _until(self, holds: Callable[[], bool]) -> None:
        """Until it does, or would have by now."""
        for _ in range(60):
            if holds():
                return
            await asyncio.sleep(self.pause)

    def _last(self, type_: str) -> dict[str, Any] | None:
        return next((m for line in reversed(self.lines) for m in reversed(line.log) if m["type"] == type_), None)

    def _report(self, status: str, cut: int) -> None:
        started = self._last("agent_turn_started") or {"turn_id": "x", "agent_id": "mara"}
        closes = [
            m for line in self.lines for m in line.log
            if m["type"] == "agent_tag_close" and m["turn_id"] == started["turn_id"]
        ]  # fmt: skip
        segments = [
            {"tag_id": m["tag_id"], "tag": m["tag"], "text": m["text"], "outcome": "partial", "performed_chars": cut}
            for m in closes
        ]
        self.line.put(
            "agent_turn_result",
            turn_id=started["turn_id"],
            agent_id=started["agent_id"],
            status=status,
            segments=segments,
        )

    async def end(self) -> None:
        """Everything goes on to its end: states are answered, pauses end, and the game hangs up."""
        self.speaker.free = True
        for _ in range(40):
            self.speaker.release()
            for asked in self.line.asked:
                self.line.answer(asked)
            self.line.asked.clear()
            await asyncio.sleep(self.pause)
        await self.hub.close()
        await asyncio.gather(*self.serving)


@pytest.fixture(scope="module")
def engine(sqlite_house: House) -> Any:
    engine = Engine.open(sqlite_house.settings(world=False, store_synchronous="NORMAL"))
    yield engine
    asyncio.run(engine.close())


LIMITS = Limits(state_seconds=5, tool_seconds=5, result_seconds=5)
CALM = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]}
worlds = itertools.count(1)


async def play(hub: Hub, speaker: Improviser, done: list[tuple[Any, ...]], pause: float) -> Table:
    table = Table(hub, speaker, pause)
    for operation in done:
        await table.do(operation)
        await asyncio.sleep(pause)
    await table.end()
    return table


class NoHouse:
    """A house that forgets everything, so that thousands of turns take no time; the wire does not know the difference."""

    def __init__(self) -> None:
        self.services = type(
            "Services", (), {"clock": staticmethod(lambda: 0.0), "after_turn": staticmethod(lambda: None)}
        )
        self.store = self

    async def command(self, carry_out: Any, intent: Any) -> Any:
        await asyncio.sleep(0)
        return carry_out.__name__

    async def read(self, work: Any) -> Any:
        await asyncio.sleep(0)
        return work(None)

    async def write(self, work: Any) -> Any:
        return 0


def performance_without_past(_conn: Any, look: Any) -> Performance:
    return Performance(entity="person/x", sheet=look.sheet, stimulus=look.stimulus, seed=1)


@settings(max_examples=150, **CALM)
@given(scripts, operations)
def test_the_rules_of_the_wire_hold(monkeypatch, tmp_path_factory, written, done):
    monkeypatch.setattr("talekeeper.doors.game.turn.performance_of", performance_without_past)
    monkeypatch.setattr("talekeeper.doors.game.turn.Look", SimpleNamespace)
    speaker = Improviser(written)

    async def played() -> Table:
        return await play(Hub(NoHouse(), speaker, tmp_path_factory.getbasetemp(), limits=LIMITS), speaker, done, 0.0)

    table = asyncio.run(played())
    for line in table.lines:
        check_turns(line.log, hung_up=line is not table.lines[-1])


@settings(max_examples=15, **CALM)
@given(scripts, operations)
def test_the_history_alternates(engine, written, done):
    speaker = Improviser(written)

    async def played() -> Table:
        world = f"world-{next(worlds)}"
        hub = Hub(engine, speaker, engine.settings.logs / "game", world=world, limits=LIMITS)
        return await play(hub, speaker, done, 0.002)

    table = asyncio.run(played())
    for line in table.lines:
        check_turns(line.log, hung_up=line is not table.lines[-1])
    for performance in speaker.performances:
        check_history(performance)


def check_turns(log: list[dict[str, Any]], *, hung_up: bool) -> None:
    turns: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for message in log:
        if "seq" in message:
            turns[message["turn_id"]].append(message)
    for turn in turns.values():
        assert turn[0]["type"] == "agent_turn_started"
        assert [m["seq"] for m in turn] == list(range(len(turn)))
        ends = [m for m in turn if m["type"] in ("agent_turn_finished", "agent_turn_interrupted")]
        assert len(ends) == 1 or (hung_up and not ends)
        assert not ends or turn[-1] is ends[0]
        texts: dict[str, str] = {}
        still_open: list[str] = []
        for message in turn:
            match message["type"]:
                case "agent_tag_open":
                    texts[message["tag_id"]] = ""
                    still_open.append(message["tag_id"])
                case "agent_tag_chunk":
                    assert message["tag_id"] in still_open
                    texts[message["tag_id"]] += message["text"]
                case "agent_tag_close":
                    still_open.remove(message["tag_id"])
                    assert message["text"] == texts[message["tag_id"]]
        assert not still_open or (hung_up and not ends)
        if ends and ends[0]["type"] == "agent_turn_finished" and ends[0]["stop_reason"] == "error":
            about = [m for m in log if m["type"] == "error" and m.get("turn_id") == ends[0]["turn_id"]]
            assert len(about) == 1
            assert log.index(about[0]) < log.index(ends[0])


def check_history(performance: Performance) -> None:
    roles = [message.role for message in request_of(performance).messages]
    assert roles[0] == "system"
    assert ("user", "user") not in itertools.pairwise(roles)
    assert ("assistant", "assistant") not in itertools.pairwise(roles) or performance.history
    assert roles[-1] in ("user", "tool")
