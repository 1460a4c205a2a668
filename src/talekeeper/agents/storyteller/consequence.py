"""The first part of a turn: what came of the action, in the order a reader wants it."""

from __future__ import annotations

from talekeeper.agents.storyteller.naming import (
    full_stop,
    in_mid_sentence,
    in_prose,
    listed,
    sentence_case,
    thing_in_prose,
)
from talekeeper.agents.storyteller.players_words import spoken
from talekeeper.agents.storyteller.stage import SPEECH, Stage
from talekeeper.agents.storyteller.surroundings import exits, feel, people, things
from talekeeper.agents.storyteller.tense import in_past
from talekeeper.presets.line import read_lines


def consequence(stage: Stage) -> list[str]:
    """Sentences; the first always says what happened."""
    if stage.tier == "blocked":
        told = [_blocked(stage)]
    elif stage.telling.arrived_from is not None:
        told = _arrival(stage)
    elif stage.verb == "look":
        told = _survey(stage)
    elif stage.verb == "examine" and stage.good:
        told = _inspection(stage)
    elif stage.verb in SPEECH and (echo := _said(stage)):
        told = echo
    else:
        used = _used(stage)
        told = [used] if used and stage.tier == "plain" else [_done(stage), used]
    told += _changed(stage)
    told += _costs(stage)
    told += _harm(stage)
    told += _reveals(stage)
    told.append(_hour(stage))
    return [text for text in told if text]


def _said(stage: Stage) -> list[str]:
    """What the player said, in the player's words, and whether it went home."""
    said = stage.picker.once(spoken(stage.telling.action))
    if not said:
        return []
    told = [said, stage.frame("said_so") if said.startswith('"') else ""]
    if stage.tier != "plain":
        told.append(stage.frame("heard_well" if stage.good else "heard_ill"))
    return told


def _changed(stage: Stage) -> list[str]:
    """What the rules moved or opened that the line for the deed does not say."""
    told = []
    for claim in stage.outcome.consequences:
        thing = stage.thing is not None and claim.subj == stage.thing.id and claim.pred == "at"
        if thing and claim.obj == stage.telling.actor.id and stage.verb in ("persuade", "threaten", "deceive"):
            told.append(stage.frame("handed"))
        elif thing and claim.obj == stage.telling.place.id:
            told.append(stage.frame("laid_down"))
        elif claim.pred == "barred" and claim.retract:
            ways = [in_prose(way.name) for way in stage.telling.place.exits if way.to == claim.slot]
            told.append(stage.frame("unbarred", where=ways[0]) if ways else "")
    return told


def _hour(stage: Stage) -> str:
    """A new part of the day has begun meanwhile."""
    now = stage.book.daypart(stage.telling.now)
    before = stage.book.daypart(max(0, stage.telling.now - stage.outcome.minutes))
    place = stage.book.place(stage.telling.place.id)
    outside = place is None or not place.indoors
    return stage.picker.pick(now.lines, stage.slots) if outside and now.id != before.id else ""


def _done(stage: Stage) -> str:
    written = stage.picker.pick_first(stage.book.told(stage.verb, stage.tier), stage.slots)
    return written or _composed(stage)


def _composed(stage: Stage) -> str:
    """When every written line is told: a clause for the deed, one for how it went, and a manner."""
    bank = stage.book.bank
    manners, openings, verdicts = map(
        stage.fitting, (bank.manners, bank.openings[stage.verb], bank.verdicts[stage.tier])
    )
    tied = [text for text in openings if "{" in text]
    made = stage.picker.compose(
        (manners, tied or openings, verdicts), lambda parts: stage.fill(f"{parts[0]}{parts[1]}, {parts[2]}.")
    )
    return made or sentence_case(stage.fill(f"{openings[0]}, {verdicts[0]}."))


def _blocked(stage: Stage) -> str:
    why = stage.slots["blocked"]
    lead = stage.picker.pick_first(stage.book.told(stage.verb, "blocked"), stage.slots)
    lead = lead or stage.frame("blocked") or _composed(stage)
    # A reason told once is told again in another sentence: the player still has to know it.
    again = stage.frame("still_blocked", why=in_mid_sentence(why)) if why else ""
    return f"{lead} {stage.picker.once(why) or again or why}".strip()


