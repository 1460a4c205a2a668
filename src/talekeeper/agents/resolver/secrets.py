"""Which secrets a deed could bring out, and which threads it touches."""

from __future__ import annotations

from collections.abc import Iterable

from talekeeper.agents.resolver.recognise import Recognised
from talekeeper.agents.resolver.words import read_line, stems
from talekeeper.agents.situation import Secret, Situation, Thread
from talekeeper.timeline.ids import entity_kind, is_entity
from talekeeper.timeline.vocabulary import Verb

_SPOKEN: frozenset[Verb] = frozenset(("ask", "persuade", "threaten", "deceive"))
_PRYING = frozenset("secret truth hide hiding everything confess honest lie lying really".split())
_UNTOUCHING: frozenset[Verb] = frozenset(("look", "wait", "rest", "defend"))


def within_reach(situation: Situation, action: Recognised, text: str) -> list[Secret]:
    """Secrets this deed could bring out, the best match first."""
    if action.verb in _SPOKEN:
        holders = {target for target in action.targets if entity_kind(target) == "person"}
    elif action.verb == "search":
        holders = {target for target in action.targets if entity_kind(target) != "person"}
        if not holders or situation.place.id in holders:
            holders |= {situation.place.id, *(thing.id for thing in situation.place.things)}
    elif action.verb == "examine":
        holders = {target for target in action.targets[:1] if entity_kind(target) != "person"}
    else:
        return []
    said = _stems(text)
    scored = []
    for secret in situation.secrets:
        if secret.holder not in holders:
            continue
        score = _overlap(secret.topics, _ids(action) - {secret.holder}, said)
        if action.verb not in _SPOKEN:
            score += 1
        elif not score and said & _PRYING and action.verb != "ask":
            score = 1
        if score:
            scored.append((-score, secret.id, secret))
    return [secret for _, _, secret in sorted(scored, key=lambda s: s[:2])]


def touched(situation: Situation, action: Recognised, text: str, also: Iterable[str] = ()) -> list[Thread]:
    """Open threads whose topics the deed names or reaches, the closest first. `also`: ids and words it led to."""
    if action.verb in _UNTOUCHING:
        return []
    ids = _ids(action) | {topic for topic in also if is_entity(topic)}
    said = _stems(text) | {stem for topic in also if not is_entity(topic) for stem in stems(topic)}
    scored = [
        (-score, -thread.idle_turns, thread.id, thread)
        for thread in situation.threads
        if thread.status == "open" and (score := (thread.id in ids) * 2 + _overlap(thread.topics, ids, said))
    ]
    return [thread for *_, thread in sorted(scored, key=lambda s: s[:3])]


def _ids(action: Recognised) -> set[str]:
    return {*action.targets, *action.mentioned, action.topic}


def _stems(text: str) -> set[str]:
    return {word.stem for word in read_line(text).words}


def _overlap(topics: tuple[str, ...], ids: set[str], said: set[str]) -> int:
    return sum(
        topic in ids if is_entity(topic) else bool(found := set(stems(topic))) and found <= said for topic in topics
    )
