"""What a dashboard should be: a grounded title, a short note, two to four hashtags, three to five goals, one angle."""

from __future__ import annotations

import re

from talekeeper.agents.companion.dashboard.markdown import Fields
from talekeeper.agents.companion.style import broken, sentence_count

LONGEST_TITLE = 140
LONGEST_POST = 500
HYPE = frozenset({"exclamation", "shouting", "follow", "selling", "begging", "enthusiasm"})
_HASHTAG = re.compile(r"(?<!\w)#\w+")


def validate(dashboard: Fields) -> tuple[str, ...]:
    """What is amiss, each a sentence for the operator; nothing when it is as it should be."""
    game = dashboard.game
    return (
        *_title(dashboard.stream_title, game),
        *_note(dashboard.go_live_notification, game),
        *_post(dashboard.social_post, game),
        *_goals(dashboard.session_goals, game),
        *_angle(dashboard.content_angle, game),
    )


def _title(title: str, game: str) -> tuple[str, ...]:
    if not title:
        return ("There is no stream title.",)
    long = (f"The stream title is longer than {LONGEST_TITLE} characters.",) if len(title) > LONGEST_TITLE else ()
    return (*long, *_hype("The stream title", title, game))


def _note(note: str, game: str) -> tuple[str, ...]:
    if not note:
        return ("There is no go-live note.",)
    long = ("The go-live note should be one or two sentences.",) if sentence_count(note) > 2 else ()
    return (*long, *_hype("The go-live note", note, game))


def _post(post: str, game: str) -> tuple[str, ...]:
    if not post:
        return ("There is no announcement.",)
    count = len(_HASHTAG.findall(post))
    tags = () if 2 <= count <= 4 else (f"The announcement has {count} hashtags; two to four are enough.",)
    long = (f"The announcement is longer than {LONGEST_POST} characters.",) if len(post) > LONGEST_POST else ()
    return (*tags, *long, *_hype("The announcement", _HASHTAG.sub("", post), game))


def _goals(goals: tuple[str, ...], game: str) -> tuple[str, ...]:
    count = () if 3 <= len(goals) <= 5 else (f"There are {len(goals)} goals; three to five can be kept in mind.",)
    return (*count, *(fault for n, goal in enumerate(goals, 1) for fault in _hype(f"Goal {n}", goal, game)))


def _angle(angle: str, game: str) -> tuple[str, ...]:
    if not angle:
        return ("There is no content angle.",)
    more = ("The content angle should be one thought, in one sentence.",) if sentence_count(angle) > 1 else ()
    return (*more, *_hype("The content angle", angle, game))


def _hype(what: str, text: str, game: str) -> tuple[str, ...]:
    # A game is called what it is called, be it in capitals.
    plain = text.replace(game, "it") if game else text
    rules = (rule for rule in broken(plain, limit=10_000, sentences=100) if rule.name in HYPE)
    return tuple(f"{what}: {rule.reason[0].lower()}{rule.reason[1:]}" for rule in rules)
