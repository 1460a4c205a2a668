"""Who and what the player's words name: full names, aliases, parts of names, one typo; only what the actor may know."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from talekeeper.agents.resolver.lexicon import BY_FIRST
from talekeeper.agents.resolver.words import Line, one_typo, stems
from talekeeper.agents.situation import Situation, Thing
from talekeeper.timeline.ids import entity_kind, is_entity

Where = Literal["here", "carried", "held", "exit", "self", "place", "elsewhere", "thread"]
"""carried: by the actor. held: by somebody present."""

_FILLER = frozenset("the a an of my your his her their our this that these those some".split())
_ROLE_ENDS = re.compile(r"[,.;(]|\b(?:of|who|at|in|from|and|with|for|to)\b")
_LONG_NAME = 5
_RANK: dict[Where, int] = {
    "here": 0, "carried": 1, "exit": 2, "held": 3, "elsewhere": 4, "thread": 5, "place": 6, "self": 7,
}  # fmt: skip


class Named(NamedTuple):
    """One thing that can be named."""

    id: str
    name: str
    where: Where
    holder: str = ""
    kind: str = ""


class Mention(NamedTuple):
    """`named`, said in the words `low` to `high`."""

    named: Named
    low: int
    high: int
    strength: int
    owner: bool = False


class _Name(NamedTuple):
    named: Named
    words: tuple[str, ...]
    head: int
    """Which word carries the name: the lantern of a brass lantern."""
    weak: bool
    """A loose hint (a way's words, a thread's topic): all its words must be said."""


class Names:
    """An index of everything nameable in one situation, and the mentions of it in one line."""

    def __init__(self, situation: Situation, line: Line) -> None:
        self._names: dict[str, list[tuple[_Name, int]]] = {}
        self.all: list[Named] = []
        self._gather(situation)
        self._found = self._mentions(line)

    def find(self, low: int, high: int, kinds: tuple[str, ...] = (), wheres: tuple[str, ...] = ()) -> list[Mention]:
        """Mentions within the words `low` to `high`, in the order they are said, none overlapping another."""
        fitting = [
            m
            for m in self._found
            if m.low >= low
            and m.high <= high
            and (not kinds or m.named.kind in kinds)
            and (not wheres or m.named.where in wheres)
        ]
        chosen: list[Mention] = []
        for mention in fitting:
            if all(mention.high <= other.low or mention.low >= other.high for other in chosen):
                chosen.append(mention)
        return sorted(chosen, key=lambda m: m.low)

    def _gather(self, situation: Situation) -> None:
        place = situation.place
        for person in situation.present:
            who = self._add(person.id, person.name, "here", person.aliases)
            if person.role:
                self._index(who, _role(person.role), weak=False)
            for thing in person.holds:
                self._add_thing(thing, "held", person.id)
        for thing in place.things:
            self._add_thing(thing, "here")
        for thing in situation.actor.holds:
            self._add_thing(thing, "carried", situation.actor.id)
        for way in place.exits:
            out = self._add(way.to, way.name, "exit")
            self._index(out, stems(way.way), weak=True)
        exits = {way.to: way for way in place.exits}
        for known in situation.elsewhere:
            if known.id in exits:
                out = self._add(known.id, known.name, "exit", known.aliases)
            else:
                self._add(known.id, known.name, "elsewhere", known.aliases)
        for thread in situation.threads:
            strand = self._add(thread.id, thread.name, "thread")
            for topic in thread.topics:
                if not is_entity(topic):
                    self._index(strand, stems(topic), weak=True)
        for clock in situation.clocks:
            self._add(clock.id, clock.name, "thread")
        self._add(place.id, place.name, "place")
        self._add(situation.actor.id, situation.actor.name, "self", situation.actor.aliases)

    def _add_thing(self, thing: Thing, where: Where, holder: str = "") -> None:
        self._add(thing.id, thing.name, where, thing.aliases, holder)

    def _add(self, entity: str, name: str, where: Where, aliases: Iterable[str] = (), holder: str = "") -> Named:
        named = Named(entity, name, where, holder, entity_kind(entity))
        self.all.append(named)
        self._index(named, stems(name), weak=False)
        for alias in aliases:
            self._index(named, stems(alias), weak=False)
        return named

    def _index(self, named: Named, words: tuple[str, ...], *, weak: bool) -> None:
        kept, head = _core(words)
        name = _Name(named, kept, head, weak)
        for position, word in enumerate(kept):
            self._names.setdefault(word, []).append((name, position))

    def _mentions(self, line: Line) -> list[Mention]:
        found: dict[tuple[str, int, int], Mention] = {}
        said = [self._known(word.stem) for word in line.words]
        for low, word in enumerate(said):
            for name, position in self._names.get(word, ()):
                mention = _match(line, said, low, name, position)
                if mention is not None:
                    key = (mention.named.id, mention.low, mention.high)
                    if key not in found or found[key].strength < mention.strength:
                        found[key] = mention
        return sorted(found.values(), key=lambda m: (-m.strength, m.low, _RANK[m.named.where], m.named.id))

    def _known(self, word: str) -> str:
        """The word, or the one long name it is a typo of."""
        if word in self._names or len(word) < _LONG_NAME or word in BY_FIRST:
            return word
        for name in self._names:
            if name[0] == word[0] and len(name) >= _LONG_NAME and one_typo(word, name):
                return name
        return word


def _match(line: Line, said: list[str], low: int, name: _Name, position: int) -> Mention | None:
    words = name.words
    at, matched, head = low, position, position == name.head
    while True:
        at, matched = at + 1, matched + 1
        while at < len(said) and said[at] in _FILLER and matched < len(words):
            at += 1
        if matched == len(words) or at >= len(said) or said[at] != words[matched]:
            break
        head = head or matched == name.head
    high = at
    while high > low + 1 and said[high - 1] in _FILLER:
        high -= 1
    count = matched - position
    whole = count == len(words)
    if not whole and (name.weak or (not head and name.named.kind != "person")):
        return None
    strength = count * 4 + whole * 2 + head - name.weak
    return Mention(name.named, low, high, strength, line.words[high - 1].owner)


@lru_cache(4096)
def _core(words: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """A name without its small words, and the place of its head: the last word before an `of`, else the last."""
    kept = tuple(word for word in words if word not in _FILLER) or words
    before = words[: words.index("of")] if "of" in words else words
    lead = tuple(word for word in before if word not in _FILLER)
    return kept, max((len(lead) or len(kept)) - 1, 0)


@lru_cache(1024)
def _role(role: str) -> tuple[str, ...]:
    return stems(_ROLE_ENDS.split(role, maxsplit=1)[0])
