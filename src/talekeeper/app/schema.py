"""Imports every module that declares a table, so that the schema is whole before a database is prepared."""

from talekeeper.canon import facts
from talekeeper.doors.common import accounts, invites, logins, seats, tokens, turn_order, whispers
from talekeeper.doors.fleet import hooks
from talekeeper.doors.game import tokens as game_tokens
from talekeeper.loops.companion import actions as stream_actions
from talekeeper.loops.companion import session as stream_sessions
from talekeeper.loops.companion import viewers as stream_viewers
from talekeeper.loops.npc_turn import record as game_turns
from talekeeper.memory import episodes, recaps
from talekeeper.timeline import events, feed, lineage, model_calls, outbox, snapshots, told_lines, turns, worlds

TABLES = (
    worlds.world_table, lineage.timeline_table, lineage.lineage_table, events.event_table, turns.turn_table,
    snapshots.snapshot_table, outbox.outbox_table, feed.cursor_table, told_lines.told_line_table,
    facts.fact_table, facts.fact_key_table, facts.fact_link_table, episodes.episode_table, recaps.recap_table,
    model_calls.model_call_table,
    hooks.hook_table, game_tokens.game_token_table, game_turns.game_turn_table,
    stream_sessions.session_table, stream_actions.action_table, stream_viewers.viewer_table,
    accounts.account_table, logins.login_table, tokens.token_table, seats.seat_table, invites.invite_table,
    turn_order.turn_order_table, whispers.whisper_table,
)  # fmt: skip

PROJECTIONS = (facts.project, episodes.project, told_lines.project)
"""What is derived in the same transaction as the events."""

FORGETTINGS = (episodes.forget,)
"""What is taken back with the text of a redacted event."""
