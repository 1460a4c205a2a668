"""The first node: what the teller may read this turn, with the reason for each item."""

from __future__ import annotations

from sqlalchemy import Connection

from talekeeper.agents.context import Manifest, assemble
from talekeeper.canon.view import CanonView
from talekeeper.loops.scene.work import TurnWork, encode
from talekeeper.timeline.snapshots import latest_snapshot


async def load_context(work: TurnWork) -> None:
    if work.turn.manifest is not None:
        return
    work.note(manifest=encode(await work.services.store.read(lambda conn: context_of(conn, work))))


def context_of(conn: Connection, work: TurnWork) -> Manifest:
    view = CanonView(conn, work.base_path(conn))
    situation = work.situation_now(conn, view)
    snapshot = latest_snapshot(conn, view.path)
    return assemble(
        conn, view, situation, work.action, scene_seq=snapshot.scene_seq if snapshot else 0, budget=work.services.budget
    )
