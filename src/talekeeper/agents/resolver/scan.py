"""Finds persons, things, ways and topics in a stretch of a player's words."""

from __future__ import annotations

from typing import NamedTuple

from talekeeper.agents.resolver.lexicon import Need
from talekeeper.agents.resolver.names import Mention, Names
from talekeeper.agents.resolver.persons import PRONOUNS, described, meant
from talekeeper.agents.resolver.words import Line, stems
from talekeeper.agents.situation import Situation
from talekeeper.timeline.vocabulary import Verb

PERSON = ("person",)
ITEM = ("item",)
PLACE = ("place",)
HERE = ("here",)
NEAR = ("here", "carried", "held", "exit")

ARTICLES = frozenset("the a an my your his her their our its some this that these those any every each all".split())
PREPOSITIONS = frozenset(
    "from to with at on in into using off against for about under behind by through toward towards near inside onto"
    " upon over around across past beside between beneath regarding concerning after of along that if whether what why"
    " how where who when until down up out away".split()
)
_SMALL = (
    ARTICLES
    | PREPOSITIONS
    | frozenset(
        "it him me us them i we you he she they here there again now please and or then back outside forward home"
        " everything something anything nothing myself himself herself themselves things stuff much more very really so"
        " too also just right straight quickly slowly carefully quietly closely place room area is are was do does did"
        " have has know not be been".split()
    )
)
_FLOORS = {"downstair": {"down", "stair", "step"}, "upstair": {"up", "stair", "step"}, "outdoor": {"out"}}
DOORS = frozenset("door gate way hatch lock exit doorway portal passage".split())
DIRECTIONS = frozenset("up down in out inside outside back away".split())
COMPASS = frozenset("north south east west northeast northwest southeast southwest left right n s e w".split())


class Reading(NamedTuple):
    """The objects of one verb."""

    targets: tuple[str, ...] = ()
    topic: str = ""
    unknown: str = ""
    unclear: tuple[str, ...] = ()
    minutes: int | None = None


Read = tuple[Verb, Reading]
"""A verb, as its objects show it to be meant, with them."""


class Persons(NamedTuple):
    ids: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()


