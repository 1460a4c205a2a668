"""What the admin API answers, key for key."""

from __future__ import annotations

from typing import Any

import msgspec

from talekeeper.agents.companion.dashboard import Dashboard
from talekeeper.agents.companion.line import ChatLine
from talekeeper.doors.stream.hearth import Tick
from talekeeper.doors.stream.keeper import Keeper
from talekeeper.doors.stream.live_status import Live
from talekeeper.doors.stream.moments import iso
from talekeeper.doors.stream.outgoing import Delivery
from talekeeper.doors.stream.sessions import Companion
from talekeeper.loops.companion import dashboards
from talekeeper.loops.companion.session import Session
from talekeeper.loops.companion.speaking import last_post, last_prompt

Body = dict[str, Any]


def stamped(companion: Companion, body: Body) -> Body:
    return {**body, "timestamp": iso(companion.house.services.clock())}


def delivery_body(delivery: Delivery) -> Body:
    return {
        "sent": delivery.sent, "channel": delivery.channel, "message_id": delivery.message_id,
        "action_id": delivery.action_id,
    }  # fmt: skip


def tick_body(look: Tick) -> Body:
    return {
        "session_id": look.session_id, "actions_taken": look.actions_taken, "agent_response": look.agent_response,
        "delivery": delivery_body(look.delivery) if look.delivery else None, "reason": look.reason,
    }  # fmt: skip


def dashboard_body(session: Session, dashboard: Dashboard | None) -> Body | None:
    if dashboard is None:
        return None
    fields = msgspec.to_builtins(dashboard)
    times = {"created_at": iso(dashboard.created_at), "updated_at": iso(dashboard.updated_at)}
    return {"session_id": session.id, **fields, **times}


def line_as_said(line: ChatLine) -> Body:
    return {"username": line.speaker, "message": line.text, "timestamp": iso(line.at)}


def session_body(session: Session, now: float) -> Body:
    return {
        "id": session.id, "channel": session.channel, "started_at": iso(session.started_at),
        "message_count": session.messages,
        "uptime_seconds": round(max(0.0, (session.ended_at or now) - session.started_at), 3),
        "theme": session.theme or None,
    }  # fmt: skip


def session_status(session: Session, now: float) -> Body:
    return {
        **session_body(session, now), "dashboard": dashboard_body(session, dashboards.read(session)),
    }  # fmt: skip


def live_body(live: Live) -> Body:
    return {
        "channel": live.channel, "is_live": live.is_live, "checked_at": iso(live.checked_at),
        "title": live.title or None, "game_name": live.game_name or None, "started_at": iso(live.started_at),
        "viewer_count": live.viewer_count, "reason": live.reason or None,
    }  # fmt: skip


async def twitch_body(companion: Companion, *, force: bool = False) -> Body:
    """Of the configured channel, or else of the current session's. Never a token."""
    settings = companion.settings
    keeper = companion.current_or_none()
    channel = settings.channel or (keeper.session.channel if keeper else "")
    reach = companion.mouth(channel).reach
    state = reach.transport.state
    return {
        "configured": state.configured, "running": state.running, "connected": state.connected,
        "channel": channel or None, "bot_username": settings.bot, "last_error": state.last_error or None,
        "require_live_stream": companion.gate.required, "offline_chat_test_mode": companion.gate.test_mode,
        "session_id": keeper.session.id if keeper else None, "live_status": live_body(await reach.status.get(force)),
    }  # fmt: skip


def loop_body(companion: Companion) -> Body:
    return {
        "status": "running" if companion.loop.running else "stopped", "interval_seconds": companion.loop.interval,
        "hearthkeeper_prompt_interval_minutes": companion.settings.thresholds.cooldown / 60,
        "active_session_count": len(companion.keepers),
    }  # fmt: skip


def _dashboard_short(dashboard: Dashboard | None) -> Body:
    board = dashboard or Dashboard()
    return {
        "present": dashboard is not None, "stream_title": board.stream_title or None, "game": board.game or None,
        "mood": board.mood or None, "content_angle": board.content_angle or None,
        "session_goal_count": len(board.session_goals), "updated_at": iso(dashboard.updated_at) if dashboard else None,
    }  # fmt: skip


async def hearthkeeper_body(companion: Companion, keeper: Keeper) -> Body:
    now, session = keeper.now, keeper.session
    live = (await keeper.mouth.reach.status.get()).is_live
    decision = keeper.decide(live=live)
    prompt, post = await companion.house.store.read(lambda conn: (last_prompt(conn, session), last_post(conn, session)))
    human = keeper.room.last_human_at
    active = max(filter(None, (human, post.at if post else None, session.started_at)))
    return {
        "last_activity_at": iso(active), "last_hearthkeeper_prompt_at": iso(prompt.at) if prompt else None,
        "next_eligible_prompt_at": iso(decision.next_eligible_at),
        "seconds_until_next_prompt": round(max(0.0, decision.next_eligible_at - now), 3),
        "inactivity_threshold_minutes": companion.settings.thresholds.inactivity / 60,
        "prompt_interval_minutes": companion.settings.thresholds.cooldown / 60, "can_prompt_now": decision.speak,
        "chat_interaction_allowed": companion.gate.open_to_all or live, "last_human_chat_at": iso(human),
        "last_posted_at": iso(post.at) if post else None, "last_posted_message": post.text if post else None,
    }  # fmt: skip


async def stream_status(companion: Companion) -> Body:
    keeper = companion.current()
    session = await companion.session(keeper.session.id)
    loop = loop_body(companion)
    return {
        "session": session_body(session, keeper.now),
        "twitch": await twitch_body(companion),
        "dashboard": _dashboard_short(keeper.dashboard),
        "loop": {
            "running": companion.loop.running, "interval_seconds": loop["interval_seconds"],
            "active_session_count": loop["active_session_count"],
        },
        "hearthkeeper": await hearthkeeper_body(companion, keeper),
    }  # fmt: skip
