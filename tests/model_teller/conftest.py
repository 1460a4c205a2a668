"""A model that answers as a test says, and remembers everything it was sent; and a table at which to play with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable

import pytest

from talekeeper.agents.model_teller import ModelTeller
from talekeeper.app.engine import Engine
from talekeeper.llm.model import Completion, Delta, ModelRequest, Usage
from talekeeper.loops.frames import AnyFrame
from talekeeper.loops.intents import Act
from talekeeper.observe.charge import charged_to
from talekeeper.testing.house import WORLD
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.vocabulary import Event
from talekeeper.timeline.worlds import get_world

Reply = Callable[[ModelRequest], str]
QUIET = "<narration>A quiet hour passed, and a gull looked in.</narration>"
SPOKEN = "<say>That is as may be.</say>"


class AnsweringModel:
    def __init__(self, reply: Reply, name: str = "test answering") -> None:
        self.name = name
        self.reply = reply
        self.received: list[tuple[str, ModelRequest]] = []
        """The turn it was for, and what was sent."""
        self.hanging = asyncio.Event()
        self.hangs = False
        """It falls silent after its first words."""
        self.cut_off = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        charge = charged_to.get()
        self.received.append((charge.turn if charge else "", request))
        text = self.reply(request)
        try:
            for start in range(0, len(text), 7):
                yield Delta(text[start : start + 7])
                if self.hangs and start > 20:
                    self.hanging.set()
                    await asyncio.Event().wait()
        except (GeneratorExit, asyncio.CancelledError):
            self.cut_off += 1
            raise
        yield Delta(done=Completion(text, "stop", Usage(len(request.messages[1].content) // 4, len(text) // 4)))

    async def complete(self, request: ModelRequest) -> Completion:
        raise NotImplementedError

    async def close(self) -> None:
        return None


def is_voice(request: ModelRequest) -> bool:
    return request.messages[0].content.startswith("You give one character")


def quietly(request: ModelRequest) -> str:
    return SPOKEN if is_voice(request) else QUIET


class Table:
    """One world, one model, and what came of each action."""

    def __init__(self, engine: Engine, model: AnsweringModel) -> None:
        self.engine = engine
        self.model = model

    async def act(self, text: str) -> list[AnyFrame]:
        running = await self.engine.scenes.act(Act(world=WORLD, text=text))
        return [frame async for frame in running.watch()]

    async def events(self, *kinds: str) -> list[Event]:
        def read(conn: object) -> list[Event]:
            world = get_world(conn, WORLD)
            return list(read_events(conn, path(conn, WORLD, world.active), kinds=kinds or None))

        return await self.engine.store.read(read)


@pytest.fixture
async def table(open_engine: Callable[..., Engine]) -> Table:
    """The sample world, told by a model that says little; a test changes `table.model.reply`."""
    model = AnsweringModel(quietly)
    return Table(open_engine(teller=ModelTeller(model)), model)
