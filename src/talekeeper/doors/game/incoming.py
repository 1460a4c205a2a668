"""What a game may send. Unknown fields are ignored; ids are strings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from talekeeper.agents.npc.sheet import Id, PromptPart, Spec, State, TagDeclaration, ToolDeclaration, TurnLimits, Whole
from talekeeper.agents.npc.stimulus import Stimulus

VERSION = 1

Revision = str | float
EveryAgent = Literal["*"]


class Incoming(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    v: float | None = None
    id: Annotated[str, Meta(max_length=200)] | None = None
    ts: float | None = None


class Ping(Incoming, frozen=True, kw_only=True, tag="ping"):
    """Answered by `pong` with the same id and ts."""


class InteractionEvent(Incoming, frozen=True, kw_only=True, tag="interaction_event"):
    """Something the agent should answer. `interrupt` says what becomes of the turn it is in the middle of."""

    event_id: Id
    agent_id: Id
    event: Stimulus
    interrupt: Literal["always", "if_idle", "queue"] = "always"


class NotificationEvent(Incoming, frozen=True, kw_only=True, tag="notification_event"):
    """Something to be noticed: no turn follows; it is in the next prompt (of `ttl_turns` turns), and remembered."""

    event: Stimulus
    event_id: Id | None = None
    agent_id: Id | None = None
    """One agent, or "*" for every agent of the world."""
    agent_ids: Annotated[tuple[Id, ...], Meta(max_length=500)] | None = None
    ttl_turns: Annotated[float, Meta(ge=1, le=1000)] | None = None


class AgentStateSnapshot(Incoming, frozen=True, kw_only=True, tag="agent_state_snapshot"):
    """The newest prompt parts of an agent. Without `request_id` it is an update nobody asked for, and kept as the newest.

    When `revision` is the `known_revision` that was asked with, everything but the state may be left out.
    """

    agent_id: Id
    request_id: Id | None = None
    revision: Revision | None = None
    spec: Spec | None = None
    state: State | None = None
    prompt_parts: Annotated[tuple[PromptPart, ...], Meta(max_length=200)] | None = None
    tags: Annotated[tuple[TagDeclaration, ...], Meta(max_length=64)] | None = None
    tools: Annotated[tuple[ToolDeclaration, ...], Meta(max_length=64)] | None = None
    limits: TurnLimits | None = None


class CancelTurn(Incoming, frozen=True, kw_only=True, tag="cancel_turn"):
    """Answered by `agent_turn_interrupted` with the reason client_cancel."""

    agent_id: Id
    turn_id: Id | None = None


class Segment(msgspec.Struct, frozen=True):
    """What became of one tag. `performed_chars` counts Unicode characters from the beginning of its text."""

    tag_id: str
    tag: str
    outcome: Literal["performed", "partial", "skipped", "failed"]
    text: Annotated[str, Meta(max_length=100_000)] = ""
    attrs: dict[str, Any] | None = None
    performed_chars: Whole | None = None
    reason: Annotated[str, Meta(max_length=2_000)] | None = None


class AgentTurnResult(Incoming, frozen=True, kw_only=True, tag="agent_turn_result"):
    """What was really performed of a turn; only that enters the history. The first report of a turn stands."""

    turn_id: Id
    agent_id: Id
    status: Literal["completed", "interrupted", "partial", "failed"]
    segments: Annotated[tuple[Segment, ...], Meta(max_length=1_000)] = ()
    observations: Annotated[tuple[Any, ...], Meta(max_length=100)] | None = None
    duration_ms: float | None = None


class ToolResult(msgspec.Struct, frozen=True):
    call_id: Id
    name: str
    ok: bool
    content: Any = None
    error: str | None = None


class ToolResults(Incoming, frozen=True, kw_only=True, tag="tool_results"):
    """The answers to the tool calls of a turn that ended with the stop reason tool_use."""

    turn_id: Id
    agent_id: Id
    results: Annotated[tuple[ToolResult, ...], Meta(max_length=64)]


AnyIncoming = (
    Ping | InteractionEvent | NotificationEvent | AgentStateSnapshot | CancelTurn | AgentTurnResult | ToolResults
)
