"""Moments the chat made something of, found as the stream goes on; each becomes an action once."""

from __future__ import annotations

import msgspec

from talekeeper.agents.companion.scribe import clips
from talekeeper.doors.stream.keeper import Keeper
from talekeeper.loops.companion.actions import SAME_MOMENT, Action, ClipBody, actions_of, read_clip, record

SETTLED = 60.0
"""A burst is judged when it is over."""
EVERY = 120.0
"""So often it is looked for."""


async def keep_clips(keeper: Keeper, *, settled: float = SETTLED) -> list[Action]:
    """The new ones, on the record."""
    keeper.looked_for_clips_at = keeper.now
    found = [clip for clip in clips.find(keeper.room.people) if clip.end <= keeper.now - settled]
    if not found:
        return []
    session = keeper.session.id
    known = await keeper.house.store.read(lambda conn: actions_of(conn, session, ("clip",)))
    peaks = [read_clip(action).peak for action in known]
    fresh = [
        msgspec.structs.replace(
            keeper.action("clip", "scribe", clip.reason, "a burst of talk", clip.peak),
            about=msgspec.json.encode(ClipBody(clip.start, clip.peak, clip.end, clip.speakers, clip.score)).decode(),
        )
        for clip in found
        if all(abs(clip.peak - peak) > SAME_MOMENT for peak in peaks)
    ]
    if fresh:
        await keeper.house.store.write(lambda conn: record(conn, fresh))
    return fresh
