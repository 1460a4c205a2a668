"""A dashboard from a few answers, without a model: grounded in what was said, with no hype, the same for the same answers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import msgspec

from talekeeper.agents.companion.dashboard.dashboard import Dashboard
from talekeeper.agents.companion.dashboard.markdown import render
from talekeeper.agents.companion.style import clean
from talekeeper.errors import BadInput

_NEW = re.compile(r"\b(?:first|new|never|blind|unfamiliar|beginner|none|no)\b", re.IGNORECASE)
_OLD = re.compile(r"\b(?:veteran|expert|very|well|again|re-?play|many|often|years|familiar|returning)\b", re.IGNORECASE)
_HOUR = re.compile(r"(?:T|^|\s)([01]?\d|2[0-3]):[0-5]\d")
_LONGEST = 80


class GeneratorInput(msgspec.Struct, frozen=True, kw_only=True):
    game: str = ""
    mood: str = ""
    familiarity: str = ""
    """First time, a few hours, knows it well: in the streamer's own words."""
    experience: str = ""
    """What happened last: `reached the second lake`."""
    start_time: str = ""


def generate(answers: GeneratorInput) -> Dashboard:
    said = {name: _short(getattr(answers, name)) for name in answers.__struct_fields__}
    game = " ".join(re.sub(r"[#<>*`{}]", "", clean(answers.game)).split())[:_LONGEST]
    if not game:
        raise BadInput("A dashboard is written around a game.", "Name the game, or what else the stream is about.")
    mood = said["mood"].rstrip(".").casefold()
    pace = _with_article(mood if mood and len(mood.split()) <= 2 and mood.isascii() else "unhurried")
    last = _as_clause(said["experience"])
    stage = _stage(said["familiarity"])
    hour = _hour(said["start_time"])
    pick = _Pick("|".join(said.values()))
    dashboard = Dashboard(
        stream_title=pick(_TITLES[stage]).format(game=game, pace=pace),
        game=game,
        mood=mood or "unhurried",
        go_live_notification=_note(game, pace, last, hour, pick),
        social_post=_post(game, pace, mood, hour, pick),
        session_goals=_goals(game, last, stage, pick),
        content_angle=pick(_ANGLES[stage]).format(game=game),
    )
    return msgspec.structs.replace(dashboard, raw_markdown=render(dashboard))


_TITLES = {
    "new": ("{game}: first steps, {pace} pace", "Meeting {game} for the first time", "{game} from the beginning"),
    "some": ("{game}, {pace} session", "Further into {game}, {pace} pace", "{game}: picking up the thread"),
    "old": ("{game} again, looking closer", "{game}: {pace} return", "Old paths in {game}, {pace} pace"),
}
_ANGLES = {
    "new": (
        "What {game} teaches before it explains anything.",
        "How a place in {game} becomes familiar.",
        "First impressions of {game}, and what they leave out.",
    ),
    "some": (
        "What {game} asks of the one who plays it.",
        "Small choices in {game} and what they turn into.",
        "Where {game} slows down, and why.",
    ),
    "old": (
        "What shows in {game} only the second time.",
        "Knowing {game} well, and still being surprised by it.",
        "The details of {game} that hurry walks past.",
    ),
}
_GOALS = {
    "new": (
        "Learn how {game} wants to be played.",
        "Take the first hour without a guide.",
        "Name one thing that was unexpected.",
    ),
    "some": (
        "Finish one open thread before starting another.",
        "Look at one place in {game} twice.",
        "Say aloud why a choice was made.",
    ),
    "old": (
        "Try one thing in {game} never tried before.",
        "Show one detail that is easy to miss.",
        "Let one favourite moment take its time.",
    ),
}
_LAST_GOALS = ("Leave room for silence and for questions.", "End with a few words on what stays open.")


def _goals(game: str, last: str, stage: str, pick: _Pick) -> tuple[str, ...]:
    first = (f"Go on from where it stopped: {last}.",) if last else ()
    return (*first, *(goal.format(game=game) for goal in _GOALS[stage]), pick(_LAST_GOALS))[:5]


def _note(game: str, pace: str, last: str, hour: str, pick: _Pick) -> str:
    opening = pick(
        ("Live now with {game}, at {pace} pace.", "{game} {hour}, at {pace} pace.", "Live with {game} {hour}.")
    )
    start = opening.format(game=game, pace=pace, hour=hour)
    return f"{start} Last time: {last}." if last else f"{start} There is time to look around."


def _post(game: str, pace: str, mood: str, hour: str, pick: _Pick) -> str:
    tags = list(dict.fromkeys(filter(None, (_tag(game), _tag(mood), "#SmallStreams", "#SlowGaming"))))[:4]
    text = pick(("{game} {hour}, at {pace} pace.", "{game} {hour}, {pace} session."))
    return f"{text.format(game=game, pace=pace, hour=hour)} {' '.join(tags)}"


def _with_article(mood: str) -> str:
    return f"{'an' if mood[0] in 'aeiou' else 'a'} {mood}"


def _stage(familiarity: str) -> str:
    if _NEW.search(familiarity) or not familiarity:
        return "new" if familiarity else "some"
    return "old" if _OLD.search(familiarity) else "some"


def _hour(start: str) -> str:
    found = _HOUR.search(start)
    if not found:
        return "today"
    hour = int(found[1])
    return "this morning" if 5 <= hour < 12 else "this afternoon" if 12 <= hour < 18 else "tonight"


def _tag(text: str) -> str:
    letters = "".join(word.capitalize() for word in re.findall(r"[^\W_]+", text))
    return f"#{letters}" if letters and not letters.isdigit() and len(letters) <= 30 else ""


def _as_clause(text: str) -> str:
    text = text.rstrip(".!? …")
    return text[:1].lower() + text[1:] if text[1:2].islower() and not text.startswith("I ") else text


def _short(text: str) -> str:
    """One calm line: people write titles with noise in them."""
    line = re.sub(r"[!?]{2,}", "", re.sub(r"[#<>*`{}]", "", clean(text))).strip()
    if line.isupper() and len(line) > 5:
        line = line.capitalize()
    return line if len(line) <= _LONGEST else line[:_LONGEST].rsplit(" ", 1)[0]


class _Pick:
    """One of a few, by what was answered: no dice, so the same answers give the same dashboard."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def __call__(self, options: Sequence[str]) -> str:
        digest = hashlib.blake2b(f"{self._seed}|{'|'.join(options)}".encode(), digest_size=4).digest()
        return options[int.from_bytes(digest) % len(options)]
