"""The last node, when a scene ends: every staged proposal is judged, the scene closes, and the next one opens."""

from __future__ import annotations

from sqlalchemy import Connection

from talekeeper.agents.canon_keeper import ROLE, judge_scene
from talekeeper.canon.proposals import open_proposals
from talekeeper.canon.view import CanonView
from talekeeper.loops.scene.persist_turn import final_state
from talekeeper.loops.scene.work import Services, TurnWork
from talekeeper.timeline.append import lock_head
from talekeeper.timeline.ids import scene_id
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import WorldSnapshot, keep_snapshot, latest_snapshot
from talekeeper.timeline.turns import write_turn
from talekeeper.timeline.vocabulary import UNSEEN, Draft, SceneEnded, SceneOpened


async def canonize(work: TurnWork) -> None:
    if work.turn.running:
        await work.services.store.write(lambda conn: _finish(conn, work))


def _finish(conn: Connection, work: TurnWork) -> None:
    turn = work.turn
    work.head = end_scene(conn, work.services, turn.world, turn.timeline, "the scene has run its length").scene_seq
    work.turn = write_turn(conn, turn, state=final_state(work.prose), ended_at=work.services.clock())


def end_scene(conn: Connection, services: Services, world: str, timeline: str, reason: str) -> WorldSnapshot:
    """Judge, close, open the next: the picture it opens with."""
    lock_head(conn, world, timeline)
    past = path(conn, world, timeline)
    before = latest_snapshot(conn, past)
    if before is None:
        raise RuntimeError("a world always has a scene")
    view = CanonView(conn, past)
    verdicts = judge_scene(view, open_proposals(conn, past, after=before.scene_seq - 1))
    scene = scene_id(timeline, _next_scene(before))
    drafts = [
        *(Draft(body=v, by=ROLE, witnesses=UNSEEN, scene=before.scene, story_time=view.now) for v in verdicts),
        Draft(body=SceneEnded(scene=before.scene, reason=reason), by=ROLE, scene=before.scene, story_time=view.now),
        Draft(
            body=SceneOpened(scene=scene, place=before.place, participants=before.participants),
            by=ROLE, scene=scene, story_time=view.now, place=before.place or None,
        ),
    ]  # fmt: skip
    opened = services.appender.append(conn, world, timeline, drafts)[-1].seq
    after = WorldSnapshot(
        scene=scene, scene_seq=opened, scene_turns=0, turn_number=before.turn_number, place=before.place,
        now=view.now, weather=before.weather, participants=before.participants,
    )  # fmt: skip
    keep_snapshot(conn, world, timeline, opened, after)
    return after


def _next_scene(before: WorldSnapshot) -> int:
    """Scenes are counted along the path; the timeline that opens one is in its id."""
    return int(before.scene.rpartition("/s")[2]) + 1
