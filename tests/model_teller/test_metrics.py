"""What a Prometheus server would read after a few turns."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry

from talekeeper.agents.model_teller import ModelTeller
from talekeeper.app.call_book import CallBook
from talekeeper.app.engine import Engine
from talekeeper.llm.metered import MeteredModel
from talekeeper.loops.intents import Act
from talekeeper.observe.metrics import Metrics
from talekeeper.testing.house import WORLD, House


async def test_turns_calls_and_effects_are_counted(table, sqlite_house: House) -> None:
    registry = CollectorRegistry()
    metrics = Metrics(registry)
    book: list[CallBook] = []
    teller = ModelTeller(MeteredModel(table.model, "narrator", lambda call: book[0].record(call)))
    engine = Engine.open(sqlite_house.settings(), teller=teller, observer=metrics)
    book.append(CallBook(engine.store, engine.tasks, engine.services.clock, metrics))
    try:
        for action in ("look around", "wait"):
            running = await engine.scenes.act(Act(world=WORLD, text=action))
            await running.ended.wait()
        await engine.effects.drain()
    finally:
        await engine.close()
    labels = {"role": "narrator", "model": "test answering"}
    read: Callable[..., float | None] = registry.get_sample_value
    assert read("talekeeper_turns_total", {"state": "done"}) == 2
    assert read("talekeeper_turn_seconds_count") == 2
    assert read("talekeeper_model_calls_total", {**labels, "error": ""}) == 2
    assert (read("talekeeper_model_tokens_total", {**labels, "direction": "in"}) or 0) > 200
    assert read("talekeeper_model_first_token_seconds_count", labels) == 2
    assert read("talekeeper_effects_total", {"effect": "recap", "result": "done"}) == 2