class Scan:
    """One line, read against one situation. Stretches are given as word indices, `high` excluded."""

    def __init__(self, situation: Situation, line: Line, names: Names) -> None:
        self.situation = situation
        self.line = line
        self.names = names
        self.size = len(line.words)

    def word(self, index: int, high: int) -> str:
        return self.line.words[index].text if index < high else ""

    def mark(self, low: int, high: int, marks: frozenset[str]) -> int | None:
        """Where the first of some words stands."""
        return next((n for n in range(low, high) if self.line.words[n].text in marks), None)

    def direct(self, low: int, high: int) -> tuple[int, int]:
        """The object itself: between the verb's own preposition and the next."""
        while low < high and self.line.words[low].text in PREPOSITIONS:
            low += 1
        return low, next((n for n in range(low, high) if self.line.words[n].text in PREPOSITIONS), high)

    def bared(self, low: int, high: int) -> str:
        """The player's words without the small ones around them."""
        while low < high and self.line.words[low].text in _SMALL:
            low += 1
        while low < high and self.line.words[high - 1].text in _SMALL:
            high -= 1
        return self.line.said(low, high)

    def topic(self, low: int, high: int) -> str:
        """The entity or thread named, else the player's own words."""
        best = max(self.names.find(low, high), key=lambda m: (m.strength, -m.low), default=None)
        return self.bared(low, high) if best is None else best.named.id

    def anything(self, low: int, high: int) -> Reading:
        """Whoever and whatever within reach is named, for deeds without a reader of their own."""
        near = tuple(m.named.id for m in self.names.find(low, high, ("person", "item", "place"), NEAR))
        return Reading((*near, *self.persons(low, high).ids)[:4], self.line.said(low, high))

    def has(self, need: Need, low: int, high: int) -> bool:
        if need == "exit":
            return bool(self.ways(low, high))
        if need == "thing":
            return bool(self.names.find(low, high, ITEM) or self.exits(low, high))
        return bool(self.names.find(low, high, ("person", "item"), NEAR))

    def persons(self, low: int, high: int, *, owners: bool = True) -> Persons:
        """Persons present who are named, pointed at or described. `owners`: Mara in "Mara's ledger" counts too."""
        named = self.names.find(low, high, PERSON, HERE)
        plainly = tuple(m.named.id for m in named if not m.owner)
        if plainly:
            return Persons(plainly)
        pronoun = self.pronoun(low, high)
        if pronoun is not None:
            before = [m.named.id for m in self.names.find(0, low, PERSON, HERE)]
            return Persons(*meant(pronoun, self.situation.present, before, self.situation.focus))
        said = frozenset(word.stem for word in self.line.words[low:high])
        ids, unclear = described(said, self.situation.present)
        if ids or unclear:
            return Persons(ids, unclear)
        return Persons(tuple(m.named.id for m in named) if owners else ())

    def pronoun(self, low: int, high: int) -> str | None:
        """A pronoun that stands for somebody; the one in "her lantern" does not."""
        for index in range(low, high):
            word = self.line.words[index].text
            if word not in PRONOUNS:
                continue
            following = self.word(index + 1, high)
            owning = word in ("her", "you", "all") and following not in PREPOSITIONS | ARTICLES | {"", "i", "and"}
            if not owning:
                return word
        return None

    def only_described(self, low: int, high: int) -> bool:
        """Whether a person is meant by looks alone: the tall woman."""
        if self.names.find(low, high, PERSON, HERE) or self.pronoun(low, high) is not None:
            return False
        ids, unclear = described(frozenset(word.stem for word in self.line.words[low:high]), self.situation.present)
        return bool(ids or unclear)

    def whose(self, word: str, low: int) -> tuple[str, ...]:
        """The person "her", "his" or "their" belongs to."""
        before = [m.named.id for m in self.names.find(0, low, PERSON, HERE)]
        return meant(word, self.situation.present, before, self.situation.focus)[0][:1]

    def absent(self, low: int, high: int, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Somebody or something known that is not here, or the actor."""
        return tuple(m.named.id for m in self.names.find(low, high, kinds, ("elsewhere", "self")))

    def things(self, low: int, high: int, wheres: tuple[str, ...] = NEAR) -> tuple[str, ...]:
        found = tuple(m.named.id for m in self.names.find(low, high, ITEM, wheres))
        if found or not any(word.text in ("it", "them") for word in self.line.words[low:high]):
            return found
        before = self.names.find(0, low, ITEM, wheres)
        if before:
            return (before[-1].named.id,)
        lying = self.situation.place.things if "here" in wheres else ()
        carried = self.situation.actor.holds if "carried" in wheres else ()
        within = [thing.id for thing in (*lying, *carried)]
        return tuple(within) if len(within) == 1 else ()

    def tool(self, low: int, high: int) -> tuple[str, ...]:
        mark = self.mark(low, high, frozenset(("with", "using")))
        return () if mark is None else self.things(mark, high)[:1]

    def exits(self, low: int, high: int) -> tuple[str, ...]:
        return tuple(m.named.id for m in self.names.find(low, high, PLACE, ("exit",)))

    def ways(self, low: int, high: int) -> tuple[str, ...]:
        """Exits by name, or the one whose way there the words describe: north, down the stairs."""
        named = self.exits(low, high)
        if named:
            return named
        taken = {n for m in self.names.find(low, high, ("person", "item")) for n in range(m.low, m.high)}
        said = {self.line.words[n].stem for n in range(low, high) if n not in taken}
        for floor in said & _FLOORS.keys():
            said |= _FLOORS[floor]
        return self._only_way(said - _SMALL) or self._only_way(said & DIRECTIONS)

    def _only_way(self, said: set[str]) -> tuple[str, ...]:
        shared = {way.to: len(said & {*stems(way.way), *stems(way.name)}) for way in self.situation.place.exits}
        most = max(shared.values(), default=0)
        best = tuple(to for to, count in shared.items() if count == most)
        return best if most and len(best) == 1 else ()

    def doors(self, low: int, high: int) -> tuple[str, ...]:
        """A way named, or simply "the door" when one way is barred or there is only one."""
        ways = self.ways(low, high)
        if ways or {word.stem for word in self.line.words[low:high]}.isdisjoint(DOORS):
            return ways
        exits = self.situation.place.exits
        barred = tuple(way.to for way in exits if way.barred)
        if len(barred) == 1:
            return barred
        return (exits[0].to,) if len(exits) == 1 else ()

    def before(self, mention: Mention) -> str:
        """The word a mention hangs on, articles aside."""
        index = mention.low - 1
        while index > 0 and self.line.words[index].text in ARTICLES:
            index -= 1
        return self.line.words[index].text if index >= 0 else ""

    def beyond_names(self) -> bool:
        """Whether the line says anything besides names, small words and the words of a way."""
        named = {n for m in self.names.find(0, self.size) for n in range(m.low, m.high)}
        ways = {stem for way in self.situation.place.exits for stem in stems(way.way)}
        return any(
            n not in named and word.text not in _SMALL and word.stem not in ways
            for n, word in enumerate(self.line.words)
        )
