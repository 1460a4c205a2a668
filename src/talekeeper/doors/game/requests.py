"""What becomes of each message of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from talekeeper.agents.npc.performance import Said
from talekeeper.agents.npc.sheet import in_words
from talekeeper.agents.npc.stimulus import SPOKEN, perceived
from talekeeper.doors.game.agent import Agent
from talekeeper.doors.game.call import Call
from talekeeper.doors.game.decoding import Refused
from talekeeper.doors.game.incoming import (
    AgentStateSnapshot,
    AgentTurnResult,
    AnyIncoming,
    CancelTurn,
    InteractionEvent,
    NotificationEvent,
    Ping,
    Segment,
    ToolResults,
)
from talekeeper.doors.game.outgoing import Pong
from talekeeper.errors import NotFound
from talekeeper.loops.npc_turn.binding import entity_of
from talekeeper.loops.npc_turn.listen import Listen, listen
from talekeeper.loops.npc_turn.settle import Report, report

if TYPE_CHECKING:
    from talekeeper.doors.game.connection import Connection

EVERYBODY = "*"


def carry_out(connection: Connection, message: AnyIncoming) -> None:
    """Raises Refused when it cannot be."""
    match message:
        case Ping():
            _answer_ping(message, connection)
        case InteractionEvent():
            _interact(message, connection)
        case NotificationEvent():
            _notify(message, connection)
        case AgentStateSnapshot():
            _take_state(message, connection)
        case CancelTurn():
            _cancel(message, connection)
        case ToolResults():
            _go_on(message, connection)
        case AgentTurnResult():
            _report(message, connection)


def _answer_ping(message: Ping, connection: Connection) -> None:
    now = int(connection.hub.house.services.clock() * 1000)
    connection.send(Pong(id=message.id or "", ts=message.ts, server_ts=now))


def _interact(message: InteractionEvent, connection: Connection) -> None:
    if message.event.kind in SPOKEN and not (message.event.text or "").strip():
        raise Refused(
            "invalid_payload",
            f"{message.event.kind} needs text.",
            in_reply_to=message.event_id,
            agent_id=message.agent_id,
        )
    if not connection.events.allows():
        raise Refused(
            "rate_limited", "Too many events; this one was dropped.", in_reply_to=message.event_id,
            agent_id=message.agent_id,
        )  # fmt: skip
    agent = connection.agent(message.agent_id)
    call = Call(connection, message, _depth(connection, message), connection.hub.now())
    if call.depth > connection.hub.limits.npc_depth:
        agent.observe(call)
        raise Refused(
            "rate_limited", "NPCs have answered each other often enough; it is only heard.",
            in_reply_to=message.event_id, agent_id=message.agent_id,
        )  # fmt: skip
    agent.post(call)


def _depth(connection: Connection, message: InteractionEvent) -> int:
    source = message.event.source
    if source.kind != "npc":
        return 0
    other = connection.hub.find(connection.world, entity_of(source.id))
    return (other.depth if other else 0) + 1


def _notify(message: NotificationEvent, connection: Connection) -> None:
    if not connection.events.allows():
        raise Refused("rate_limited", "Too many events; this one was dropped.", in_reply_to=message.event_id)
    hub, stimulus = connection.hub, message.event
    ids = message.agent_ids or (message.agent_id or "",)
    everybody = EVERYBODY in ids
    agents = hub.agents_of(connection.world) if everybody else [connection.agent(i) for i in ids]
    for agent in agents:
        # Once for each: an agent may be named twice.
        text = perceived(stimulus, "you" if everybody or len(ids) > 1 else ids[0])
        agent.noticed.add(text, int(message.ttl_turns or 1), stimulus.salience or 0.0)
    intent = Listen(
        world=connection.world, agents=() if everybody else ids, session=connection.session,
        event=message.event_id or hub.new_id(), stimulus=stimulus,
    )  # fmt: skip
    if len(agents) == 1:
        agents[0].record_soon(lambda: hub.house.command(listen, intent))
    else:
        hub.tasks.spawn(hub.house.command(listen, intent), "game notification")


def _take_state(message: AgentStateSnapshot, connection: Connection) -> None:
    try:
        connection.agent(message.agent_id)
        connection.sheets.take(message)
    except Refused as refused:
        refused.in_reply_to = message.request_id or message.id
        refused.agent_id = message.agent_id
        raise
    connection.journal.note(
        "state",
        agent_id=message.agent_id,
        request_id=message.request_id,
        revision=message.revision,
        full=bool(message.spec),
    )


def _cancel(message: CancelTurn, connection: Connection) -> None:
    reply = message.turn_id or message.id
    agent = connection.known_agent(message.agent_id, reply)
    if agent.cancel(message.turn_id):
        return
    before = message.turn_id is None and agent.cancel_before_start()
    said = "It was cancelled before it had begun." if before else "No such turn is running."
    raise Refused("stale_turn", said, in_reply_to=reply, agent_id=message.agent_id)


def _go_on(message: ToolResults, connection: Connection) -> None:
    _check_reports(message, connection)
    agent = connection.known_agent(message.agent_id, message.turn_id)
    if not agent.tool_results(message.turn_id, message.results):
        raise Refused(
            "stale_turn",
            "No turn waits for these tool results.",
            in_reply_to=message.turn_id,
            agent_id=message.agent_id,
        )


def _report(message: AgentTurnResult, connection: Connection) -> None:
    _check_reports(message, connection)
    agent = connection.agent(message.agent_id)
    hub = connection.hub
    said = tuple(
        piece for segment in message.segments if (piece := _performed(agent, message.turn_id, segment)) is not None
    )
    intent = Report(
        world=connection.world, turn=message.turn_id, said=said, stopped=message.status == "interrupted",
        observations=tuple(filter(None, map(in_words, message.observations or ()))),
    )  # fmt: skip

    async def reported() -> None:
        try:
            await hub.house.command(report, intent)
        except NotFound as error:
            told = connection.error("stale_turn", error.message, message.turn_id, message.agent_id, message.turn_id)
            connection.send(told)
        else:
            hub.reported(connection.world, message.turn_id)

    agent.record_soon(reported)


def _check_reports(message: ToolResults | AgentTurnResult, connection: Connection) -> None:
    if not connection.reports.allows():
        raise Refused(
            "rate_limited", "Too many reports; this one was dropped.", in_reply_to=message.turn_id,
            agent_id=message.agent_id,
        )  # fmt: skip


def _performed(agent: Agent, turn_id: str, segment: Segment) -> Said | None:
    """What was really performed of a tag, cut where it was cut; None when nothing was."""
    if segment.outcome in ("skipped", "failed"):
        return None
    sent = agent.was_sent(turn_id, segment.tag_id)
    text = segment.text or (sent.text if sent else "")
    if segment.outcome == "partial" and segment.performed_chars is not None:
        text = text[: int(segment.performed_chars)]
        if not text:
            return None
    attrs = segment.attrs if segment.attrs is not None else sent.attrs if sent else {}
    return Said(segment.tag.lower(), text, attrs)
