"""Accepting an action: checked once, written into its turn row, and only then acknowledged."""

from __future__ import annotations

import unicodedata

import msgspec
from sqlalchemy import Connection

from talekeeper.errors import BadInput, TooLarge
from talekeeper.loops.intents import Act
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.append import lock_head
from talekeeper.timeline.ids import turn_id
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.turns import LEASE_SECONDS, Turn, accept, find_by_idem, highest_running
from talekeeper.timeline.worlds import World, get_world

MAX_ACTION = 4000


def clean_action(text: str) -> str:
    """The action as it will be kept: trimmed, in one normal form of Unicode, or refused with the reason."""
    if len(text) > MAX_ACTION:
        raise TooLarge(
            f"That is {len(text):,} characters; an action has at most {MAX_ACTION:,}.",
            "Say it in fewer words, or in turns.",
        )
    text = unicodedata.normalize("NFC", text).strip()
    if not text:
        raise BadInput("There is nothing to do in an empty line.", "Say what you do, or /help.")
    for char in text:
        if unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t":
            raise BadInput(f"The text contains a control character (U+{ord(char):04X}).", "Type it again without it.")
    return text


def accept_action(conn: Connection, services: Services, intent: Act) -> tuple[World, Turn, bool]:
    """The world, the turn, and whether it is new (a repeated request gives the first turn again)."""
    world = get_world(conn, intent.world)
    timeline = intent.timeline or world.active
    head = lock_head(conn, world.slug, timeline)
    # Only behind the lock: of two requests with one key, the second must find the first one's turn.
    before = find_by_idem(conn, world.slug, intent.idem) if intent.idem is not None else None
    if before is not None:
        return world, before, False
    past = path(conn, world.slug, timeline)
    snapshot = latest_snapshot(conn, past)
    scene = intent.scene or (snapshot.scene if snapshot else "")
    actor = intent.actor or world.player
    if not scene or not actor:
        raise BadInput(f"Nobody plays in {world.slug}.", "Start a world from a preset: `talekeeper play --preset ...`.")
    number = 1 + max(snapshot.turn_number if snapshot else 0, highest_running(conn, world.slug, timeline))
    now = services.clock()
    turn = Turn(
        world=world.slug, id=turn_id(timeline, number), timeline=timeline, scene=scene, number=number, actor=actor,
        intent=msgspec.json.encode(intent).decode(), base_seq=head, idem=intent.idem,
        lease_owner=services.owner, lease_until=now + LEASE_SECONDS, accepted_at=now,
    )  # fmt: skip
    return world, accept(conn, turn), True
