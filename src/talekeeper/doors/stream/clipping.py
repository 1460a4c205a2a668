"""Moments the chat made something of, found as the stream goes on; each becomes an action once."""

from __future__ import annotations

import msgspec

from talekeeper.agents.companion.scribe import clips
from talekeeper.doors.stream.keeper import Keeper
from talekeeper.loops.companion.actions import Action, actions_of

SETTLED = 60.0
"""A burst is judged when it is over."""
_SAME = 60.0


class ClipBody(msgspec.Struct, frozen=True):
    start: float
    peak: float
    end: float
    speakers: int = 0
    score: float = 0.0


def read_clip(action: Action) -> ClipBody:
    return msgspec.json.decode(action.about, type=ClipBody)


async def new_clips(keeper: Keeper) -> list[Action]:
    lines = tuple(keeper.room.people)
    found = [clip for clip in clips.find(lines) if clip.end < keeper.now - SETTLED]
    if not found:
        return []
    session = keeper.session.id
    known = await keeper.house.store.read(lambda conn: actions_of(conn, session, ("clip",)))
    peaks = [read_clip(action).peak for action in known]
    return [
        msgspec.structs.replace(
            keeper.action("clip", "scribe", clip.reason, "a burst of talk", clip.peak),
            about=msgspec.json.encode(ClipBody(clip.start, clip.peak, clip.end, clip.speakers, clip.score)).decode(),
        )
        for clip in found
        if all(abs(clip.peak - peak) > _SAME for peak in peaks)
    ]