def _arrival(stage: Stage) -> list[str]:
    place = stage.book.place(stage.telling.place.id)
    arrive = place.arrive if place else ()
    first = not any(stage.picker.is_used(line) for line in read_lines(arrive) if "first" in line.tags)
    went = "" if first and stage.picker.chance(0.5) else _done(stage)
    landed = stage.picker.pick(arrive, stage.slots, tag="first" if first else "again")
    if not landed:
        landed = feel(stage) or stage.frame("arrived")
    told = [went, landed]
    if not place and stage.telling.place.about:
        told.append(stage.picker.once(full_stop(stage.telling.place.about)))
    if first:
        told.append(feel(stage))
    return [*told, *people(stage)] if any(told) else [_composed(stage)]


def _survey(stage: Stage) -> list[str]:
    place = stage.book.place(stage.telling.place.id)
    look = place.look if place else stage.telling.place.about
    told = [stage.picker.once(full_stop(f"{in_prose(stage.telling.place.name)}: {look}"))] if look else []
    if not any(told):
        told = [_done(stage)]
    told += [feel(stage), feel(stage)]
    told += [*people(stage), things(stage), exits(stage)]
    return told


def _inspection(stage: Stage) -> list[str]:
    if stage.telling.actor.id in stage.outcome.targets:
        return _oneself(stage)
    if stage.thing is not None:
        known = stage.book.thing(stage.thing.id)
        told = [stage.frame("thing_look", look=stage.thing.look)] if stage.thing.look else []
        told = told if _first_time(stage, told) else [_done(stage)]
        own = (
            stage.picker.pick(known.examine, stage.slots) if known else stage.picker.once(full_stop(stage.thing.about))
        )
        if own:
            return [*told, own]
        return [*told, stage.frame("nothing_more")]
    if stage.person is not None:
        known_person = stage.book.person(stage.person.id)
        told = [stage.frame("person_look", look=stage.person.look)] if stage.person.look else []
        told = told if _first_time(stage, told) else [_done(stage)]
        return [*told, stage.picker.pick(known_person.idle, stage.slots) if known_person else _mood(stage)]
    return [_done(stage), feel(stage)]


def _oneself(stage: Stage) -> list[str]:
    actor = stage.telling.actor
    carried = listed([thing_in_prose(thing.name) for thing in actor.holds])
    told = [stage.frame("self_look", look=actor.look), stage.frame("carrying", things=carried)]
    return told if any(told) else [_done(stage)]


def _first_time(stage: Stage, told: list[str]) -> bool:
    """A look is told in full once; afterwards the eye goes on from there."""
    subject = stage.thing or stage.person
    return bool(told and told[0] and subject and stage.picker.once(f"look {subject.id}"))


def _used(stage: Stage) -> str:
    """The thing's own words for being used, opened or taken up."""
    if stage.thing is None or not stage.good or stage.verb not in ("use", "open", "search", "cast"):
        return ""
    known = stage.book.thing(stage.thing.id)
    return stage.picker.pick(known.use, stage.slots) if known else ""


def _mood(stage: Stage) -> str:
    return stage.frame("mood", mood=stage.person.mood) if stage.person and stage.person.mood else ""


def _costs(stage: Stage) -> list[str]:
    told = []
    for cost in stage.outcome.costs:
        written = stage.picker.pick(stage.book.bank.costs.get(cost, ()), stage.slots)
        told.append(written or stage.frame("cost", cost=in_past(cost)))
    return told


def _harm(stage: Stage) -> list[str]:
    down = [claim.subj for claim in stage.claims("condition") if claim.slot == "down" or claim.obj == "down"]
    told = []
    if stage.telling.actor.id in down:
        told.append(stage.frame("you_fall"))
    if stage.person is not None and stage.person.id in down:
        told.append(stage.frame("they_fall"))
    hurt = any(claim.subj == stage.telling.actor.id for claim in stage.claims("harm"))
    if hurt and not stage.outcome.costs and stage.verb != "rest":
        told.append(stage.frame("you_hurt"))
    return told


def _reveals(stage: Stage) -> list[str]:
    """Secrets the holder will not say in person this turn."""
    answering = stage.answers.id if stage.answers else ""
    told = []
    for reveal in stage.outcome.reveals:
        if reveal.holder == answering:
            continue
        secret = stage.book.secret(reveal.text)
        shown = stage.picker.pick(secret.shown, stage.slots) if secret else ""
        told.append(f"{shown or stage.frame('reveal')} {full_stop(in_past(reveal.text))}".strip())
    return told
