"""What the server sends. `id` and `seq` are given at the moment of sending, so that nothing is numbered and then dropped."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from talekeeper.doors.game.incoming import Revision
from talekeeper.llm.tags import CloseReason
from talekeeper.loops.npc_turn.perform import StopReason

Code = Literal[
    "bad_json", "unknown_type", "invalid_payload", "unknown_agent", "state_timeout", "stale_turn", "llm_error",
    "llm_timeout", "rate_limited", "too_large", "unauthorized", "internal",
]  # fmt: skip
Trigger = Literal["interaction", "tool_results", "queued"]
InterruptReason = Literal["superseded", "client_cancel", "disconnect", "shutdown", "timeout"]


class Outgoing(msgspec.Struct, kw_only=True, tag_field="type", omit_defaults=True):
    id: str = ""


class Pong(Outgoing, kw_only=True, tag="pong"):
    """With the id of the ping, where it had one."""

    ts: float | None = None
    server_ts: int


class GetAgentState(Outgoing, kw_only=True, tag="get_agent_state"):
    request_id: str
    agent_id: str
    event_id: str
    deadline_ms: int
    known_revision: Revision | None = None


class TurnMessage(Outgoing, kw_only=True):
    turn_id: str
    agent_id: str
    seq: int = 0


class AgentTurnStarted(TurnMessage, kw_only=True, tag="agent_turn_started", omit_defaults=False):
    event_id: str
    model: str
    trigger: Trigger


class AgentTagOpen(TurnMessage, kw_only=True, tag="agent_tag_open"):
    tag_id: str
    parent_id: str | None
    tag: str
    attrs: dict[str, Any]
    self_closing: bool


class AgentTagChunk(TurnMessage, kw_only=True, tag="agent_tag_chunk"):
    tag_id: str
    tag: str
    text: str


class AgentTagClose(TurnMessage, kw_only=True, tag="agent_tag_close"):
    """`text` is all of the tag's own text; for a streamed tag, its chunks joined."""

    tag_id: str
    tag: str
    text: str
    reason: CloseReason


class TokenUse(msgspec.Struct, frozen=True):
    tokens_in: int
    tokens_out: int
    estimated: bool


class AgentTurnInterrupted(TurnMessage, kw_only=True, tag="agent_turn_interrupted"):
    reason: InterruptReason
    open_tag_ids: list[str]
    by_event_id: str | None = None
    usage: TokenUse | None = None


class Timing(msgspec.Struct, frozen=True):
    """Milliseconds: until the state had come, until the first word, until the first tag, and in all."""

    state_ms: float
    ttft_ms: float | None
    first_tag_ms: float | None
    total_ms: float


class ToolCallOut(msgspec.Struct, frozen=True):
    call_id: str
    name: str
    arguments: Any


class AgentTurnFinished(TurnMessage, kw_only=True, tag="agent_turn_finished"):
    stop_reason: StopReason
    usage: TokenUse
    timing: Timing
    tool_calls: list[ToolCallOut] | None = None
    untagged_text: str | None = None


class Error(Outgoing, kw_only=True, tag="error"):
    code: Code
    message: str
    fatal: bool
    in_reply_to: str | None = None
    agent_id: str | None = None
    turn_id: str | None = None
    details: Any = None


AnyOutgoing = (
    Pong
    | GetAgentState
    | AgentTurnStarted
    | AgentTagOpen
    | AgentTagChunk
    | AgentTagClose
    | AgentTurnInterrupted
    | AgentTurnFinished
    | Error
)
