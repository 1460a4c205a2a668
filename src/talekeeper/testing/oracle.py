"""State by replay: slow, obvious folds over a plain list of events, which everything stored must agree with."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from talekeeper.canon.replay import State, replay
from talekeeper.timeline.ids import WORLD_ENTITY, parse_turn_id
from talekeeper.timeline.snapshots import WorldSnapshot
from talekeeper.timeline.vocabulary import (
    PUBLIC,
    ActionTaken,
    ChatSaid,
    DeedDone,
    DirectiveGiven,
    Event,
    LineSpoken,
    NarrationEdited,
    NarrationTold,
    ProposalDecided,
    ProposalStaged,
    SceneOpened,
    SecretTold,
)

History = Sequence[Event]


def canon(history: History) -> State:
    return replay(history)


def proposals(history: History) -> dict[str, str]:
    """Where each proposal stands that was staged, or refused at once: somebody may still overrule that."""
    status: dict[str, str] = {}
    for event in history:
        if isinstance(event.body, ProposalStaged):
            status[event.id] = "staged"
        elif isinstance(event.body, ProposalDecided):
            if event.body.proposal in status:
                status[event.body.proposal] = event.body.decision
            elif not event.body.proposal and event.body.decision == "rejected":
                status[event.id] = "rejected"
    return status


def told_lines(history: History) -> set[str]:
    lines: set[str] = set()
    for event in history:
        if isinstance(event.body, NarrationTold):
            lines.update(event.body.lines)
        elif isinstance(event.body, LineSpoken) and event.body.line:
            lines.add(event.body.line)
    return lines


def turns(history: History) -> list[str]:
    """Turn ids in the order in which they happened."""
    return list(dict.fromkeys(event.turn for event in history if event.turn is not None))


def narrations(history: History) -> dict[str, str]:
    """Every narration as it reads now, corrections applied."""
    text: dict[str, str] = {}
    for event in history:
        if isinstance(event.body, NarrationTold):
            text[event.id] = event.body.text
        elif isinstance(event.body, NarrationEdited):
            text[event.body.event] = event.body.text
    return text


def directives(history: History, scene: str, turn_number: int) -> set[str]:
    """The directives in force."""
    given: set[str] = set()
    for event in history:
        body = event.body
        if isinstance(body, DirectiveGiven):
            given.discard(body.lifts)
            over = body.until_turn is not None and turn_number > body.until_turn
            if body.text and not over and (not body.scene_only or event.scene == scene):
                given.add(event.id)
    return given


def remembered(history: History, holder: str, word: str) -> set[str]:
    """Events whose words, in any of their wordings, hold `word`, and which `holder` witnessed; edits by their original."""
    found: set[str] = set()
    for event in history:
        if event.witnesses != PUBLIC and holder not in event.witnesses:
            continue
        if _words(_text(event)) & {word, f"{word}s", f"{word}es", f"{word}ed", f"{word}ing"}:
            found.add(event.body.event if isinstance(event.body, NarrationEdited) else event.id)
    return found


def snapshot(history: History) -> WorldSnapshot | None:
    """The picture after the last turn or the last opening of a scene, whichever came later."""
    now: WorldSnapshot | None = None
    for n, event in enumerate(history):
        ends_turn = event.turn is not None and (n + 1 == len(history) or history[n + 1].turn != event.turn)
        if isinstance(event.body, SceneOpened):
            now = _opened(now, history[: n + 1], event, event.body)
        elif isinstance(event.body, NarrationTold) and event.turn is None and now is not None:
            continue
        elif ends_turn and now is not None:
            now = _after_turn(now, history[: n + 1], event)
    return now


def _opened(before: WorldSnapshot | None, history: History, event: Event, body: SceneOpened) -> WorldSnapshot:
    state = canon(history)
    weather = before.weather if before else _text_of(state, WORLD_ENTITY, "weather")
    return WorldSnapshot(
        scene=body.scene, scene_seq=event.seq, scene_turns=0, turn_number=before.turn_number if before else 0,
        place=body.place, now=_number_of(state, WORLD_ENTITY, "time"), weather=weather, participants=body.participants,
    )  # fmt: skip


def _after_turn(before: WorldSnapshot, history: History, last: Event) -> WorldSnapshot:
    state = canon(history)
    action = next(e.body for e in history if e.turn == last.turn and isinstance(e.body, ActionTaken))
    place = _text_of(state, action.actor, "at")
    people = sorted(
        subj for (subj, pred, _), (obj, _) in state.items()
        if pred == "at" and obj == place and subj.startswith("person/")
    )  # fmt: skip
    return msgspec.structs.replace(
        before, scene_turns=before.scene_turns + 1, turn_number=parse_turn_id(last.turn or "")[1], place=place,
        now=_number_of(state, WORLD_ENTITY, "time"), weather=_text_of(state, WORLD_ENTITY, "weather"),
        participants=tuple(people) if place else (),
    )  # fmt: skip


def _text_of(state: State, subj: str, pred: str) -> str:
    found = state.get((subj, pred, ""))
    return "" if found is None else str(found[0])


def _number_of(state: State, subj: str, pred: str) -> int:
    found = state.get((subj, pred, ""))
    return 0 if found is None else int(found[0])


def _text(event: Event) -> str:
    match event.body:
        case (
            LineSpoken(text=text) | ChatSaid(text=text) | ActionTaken(text=text) | DeedDone(text=text)
            | SecretTold(text=text) | NarrationTold(text=text) | NarrationEdited(text=text)
        ):  # fmt: skip
            return text
    return ""


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))
