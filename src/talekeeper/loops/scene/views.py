"""What a teller is shown: the world as the acting character perceives it after the outcome, or as one character knows it."""

from __future__ import annotations

from sqlalchemy import Connection

from talekeeper.agents.context import knowledge
from talekeeper.agents.situate import read_person, read_place
from talekeeper.agents.teller import Telling, Voicing
from talekeeper.canon.view import CanonView
from talekeeper.loops.scene.work import TurnWork
from talekeeper.memory.recall import recall
from talekeeper.rules.dice import roll_seed
from talekeeper.timeline.ids import WORLD_ENTITY, entity_kind
from talekeeper.timeline.told_lines import told_lines

_MEMORIES = 4


def telling_of(conn: Connection, work: TurnWork) -> Telling:
    before = work.situation_now(conn)
    view = CanonView(conn, work.base_path(conn))
    resolution, outcome, manifest = work.resolution, work.outcome, work.manifest
    view.apply(outcome.consequences, "rules")
    here, inside = _here(view, work.turn.actor)
    cast = [p for p in inside if p != work.turn.actor and entity_kind(p) == "person"]
    moved = here != before.place.id
    return Telling(
        world=before.world, title=before.title, preset=before.preset, tone=work.services.tone(work.world),
        turn_number=before.turn_number, now=view.now, weather=view.text(WORLD_ENTITY, "weather"),
        place=read_place(view, here, inside), arrived_from=before.place if moved else None,
        actor=read_person(view, work.turn.actor, work.turn.actor, view.pointing_at("at", work.turn.actor)),
        cast=tuple(read_person(view, p, work.turn.actor, view.pointing_at("at", p)) for p in cast),
        action=work.action, outcome=outcome, rolls=(resolution.roll,) if resolution.roll else (),
        threads=before.threads, clocks=before.clocks,
        premise=manifest.of("World"), context=manifest.sections(), recent=manifest.of("Recent turns"),
        directives=manifest.of("Directives"),
        used=told_lines(conn, view.path), seed=roll_seed(before.seed, 100 + work.turn.attempt),
    )  # fmt: skip


def voicing_of(conn: Connection, work: TurnWork, who: str, about: str, told_so_far: str, cue: int) -> Voicing:
    """One character's knowledge and nothing else: open facts around them, their own mind, what they witnessed."""
    view = CanonView(conn, work.base_path(conn))
    outcome = work.outcome
    view.apply(outcome.consequences, "rules")
    actor = work.turn.actor
    here, inside = _here(view, actor)
    around = [here, *(e for e in inside if e != who)]
    remembered = recall(conn, view.path, who, f"{work.action} {about} {view.name(actor)}", limit=_MEMORIES)
    return Voicing(
        world=work.world.slug, title=work.world.title, preset=work.world.preset, tone=work.services.tone(work.world),
        premise=work.manifest.of("World"),
        now=view.now, weather=view.text(WORLD_ENTITY, "weather"), place=view.name(here),
        speaker=read_person(view, who, actor, view.pointing_at("at", who)),
        goals=tuple(str(f.obj) for f in view.many(who, "goal")),
        traits=tuple(str(f.obj) for f in view.many(who, "trait")),
        to=read_person(view, actor, actor), about=about, action=work.action, outcome=outcome,
        knows=knowledge(view, who, around),
        remembers=tuple(f"{view.name(m.speaker)}: {m.text}" if m.speaker else m.text for m in remembered),
        may_reveal=tuple(r.text for r in outcome.reveals if r.holder == who),
        told_so_far=told_so_far, directives=work.manifest.of("Directives"),
        used=told_lines(conn, view.path), seed=roll_seed(work.seed, 200 + 10 * work.turn.attempt + cue),
    )  # fmt: skip


def _here(view: CanonView, actor: str) -> tuple[str, list[str]]:
    here = view.text(actor, "at")
    inside = view.pointing_at("at", here) if here else []
    view.load([here, *inside])
    return here, inside
