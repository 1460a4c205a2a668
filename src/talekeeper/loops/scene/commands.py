"""What is done at the table rather than in the world: rolls, decisions, directives, corrections, the end of a scene.

Each is one transaction. Those of the scene wait for its turn to end; those of the desk do not.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.canon.proposals import get_proposal
from talekeeper.canon.updater import decide
from talekeeper.canon.view import CanonView
from talekeeper.errors import BadInput, NotAllowed, TurnInProgress
from talekeeper.loops.intents import Backtrack, Bound, Decide, Direct, Edit, EndScene, Hear, Intent, Roll, XCard
from talekeeper.loops.scene.acceptance import clean_action
from talekeeper.loops.scene.canonize import end_scene
from talekeeper.loops.scene.travel import backtrack
from talekeeper.loops.scene.work import Services
from talekeeper.rules.check import recorded
from talekeeper.rules.dice import roll, turn_seed
from talekeeper.timeline.append import lock_head
from talekeeper.timeline.events import get_event
from talekeeper.timeline.ids import parse_event_id
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.turns import running_turn
from talekeeper.timeline.vocabulary import (
    PUBLIC,
    UNSEEN,
    Body,
    DirectiveGiven,
    Draft,
    Event,
    NarrationEdited,
    NarrationTold,
    ProposalDecided,
    ProposalStaged,
    RollMade,
    TimelineForked,
    WorldCreated,
)
from talekeeper.timeline.worlds import World, get_world

LINE = "A line of the table, never to be told of in any words:"
VEIL = "A veil of the table; it may happen, but out of sight and without description:"
BOUND = "It is drawn. The story keeps to it."
FADE_OUT = "The X-card was played: leave this subject now, fade to something else, and do not come back to it."


_NOT_HEARSAY = (ProposalStaged, ProposalDecided, WorldCreated, TimelineForked, DirectiveGiven)
"""What would be an order or a fact, and has its own way in."""


class _Desk:
    """The world and timeline an intent is about, with the head locked."""

    def __init__(self, conn: Connection, services: Services, world: str, timeline: str | None) -> None:
        self.conn = conn
        self.services = services
        self.world: World = get_world(conn, world)
        self.timeline = timeline or self.world.active
        self.head = lock_head(conn, self.world.slug, self.timeline)
        self.path = path(conn, self.world.slug, self.timeline)
        self.snapshot = latest_snapshot(conn, self.path)

    def append(self, body: Body, by: str, *, seen: tuple[str, ...] = UNSEEN, expected_head: int | None = None) -> Event:
        draft = Draft(
            body=body, by=by, witnesses=seen, scene=self.snapshot.scene if self.snapshot else None,
            story_time=self.snapshot.now if self.snapshot else None,
        )  # fmt: skip
        events = self.services.appender.append(
            self.conn, self.world.slug, self.timeline, [draft], expected_head=expected_head
        )
        return events[0]

    def not_while_telling(self) -> None:
        running = running_turn(self.conn, self.world.slug, self.timeline)
        if running is not None:
            raise TurnInProgress(f"Turn {running.number} is still being told.", "Wait for it to end, or stop it first.")


def roll_dice(conn: Connection, services: Services, intent: Roll) -> RollMade:
    """A roll at the table, seeded by its place on the timeline, so that it can be checked like any other."""
    desk = _Desk(conn, services, intent.world, intent.timeline)
    seed = turn_seed(desk.world.seed, f"{desk.timeline}@{desk.head + 1}")
    made = recorded(roll(intent.notation, seed), secret=intent.secret)
    desk.append(made, intent.by, seen=UNSEEN if intent.secret else PUBLIC)
    return made


def decide_proposal(conn: Connection, services: Services, intent: Decide) -> ProposalDecided:
    desk = _Desk(conn, services, intent.world, intent.timeline)
    proposal = get_proposal(conn, desk.path, intent.proposal)
    if not proposal.open and not intent.overrule:
        raise BadInput(
            f"Proposal {proposal.id} is already {proposal.status}: {proposal.reason}",
            "Overrule it with a note if you must.",
        )
    if intent.overrule and not intent.note.strip():
        raise BadInput("Overruling needs a note that says why.", "Add --note.")
    update = proposal.update
    if intent.claims is not None:
        update = msgspec.structs.replace(update, claims=intent.claims)
    body = decide(
        CanonView(conn, desk.path), intent.role, proposal.id, update, intent.decision,
        reason=intent.note or f"{intent.decision} by the {intent.role}", note=intent.note, overrule=intent.overrule,
    )  # fmt: skip
    desk.append(body, intent.by, expected_head=intent.expected_head)
    return body


def give_directive(conn: Connection, services: Services, intent: Direct) -> Event:
    desk = _Desk(conn, services, intent.world, intent.timeline)
    text = clean_action(intent.text) if intent.text or not intent.lifts else ""
    turn = desk.snapshot.turn_number if desk.snapshot else 0
    body = DirectiveGiven(
        text=text, source=intent.source, priority=intent.priority, scene_only=intent.scene_only,
        until_turn=turn + intent.turns if intent.turns is not None else None, lifts=intent.lifts, never=intent.never,
    )  # fmt: skip
    return desk.append(body, intent.by)


def play_x_card(conn: Connection, services: Services, intent: XCard) -> Event:
    """Anybody at the table may play it, and it needs no reason."""
    timeline = intent.timeline
    desk = _Desk(conn, services, intent.world, timeline)
    if intent.rewind and desk.snapshot is not None and desk.snapshot.turn_number > 0:
        timeline = backtrack(conn, services, Backtrack(world=intent.world, by=intent.by, timeline=timeline)).timeline
    return _for_safety(conn, services, intent, timeline, f"{FADE_OUT} {intent.note}".strip(), intent.note, priority=100)


def draw_boundary(conn: Connection, services: Services, intent: Bound) -> Event:
    """Anybody at the table may draw one, and it needs no reason."""
    words = clean_action(intent.text)
    text = f"{VEIL if intent.veiled else LINE} {words}"
    return _for_safety(conn, services, intent, intent.timeline, text, words, priority=90)


def _for_safety(
    conn: Connection, services: Services, asked: Intent, timeline: str | None, text: str, never: str, *, priority: int
) -> Event:
    wish = Direct(
        world=asked.world, by=asked.by, timeline=timeline, text=text, source="safety", priority=priority, never=never
    )
    return give_directive(conn, services, wish)


def edit_narration(conn: Connection, services: Services, intent: Edit) -> Event:
    desk = _Desk(conn, services, intent.world, intent.timeline)
    desk.not_while_telling()
    told = get_event(conn, desk.world.slug, intent.event)
    if not isinstance(told.body, NarrationTold) or not desk.path.holds(*parse_event_id(intent.event)):
        raise BadInput(
            f"{intent.event} is not a narration on this timeline.", "Only what the narrator told can be corrected."
        )
    body = NarrationEdited(event=intent.event, text=clean_action(intent.text))
    return desk.append(body, intent.by, seen=told.witnesses, expected_head=intent.expected_head)


def close_scene(conn: Connection, services: Services, intent: EndScene) -> str:
    desk = _Desk(conn, services, intent.world, intent.timeline)
    desk.not_while_telling()
    return end_scene(conn, services, desk.world.slug, desk.timeline, intent.reason or f"ended by {intent.by}").scene


def hear(conn: Connection, services: Services, intent: Hear) -> list[Event]:
    """Events told from outside, in a scene of their own; each is taken once by its idempotency key."""
    for draft in intent.drafts:
        if isinstance(draft.body, _NOT_HEARSAY):
            raise NotAllowed(f"{draft.body.kind} cannot be told from outside.", "Claims go through a proposal.")
    desk = _Desk(conn, services, intent.world, intent.timeline)
    drafts = [msgspec.structs.replace(d, scene=d.scene or intent.scene) for d in intent.drafts]
    return services.appender.append(conn, desk.world.slug, desk.timeline, drafts)
