"""What a player types: an action, or a /command. The same words in every client."""

from __future__ import annotations

from typing import Literal

import msgspec

from talekeeper.errors import BadInput
from talekeeper.loops.intents import (
    Act,
    AnyIntent,
    Backtrack,
    Bound,
    Direct,
    EndScene,
    Fork,
    Retry,
    Roll,
    Switch,
    XCard,
)

Question = Literal["recap", "why", "canon", "memories", "timelines", "proposals", "help", "quit"]


class Ask(msgspec.Struct, frozen=True):
    """A question to the keeper: nothing happens in the world."""

    what: Question
    about: str = ""


HELP: tuple[tuple[str, str], ...] = (
    ("/backtrack [TURN]", "back to just after that turn; without a number, one turn; -2 means two turns"),
    ("/undo", "take the last turn back"),
    ("/retry", "tell the last turn again, with the same dice"),
    ("/fork [NAME]", "go on from here on a timeline of its own"),
    ("/timelines", "list the timelines; /switch t2 goes to another"),
    ("/recap", "what has happened so far"),
    ("/why", "what the narrator was given for the last turn, and why"),
    ("/roll 2d6+1", "roll dice at the table"),
    ("/canon [NAME]", "what is known to be true"),
    ("/memories NAME", "what a character remembers"),
    ("/proposals", "claims that wait for a decision"),
    ("/directive TEXT", "tell the narrator what you want more or less of"),
    ("/line WORDS", "never tell of this; /veil WORDS keeps it out of sight instead"),
    ("/x [rewind]", "the X-card: leave this subject now; with rewind, also take the last turn back"),
    ("/scene end", "end the scene: its claims are judged, and the next scene opens"),
    ("/quit", "leave; everything is kept"),
)

_QUESTIONS: dict[str, Question] = {
    "recap": "recap", "why": "why", "canon": "canon", "memories": "memories", "memory": "memories",
    "timelines": "timelines", "proposals": "proposals", "help": "help", "?": "help", "quit": "quit", "exit": "quit",
}  # fmt: skip


def read_line(world: str, line: str) -> AnyIntent | Ask:
    """A line of play. A leading slash is a command; two of them begin an action with a slash."""
    text = line.strip()
    if not text.startswith("/") or text.startswith("//"):
        return Act(world=world, text=text.removeprefix("/") if text.startswith("//") else line)
    word, _, rest = text[1:].partition(" ")
    word, rest = word.lower(), rest.strip()
    if word in _QUESTIONS:
        return Ask(_QUESTIONS[word], rest)
    return _intent(world, word, rest)


def _intent(world: str, word: str, rest: str) -> AnyIntent:
    match word:
        case "backtrack" | "back":
            return _backtrack(world, rest)
        case "undo":
            return Backtrack(world=world, back=1)
        case "retry" | "swipe":
            return Retry(world=world, swipe=word == "swipe")
        case "fork":
            return Fork(world=world, name=rest)
        case "switch":
            return Switch(world=world, timeline=rest or None)
        case "roll":
            return Roll(world=world, notation=rest or "1d20")
        case "directive":
            if not rest:
                raise BadInput("What should the narrator do?", "For example: /directive slower, more weather.")
            return Direct(world=world, text=rest)
        case "line" | "veil":
            if not rest:
                raise BadInput("What should not be told?", f"For example: /{word} spiders.")
            return Bound(world=world, text=rest, veiled=word == "veil")
        case "x":
            return XCard(world=world, rewind=rest.lower() == "rewind", note="" if rest.lower() == "rewind" else rest)
        case "scene" if rest.lower().startswith("end"):
            return EndScene(world=world, reason=rest[3:].strip())
    raise BadInput(
        f"There is no command /{word[:40]}{f' {rest[:20]}' if word == 'scene' else ''}.", "Type /help for the list."
    )


def _backtrack(world: str, rest: str) -> Backtrack:
    if not rest:
        return Backtrack(world=world, back=1)
    number = rest.lower().removeprefix("turn").strip().rpartition("#")[2]
    try:
        turn = int(number)
    except ValueError:
        raise BadInput(f"{rest[:40]!r} is not a turn.", "Use its number, as in /backtrack 4.") from None
    return Backtrack(world=world, back=-turn) if turn < 0 else Backtrack(world=world, to=turn)
