"""Canon over HTTP: entity pages as of any turn, why a fact is believed, and the proposals that wait for a decision."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from fastapi import Path, Query
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.canon import pages
from talekeeper.canon.predicates import PREDICATES
from talekeeper.canon.proposals import proposals as all_proposals
from talekeeper.canon.view import CanonView
from talekeeper.doors.common.seats import Seat
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import Running, TheHouse, TheTable, Watching
from talekeeper.doors.web.play import Outcome, outcome
from talekeeper.doors.web.turns import TimelineName
from talekeeper.errors import BadInput, NotAllowed, NotFound
from talekeeper.loops.intents import Decide
from talekeeper.timeline import lineage
from talekeeper.timeline.ids import ENTITY_KINDS, entity_kind
from talekeeper.timeline.turns import last_turn, turn_on_path
from talekeeper.timeline.worlds import get_world

router = api_router("/worlds/{world}", "canon")

Kind = Annotated[str, Path(max_length=20, examples=["person"])]
Slug = Annotated[str, Path(max_length=96, examples=["mara"])]
AsOf = Annotated[int | None, Query(ge=0, le=10**9, description="As it was just after this turn; 0 is the opening.")]


class EntityCard(BaseModel):
    id: str
    kind: str
    name: str


class FactOut(BaseModel):
    pred: str
    slot: str
    obj: str | int | float | bool
    says: str = Field(description="The fact as a sentence.")
    since: str = Field(description="The event that made it a fact.")
    role: str = Field(description="Who decided it.")


class HeldOut(BaseModel):
    id: str
    name: str


class EntityOut(BaseModel):
    id: str
    name: str
    aliases: list[str]
    status: str
    facts: list[FactOut]
    relations: list[FactOut]
    held: list[HeldOut]


class ReasonOut(BaseModel):
    event: str
    asserted: bool
    obj: str | int | float | bool
    role: str
    reason: str
    evidence: list[str]
    note: str


class ClaimOut(BaseModel):
    subj: str
    name: str
    pred: str
    obj: str | int | float | bool
    slot: str
    retract: bool


class ProposalOut(BaseModel):
    id: str
    role: str
    claims: list[ClaimOut]
    why: str
    evidence: list[str]
    turn: str | None
    status: str = Field(description="staged, needs_review, accepted or rejected")
    reason: str
    contradicts: str
    note: str
    decided_by: str
    open: bool


class Decision(BaseModel):
    decision: Literal["accepted", "rejected"]
    note: str = Field(default="", max_length=2000)
    overrule: bool = Field(default=False, description="Accept in spite of what stands against it; needs a note.")
    expected_head: int | None = None


def chosen_path(conn: Connection, world: str, timeline: str | None = None, as_of: int | None = None) -> lineage.Path:
    """The active timeline or another, up to the end of a turn if one is named."""
    past = lineage.path(conn, world, timeline or get_world(conn, world).active)
    if as_of is None:
        return past
    last = last_turn(conn, past)
    newest = last.number if last else 0
    if as_of > newest:
        raise BadInput(f"There is no turn {as_of} on {past.timeline}.", f"Choose one from 0 to {newest}.")
    turn = turn_on_path(conn, past, max(as_of, 1))
    if turn is None:
        return past
    return past.until(turn.last_seq if as_of else turn.base_seq)


@router.get("/entities", summary="Everybody and everything canon knows")
async def entities(
    seat: Watching,
    house: TheHouse,
    kind: Annotated[str | None, Query(max_length=20, description=", ".join(ENTITY_KINDS))] = None,
    timeline: TimelineName = None,
) -> list[EntityCard]:
    def look(conn: Connection) -> list[EntityCard]:
        view = CanonView(conn, chosen_path(conn, seat.world, timeline))
        return [EntityCard(id=e, kind=entity_kind(e), name=view.name(e)) for e in view.entities(kind)]

    return await house.store.read(look)


@router.get("/entities/{kind}/{slug}", summary="What holds of something, as of when")
async def entity(
    seat: Watching,
    house: TheHouse,
    kind: Kind,
    slug: Slug,
    as_of: AsOf = None,
    hidden: Annotated[bool, Query(description="Also what only the game master may see.")] = False,
    timeline: TimelineName = None,
) -> EntityOut:
    if hidden:
        seat.check("run")

    def look(conn: Connection) -> EntityOut:
        past = chosen_path(conn, seat.world, timeline, as_of)
        view = CanonView(conn, past)
        page = pages.page(conn, past, _known(view, kind, slug), hidden=hidden)
        mind = seat.may("run") or page.id == (seat.actor or get_world(conn, seat.world).player)
        return EntityOut(
            id=page.id, name=page.name, aliases=list(page.aliases), status=page.status,
            facts=[_fact(line) for line in page.facts if mind or PREDICATES[line.pred].sight == "open"],
            relations=[_fact(line) for line in page.relations if mind or PREDICATES[line.pred].sight == "open"],
            held=[HeldOut(id=e, name=view.name(e)) for e in page.held],
        )  # fmt: skip

    return await house.store.read(look)


@router.get("/entities/{kind}/{slug}/why", summary="Why a fact is believed: each decision about it, with its evidence")
async def why(
    seat: Watching,
    house: TheHouse,
    kind: Kind,
    slug: Slug,
    pred: Annotated[str, Query(max_length=40)],
    slot: Annotated[str, Query(max_length=200)] = "",
    timeline: TimelineName = None,
) -> list[ReasonOut]:
    def look(conn: Connection) -> list[ReasonOut]:
        past = chosen_path(conn, seat.world, timeline)
        subject = _known(CanonView(conn, past), kind, slug)
        _check_sight(seat, subject, pred, get_world(conn, seat.world).player)
        return [ReasonOut(**_builtins(reason)) for reason in pages.why(conn, past, subject, pred, slot)]

    return await house.store.read(look)


@router.get("/proposals", summary="What was claimed, and what became of it; newest last")
async def proposals(
    seat: Running,
    house: TheHouse,
    all_: Annotated[bool, Query(alias="all", description="Decided ones too.")] = False,
) -> list[ProposalOut]:
    def look(conn: Connection) -> list[ProposalOut]:
        past = chosen_path(conn, seat.world)
        view = CanonView(conn, past)
        return [
            ProposalOut(
                id=p.id, role=p.role, why=p.why, evidence=list(p.evidence), turn=p.turn, status=p.status,
                reason=p.reason, contradicts=p.contradicts, note=p.note, decided_by=p.decided_by, open=p.open,
                claims=[
                    ClaimOut(subj=c.subj, name=view.name(c.subj), pred=c.pred, obj=c.obj, slot=c.slot, retract=c.retract)
                    for c in p.claims
                ],
            )
            for p in all_proposals(conn, past)
            if all_ or p.open
        ]  # fmt: skip

    return await house.store.read(look)


@router.post("/proposals/{proposal}/decide", summary="Accept or refuse a claim")
async def decide(
    seat: Running,
    proposal: Annotated[str, Path(max_length=40, examples=["t1@57"])],
    decision: Decision,
    at: TheTable,
) -> Outcome:
    wish = Decide(
        world=seat.world, proposal=proposal, decision=decision.decision, note=decision.note,
        overrule=decision.overrule, expected_head=decision.expected_head,
    )  # fmt: skip
    return outcome(seat.world, await at.carry_out(seat, wish))


def _known(view: CanonView, kind: str, slug: str) -> str:
    entity = kind if kind == "world" else f"{kind}/{slug}"
    if not view.exists(entity):
        raise NotFound(f"Canon knows nothing called {entity[:80]!r}.", "See the list of entities.")
    return entity


def _check_sight(seat: Seat, subject: str, pred: str, player: str) -> None:
    predicate = PREDICATES.get(pred)
    if predicate is None:
        raise BadInput(f"{pred[:40]!r} is not something canon can say.")
    own = subject == (seat.actor or player)
    if predicate.sight != "open" and not seat.may("run") and not (own and predicate.sight == "subject"):
        raise NotAllowed("That is not yours to know.", "The game master can see it.")


def _fact(line: pages.Line) -> FactOut:
    return FactOut(**_builtins(line))


def _builtins(value: msgspec.Struct) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(value)
    return built
