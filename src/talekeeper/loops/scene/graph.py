"""The scene graph: load_context -> resolve -> narrate -> persist_turn -> (canonize). State is the turn id alone.

The checkpointer's file is scratch: the turn row says what is done, and every node asks it first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from talekeeper.loops.scene.canonize import canonize
from talekeeper.loops.scene.load_context import load_context
from talekeeper.loops.scene.narrate import narrate
from talekeeper.loops.scene.persist_turn import persist_turn
from talekeeper.loops.scene.resolve import resolve
from talekeeper.loops.scene.work import TurnWork


class SceneState(TypedDict):
    turn_id: str


@dataclass(frozen=True)
class SceneRun:
    """The run's context; tokens and rows go through here, never through the graph's state."""

    work: TurnWork


def build_graph(checkpointer: BaseCheckpointSaver[Any] | None) -> Any:
    graph = StateGraph(SceneState, context_schema=SceneRun)
    graph.add_node("load_context", _load_context)
    graph.add_node("resolve", _resolve)
    graph.add_node("narrate", _narrate)
    graph.add_node("persist_turn", _persist_turn)
    graph.add_node("canonize", _canonize)
    graph.add_edge(START, "load_context")
    graph.add_edge("load_context", "resolve")
    graph.add_edge("resolve", "narrate")
    graph.add_edge("narrate", "persist_turn")
    graph.add_conditional_edges("persist_turn", _scene_is_over, {True: "canonize", False: END})
    graph.add_edge("canonize", END)
    return graph.compile(checkpointer=checkpointer)


async def _load_context(state: SceneState, runtime: Runtime[SceneRun]) -> None:
    await load_context(runtime.context.work)


async def _resolve(state: SceneState, runtime: Runtime[SceneRun]) -> None:
    await resolve(runtime.context.work)


async def _narrate(state: SceneState, runtime: Runtime[SceneRun]) -> None:
    await narrate(runtime.context.work)


async def _persist_turn(state: SceneState, runtime: Runtime[SceneRun]) -> None:
    await persist_turn(runtime.context.work)


def _scene_is_over(state: SceneState, runtime: Runtime[SceneRun]) -> bool:
    return runtime.context.work.turn.running


async def _canonize(state: SceneState, runtime: Runtime[SceneRun]) -> None:
    await canonize(runtime.context.work)
