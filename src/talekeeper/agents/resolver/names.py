"""Who and what the player's words name: full names, aliases, parts of names, one typo; only what the actor may know."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from talekeeper.agents.resolver.lexicon import BY_FIRST
from talekeeper.agents.resolver.words import Line, one_typo, stems
from talekeeper.agents.situation import Situation
from talekeeper.timeline.ids import entity_kind, is_entity

Where = Literal["here", "carried", "held", "exit", "self", "place", "elsewhere", "thread"]
"""carried: by the actor. held: by somebody present."""

_FILLER = frozenset("the a an of my your his her their our this that these those some".split())
_ROLE_ENDS = re.compile(r"[,.;(]|\b(?:of|who|at|in|from|and|with|for|to)\b")
_ADDED = frozenset("of at in on with from by under for who".split())
"""Where what only tells more begins: the desk of the boy at the small desk is not the boy."""
_LONG_NAME = 5
_RANK: dict[Where, int] = {
    "here": 0, "carried": 1, "exit": 2, "held": 3, "elsewhere": 4, "thread": 5, "place": 6, "self": 7,
}  # fmt: skip


class Named(NamedTuple):
    """Something that was named."""

    id: str
    where: Where
    kind: str


class Mention(NamedTuple):
    """`named`, said in the words `low` to `high`."""

    named: Named
    low: int
    high: int
    strength: int
    whole: bool
    owner: bool = False


class _Core(NamedTuple):
    """A name without its small words."""

    words: tuple[str, ...]
    head: int
    """Which word carries the name: the lantern of a brass lantern."""
    all: frozenset[str]
    long: frozenset[str]


class _Name(NamedTuple):
    named: Named
    core: _Core
    weak: bool


_Spoken = tuple[str, Where, str, bool]
"""Entity, where it is, one of its names, and whether that is a loose hint, all of whose words must be said."""


class Names:
    """The mentions, in one line, of everything nameable in one situation."""

    def __init__(self, situation: Situation, line: Line) -> None:
        said = [word.stem for word in line.words]
        index, long = _index(situation, frozenset(said))
        corrected = [_corrected(word, index, long) for word in said]
        if corrected != said:
            index, _ = _index(situation, frozenset(corrected))
        self._found = _mentions(line, corrected, index)

    def find(self, low: int, high: int, kinds: tuple[str, ...] = (), wheres: tuple[str, ...] = ()) -> list[Mention]:
        """Mentions within the words `low` to `high`, in the order they are said, none overlapping another."""
        chosen: list[Mention] = []
        for mention in self._found:
            if (
                low <= mention.low
                and mention.high <= high
                and (not kinds or mention.named.kind in kinds)
                and (not wheres or mention.named.where in wheres)
                and all(mention.high <= other.low or mention.low >= other.high for other in chosen)
            ):
                chosen.append(mention)
        chosen.sort(key=lambda m: m.low)
        return chosen


def _index(situation: Situation, said: frozenset[str]) -> tuple[dict[str, list[tuple[_Name, int]]], set[str]]:
    """The names that share a word with the line, by word; and every long word of any name."""
    index: dict[str, list[tuple[_Name, int]]] = {}
    long: set[str] = set()
    for entity, where, words, weak in _spoken(situation):
        core = _core(words)
        long |= core.long
        if said.isdisjoint(core.all):
            continue
        name = _Name(Named(entity, where, entity_kind(entity)), core, weak)
        for position, word in enumerate(core.words):
            index.setdefault(word, []).append((name, position))
    return index, long


def _spoken(situation: Situation) -> Iterator[_Spoken]:
    for person in situation.present:
        yield person.id, "here", person.name, False
        yield from ((person.id, "here", alias, False) for alias in person.aliases)
        if person.role:
            yield person.id, "here", _ROLE_ENDS.split(person.role, maxsplit=1)[0], False
        for thing in person.holds:
            yield from ((thing.id, "held", name, False) for name in (thing.name, *thing.aliases))
    for thing in situation.place.things:
        yield from ((thing.id, "here", name, False) for name in (thing.name, *thing.aliases))
    for thing in situation.actor.holds:
        yield from ((thing.id, "carried", name, False) for name in (thing.name, *thing.aliases))
    exits = {way.to for way in situation.place.exits}
    for way in situation.place.exits:
        yield way.to, "exit", way.name, False
        yield way.to, "exit", way.way, True
    for known in situation.elsewhere:
        where: Where = "exit" if known.id in exits else "elsewhere"
        yield known.id, where, known.name, False
        for alias in known.aliases:
            yield known.id, where, alias, False
    for thread in situation.threads:
        yield thread.id, "thread", thread.name, False
        yield from ((thread.id, "thread", topic, True) for topic in thread.topics if not is_entity(topic))
    for clock in situation.clocks:
        yield clock.id, "thread", clock.name, False
    yield situation.place.id, "place", situation.place.name, False
    for name in (situation.actor.name, *situation.actor.aliases):
        yield situation.actor.id, "self", name, False


def _corrected(word: str, index: dict[str, list[tuple[_Name, int]]], long: set[str]) -> str:
    """The word, or the long name it is a typo of."""
    if len(word) < _LONG_NAME or word in index or word in long or word in BY_FIRST:
        return word
    return min((name for name in long if name[0] == word[0] and one_typo(word, name)), default=word)


def _mentions(line: Line, said: list[str], index: dict[str, list[tuple[_Name, int]]]) -> list[Mention]:
    """All mentions, the strongest first."""
    found: dict[tuple[str, int, int], Mention] = {}
    for low, word in enumerate(said):
        for name, position in index.get(word, ()):
            mention = _match(line, said, low, name, position)
            if mention is not None:
                key = (mention.named.id, mention.low, mention.high)
                if key not in found or found[key].strength < mention.strength:
                    found[key] = mention
    clear = [mention for mention in found.values() if not _fits_none(line, said, mention, found.values())]
    return sorted(clear, key=lambda m: (-m.strength, m.low, _RANK[m.named.where], m.named.id))


def _fits_none(line: Line, said: list[str], mention: Mention, found: Collection[Mention]) -> bool:
    """The customs house is neither the brick house nor the sluice house, though the house might be either."""
    low = mention.low
    if mention.whole or mention.named.kind != "place" or low < 2 or line.words[low - 2].text not in _FILLER:
        return False
    rivals = {m.named.id for m in found if m.low == low and m.named.kind == "place"}
    return len(rivals) > 1 and said[low - 1] not in _FILLER


def _match(line: Line, said: list[str], low: int, name: _Name, position: int) -> Mention | None:
    words = name.core.words
    at, matched, head = low, position, position == name.core.head
    while True:
        at, matched = at + 1, matched + 1
        while at < len(said) and said[at] in _FILLER and matched < len(words):
            at += 1
        if matched == len(words) or at >= len(said) or said[at] != words[matched]:
            break
        head = head or matched == name.core.head
    high = at
    while high > low + 1 and said[high - 1] in _FILLER:
        high -= 1
    count = matched - position
    whole = count == len(words)
    if not whole and (name.weak or position > name.core.head or (not head and name.named.kind != "person")):
        return None
    strength = count * 4 + whole * 2 + head - name.weak
    return Mention(name.named, low, high, strength, whole, line.words[high - 1].owner)


@lru_cache(16384)
def _core(name: str) -> _Core:
    """The head is the last word before an `of` or the like, else the last."""
    words = stems(name)
    kept = tuple(word for word in words if word not in _FILLER) or words
    before = words[: next((n for n, word in enumerate(words) if n and word in _ADDED), len(words))]
    lead = tuple(word for word in before if word not in _FILLER)
    long = frozenset(word for word in kept if len(word) >= _LONG_NAME)
    return _Core(kept, max((len(lead) or len(kept)) - 1, 0), frozenset(kept), long)
