"""What stands after the verb: whom or what it is done to, with what, and what about."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from talekeeper.agents.resolver.duration import minutes_said
from talekeeper.agents.resolver.lexicon import BY_FIRST, Need, Phrase
from talekeeper.agents.resolver.names import Mention, Names
from talekeeper.agents.resolver.persons import PRONOUNS, meant, readiest
from talekeeper.agents.resolver.words import Line, stems
from talekeeper.agents.situation import Situation
from talekeeper.timeline.vocabulary import Verb

_PREPOSITIONS = frozenset(
    "from to with at on in into using off against for about under behind by through toward towards near inside onto"
    " upon over around across past beside between beneath regarding concerning after of along that if whether what why"
    " how where who when until down up out away".split()
)
_TOPIC_MARKS = frozenset(
    "about regarding concerning of on if whether what what's who who's where where's why how when which for after that"
    " into because over".split()
)
_ARTICLES = frozenset("the a an my your his her their our its some this that these those any every each all".split())
_FILLERS = _ARTICLES | frozenset(
    "it him me us them i we you he she they here there again now please and or then back away out outside inside in up"
    " down on off around forward along home everything something anything nothing myself himself herself themselves"
    " things stuff much more very really so too also just right straight quickly slowly carefully quietly place room"
    " area is are was do does did have has know to at not".split()
)
_GESTURES = frozenset("hug hand smile nod kiss help advice answer promise word look wink bow warning order thanks"
                      " compliment blessing chance push shove slap".split())  # fmt: skip
_DOORS = frozenset("door gate way hatch lock exit bar doorway portal passage".split())
_NOWHERE = frozenset("around someone somebody anyone anybody everyone everybody people them crowd folk locals".split())
_WITH = frozenset(("with", "using", "by"))
_ITEM = ("item",)
_PERSON = ("person",)
_NEAR = ("here", "carried", "held", "exit")

Read = tuple[Verb, "Reading"]


class Reading(NamedTuple):
    targets: tuple[str, ...] = ()
    topic: str = ""
    unknown: str = ""
    unclear: tuple[str, ...] = ()
    minutes: int | None = None


class Objects:
    """Reads one line's objects against one situation."""

    def __init__(self, situation: Situation, line: Line, names: Names) -> None:
        self._situation = situation
        self._line = line
        self._names = names
        self._size = len(line.words)
        self._readers: dict[Verb, Callable[[int, int, Phrase], Read]] = {
            "move": self._move, "look": self._look, "examine": self._examine, "talk": self._talk, "ask": self._ask,
            "persuade": self._persuade, "threaten": self._threaten, "deceive": self._deceive, "attack": self._attack,
            "defend": self._defend, "take": self._take, "give": self._give, "use": self._use, "open": self._open,
            "sneak": self._sneak, "search": self._search, "wait": self._wait, "rest": self._rest, "cast": self._cast,
            "perform": self._perform,
        }  # fmt: skip

    def read(self, verb: Verb, phrase: Phrase, low: int, end: int, high: int) -> Read:
        """The verb as its objects make it, with them. `end` comes before `high` when a particle closes the clause."""
        if phrase.words[-1] == "into" and end < high:
            found, reading = self._readers[verb](low, end, phrase)
            return found, reading._replace(topic=self.topic(end + 1, high))
        return self._readers[verb](low, end, phrase)

    def has(self, need: Need, low: int, high: int) -> bool:
        if need == "exit":
            return bool(self._ways(low, high))
        if need == "thing":
            return bool(self._names.find(low, high, _ITEM, _NEAR))
        return bool(self._names.find(low, high, ("person", "item"), _NEAR))

    def topic(self, low: int, high: int) -> str:
        """The entity or thread named, else the player's own words."""
        best = max(self._names.find(low, high), key=lambda m: (m.strength, -m.low), default=None)
        if best is not None:
            return best.named.id
        return self._bared(low, high)

    def question(self, low: int, high: int) -> Reading:
        """Words said to somebody: named elsewhere in the line, or whoever is readiest to answer."""
        outside = [m for m in self._names.find(0, self._size, _PERSON, ("here",)) if m.high <= low or m.low >= high]
        spoken_to = (outside[0].named.id,) if outside else readiest(self._situation.present, self._situation.focus)
        return Reading(spoken_to, self.topic(low, high))

    def laid_down(self, low: int, high: int) -> Reading | None:
        if low < high and self._line.words[low].text in ("on", "out", "off"):
            return None
        items = self._names.find(low, high, _ITEM, ("carried",))
        if not items or self._names.find(low, high, _PERSON, ("here",)):
            return None
        return Reading((items[0].named.id,))

    def approached(self, low: int, high: int) -> bool:
        """Whether a clause only brings the actor near somebody."""
        return any(word.text in ("approach", "over", "up", "towards", "toward", "turn", "go", "walk", "run", "step")
                   for word in self._line.words[low:high])  # fmt: skip

    def bare(self) -> Read | None:
        """Only a name: one goes to a place, speaks to a person, examines a thing."""
        if self._bare_words() > 0:
            return None
        for mention in self._names.find(0, self._size, ("person", "place", "item")):
            named = mention.named
            first = Reading((named.id,))
            if named.where == "exit":
                return "move", first
            if named.kind == "item":
                return "examine", first
            if named.kind == "person" and named.where != "self":
                return "talk", first
        ways = self._ways(0, self._size)
        return ("move", Reading((ways[0],))) if len(ways) == 1 and self._size <= 4 else None

    def anything(self, low: int, high: int) -> Reading:
        near = tuple(m.named.id for m in self._names.find(low, high, ("person", "item", "place"), _NEAR))
        return Reading(near[:4], self._line.said(low, high))

    # One reader a verb.

    def _move(self, low: int, high: int, phrase: Phrase) -> Read:
        low = self._past(low, high)
        exits = self._names.find(low, high, ("place",), ("exit",))
        if exits:
            return "move", Reading((exits[-1].named.id,))
        persons, reading = self._person(low, high)
        if persons:
            return ("attempt" if phrase.words[0].startswith("follow") else "talk"), Reading(persons)
        ways = self._ways(low, high)
        if len(ways) == 1:
            return "move", Reading((ways[0],))
        things = self._names.find(low, high, _ITEM, ("here", "held"))
        if things:
            return "examine", Reading((things[0].named.id,))
        known = self._names.find(low, high, ("place", "person", "item"), ("elsewhere", "place"))
        if known:
            return "move", Reading((known[-1].named.id,))
        return "move", Reading(unknown=self._bared(low, high), unclear=reading.unclear)

    def _look(self, low: int, high: int, phrase: Phrase) -> Read:
        mark = self._mark(low, high, frozenset(("for",)))
        if mark is not None:
            return self._search(low, high, phrase)
        if self._names.find(low, high, ("person", "item"), _NEAR) or self._pronoun(low, high):
            return self._examine(low, high, phrase)
        if self._bared(low, high) and phrase.words[0] not in ("survey", "scan", "describe"):
            return self._examine(low, high, phrase)
        return "look", Reading()

    def _examine(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        persons, reading = self._person(low, high)
        items = self._things(low, high)
        near = self._names.find(low, high, ("person", "item", "place"), _NEAR)
        if items and not (persons and near and near[0].named.kind == "person" and not near[0].owner):
            return "examine", Reading(items[:1], self._about(low, high))
        if persons:
            return "examine", Reading(persons[:1], self._about(low, high))
        if near:
            return "examine", Reading((near[0].named.id,))
        known = self._names.find(low, high)
        if any(m.named.where == "place" for m in known):
            return "look", Reading()
        if known:
            return "examine", Reading((known[0].named.id,) if known[0].named.where == "self" else (), known[0].named.id)
        words = self._bared(low, high)
        if not words:
            return "look", Reading(unclear=reading.unclear)
        return "examine", Reading(topic=words, unknown=words)

    def _talk(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        return "talk", self._spoken(low, high)

    def _ask(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        reading = self._spoken(low, high)
        persons = self._names.find(low, high, _PERSON, ("here",))
        after = (
            persons[0].high
            if persons
            else next((n + 1 for n in range(low, min(high, low + 2)) if self._line.words[n].text in PRONOUNS), low)
        )
        word = self._line.words[after].text if after < high else ""
        following = self._line.words[after + 1].text if after + 1 < high else ""
        asks_a_deed = word == "to" and following in BY_FIRST
        if asks_a_deed or (word == "for" and following in ("help", "aid", "mercy", "assistance")):
            return "persuade", reading._replace(topic=self.topic(after + 1, high))
        return "ask", reading

    def _persuade(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        return "persuade", self._spoken(low, high)

    def _threaten(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        return "threaten", self._spoken(low, high)

    def _deceive(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        return "deceive", self._spoken(low, high)

    def _attack(self, low: int, high: int, phrase: Phrase) -> Read:
        tool = self._tool(low, high)
        persons, reading = self._person(low, high)
        if persons:
            return "attack", Reading((*persons[:1], *tool), unclear=reading.unclear)
        things = tuple(t for t in self._things(low, high) if t not in tool)
        if things:
            return "attack", Reading((things[0], *tool))
        ways = self._doors(low, high)
        if ways:
            return "open", Reading((ways[0], *tool))
        known = self._names.find(low, high, ("person", "item"), ("elsewhere", "self"))
        if known:
            return "attack", Reading((known[0].named.id, *tool))
        words = self._bared(*self._direct(low, high))
        if phrase.words[-1] in ("my", "aim", "punch", "swing", "fire"):
            words = ""
        return "attack", Reading(tool, unknown="" if tool and words in self._line.said(low, high) and not words else words,
                                 unclear=reading.unclear)  # fmt: skip

    def _defend(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        persons, _ = self._person(low, high)
        return "defend", Reading(persons[:1] or self._things(low, high)[:1])

    def _take(self, low: int, high: int, phrase: Phrase) -> Read:
        persons, reading = self._person(low, high)
        items = self._items_taken(low, high)
        if items:
            holder = tuple(p for p in persons if p != self._situation.actor.id)[:1]
            return "take", Reading((items[0], *holder))
        robbing = phrase.words[0].startswith(("steal", "stole", "pickpocket", "rob", "loot", "relieve", "swipe"))
        words = self._bared(*self._direct(low, high))
        if persons and (robbing or self._mark(low, high, frozenset(("from",))) is not None):
            return "take", Reading(persons[:1], unknown="" if self._names_person(low, high, words) else words)
        if persons:
            return "attempt", self.anything(low - 1, high)
        ways = self._ways(low, high)
        if ways and phrase.words[0] in ("take", "took", "takes", "taking", "get", "catch"):
            return "move", Reading((ways[0],))
        known = self._names.find(low, high, _ITEM)
        if known:
            return "take", Reading((known[0].named.id,))
        return "take", Reading(unknown=words or self._line.said(low, high), unclear=reading.unclear)

    def _give(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        persons, reading = self._person(low, high)
        items = self._things(low, high, ("carried", "here", "held"))
        if not items:
            said = self._bared(low, high)
            words = {word.stem for word in self._line.words[low:high]}
            if not said or not words.isdisjoint(_GESTURES) or (persons and self._names_person(low, high, said)):
                spoken = self._spoken(low, high)
                return ("persuade" if "help" in words else "talk"), spoken
            known = self._names.find(low, high, _ITEM)
            if known:
                return "give", Reading((known[0].named.id, *persons[:1]))
            return "give", Reading(persons[:1], unknown=self._without_person(low, high), unclear=reading.unclear)
        if not persons:
            persons = tuple(m.named.id for m in self._names.find(low, high, _PERSON, ("elsewhere",))) or (
                readiest(self._situation.present, self._situation.focus) if not reading.unclear else ()
            )
        return "give", Reading((items[0], *persons[:1]), unclear=reading.unclear)

    def _use(self, low: int, high: int, phrase: Phrase) -> Read:
        near = self._names.find(low, high, ("item", "person", "place"), _NEAR)
        items = self._things(low, high)
        if phrase.words == ("try",) and not any(m.named.where == "carried" for m in near):
            return self._open(low, high, phrase)
        if not items:
            ways = self._doors(low, high)
            if ways:
                return "use", Reading((ways[0],))
            known = self._names.find(low, high, _ITEM)
            if known:
                return "use", Reading((known[0].named.id,))
            persons, reading = self._person(low, high)
            return "use", Reading(persons[:1], unknown=self._bared(*self._direct(low, high)), unclear=reading.unclear)
        on = tuple(m.named.id for m in near if m.named.id != items[0])
        pronoun, _ = self._person(low, high)
        ways = self._doors(low, high) if not on else ()
        return "use", Reading((items[0], *(on or pronoun or ways)[:1]))

    def _open(self, low: int, high: int, phrase: Phrase) -> Read:
        tool = self._tool(low, high)
        persons, _ = self._person(low, high)
        things = tuple(t for t in self._things(low, high) if t not in tool)
        if phrase.words[0].startswith("forc") and persons and not things:
            return "threaten", self._spoken(low, high)
        if things:
            return "open", Reading((things[0], *tool))
        ways = self._doors(low, high)
        if ways:
            return "open", Reading((ways[0], *tool))
        known = self._names.find(low, high, ("item", "place"))
        if known:
            return "open", Reading((known[0].named.id, *tool))
        words = self._bared(*self._direct(low, high))
        if not words and phrase.words[-1] == "lock":
            words = "lock"
        return "open", Reading(tool, unknown=words)

    def _sneak(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        ways = tuple(m.named.id for m in self._names.find(low, high, ("place",), ("exit",))[:1]) or self._ways(
            low, high
        )
        persons, _ = self._person(low, high)
        return "sneak", Reading((*ways[:1], *persons[:1]) or self._things(low, high)[:1])

    def _search(self, low: int, high: int, phrase: Phrase) -> Read:
        mark = self._mark(low, high, frozenset(("for",)))
        sought = (
            phrase.words[-1] in ("for", "find", "seek", "locate", "hunt", "trace", "out") or phrase.words[0] == "track"
        )
        if mark is not None or sought:
            where = self._searched(low, mark if mark is not None else low)
            topic_low = low if mark is None else mark + 1
            inside = self._mark(topic_low, high, frozenset(("in", "inside", "under", "behind", "on", "among", "from")))
            if inside is not None and not where:
                where = self._searched(inside, high)
            return "search", Reading(where, self.topic(topic_low, inside if inside is not None else high))
        where = self._searched(low, high)
        words = self._bared(low, high)
        known = self._names.find(low, high)
        if not where and words and not known:
            return "search", Reading(topic=words, unknown=words)
        if not where and known and known[0].named.where in ("elsewhere", "thread"):
            return "search", Reading(topic=known[0].named.id)
        return "search", Reading(where, self._about(low, high))

    def _wait(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        mark = self._mark(max(low - 1, 0), high, frozenset(("for",)))
        minutes = minutes_said(self._line, self._situation.now, low - 1)
        topic = self.topic(mark + 1, high) if mark is not None and minutes is None else ""
        return "wait", Reading(topic=topic, minutes=minutes)

    def _rest(self, low: int, high: int, phrase: Phrase) -> Read:
        del high
        minutes = minutes_said(self._line, self._situation.now, max(low - 2, 0))
        if minutes is None and (phrase.words[0].startswith(("sle", "camp", "turn", "bed")) or phrase.words[-1] in
                                ("bed", "sleep", "camp", "night", "asleep")):  # fmt: skip
            minutes = 480
        return "rest", Reading(minutes=minutes)

    def _cast(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        persons, _ = self._person(low, high)
        return "cast", Reading(persons[:1] or self._things(low, high)[:1], self._bared(low, high))

    def _perform(self, low: int, high: int, phrase: Phrase) -> Read:
        del phrase
        persons, _ = self._person(low, high)
        return "perform", Reading((*persons, *self._things(low, high, ("carried", "here")))[:2], self._bared(low, high))

    # What the readers share.

    def _spoken(self, low: int, high: int) -> Reading:
        """Somebody spoken to, and what about."""
        mark = self._mark(low, high, _TOPIC_MARKS)
        persons, reading = self._person(low, mark if mark is not None else high)
        if not persons and mark is not None:
            # "Speak of the lamps with Mara" names the person after the topic.
            late = [
                m for m in self._names.find(mark, high, _PERSON, ("here",)) if self._before(m) in ("to", "with", "from")
            ]
            persons = tuple(m.named.id for m in late[:1])
        topic_low = mark + 1 if mark is not None else self._after_person(low, high)
        if mark is not None and self._line.words[mark].text not in (
            "about",
            "regarding",
            "concerning",
            "of",
            "on",
            "for",
        ):
            topic_low = mark
        topic = self.topic(topic_low, high) if topic_low < high else ""
        if topic in persons and mark is None:
            topic = ""
        if persons or reading.unclear:
            return Reading(persons[:6], topic, unclear=reading.unclear)
        absent = self._names.find(
            low, mark if mark is not None else high, ("person", "item"), ("elsewhere", "self", "here")
        )
        if absent:
            return Reading((absent[0].named.id,), topic)
        words = self._bared(*self._direct(low, mark if mark is not None else high))
        outside = [m for m in self._names.find(0, self._size, _PERSON, ("here",)) if m.high <= low]
        if outside:
            return Reading((outside[-1].named.id,), topic)
        addressed = low < high and self._line.words[low].text in ("to", "with", "at") and words
        unknown = words if (addressed or mark is not None) and words and not set(stems(words)) & _NOWHERE else ""
        if unknown:
            return Reading(topic=topic, unknown=unknown)
        return Reading(readiest(self._situation.present, self._situation.focus), topic)

    def _person(self, low: int, high: int) -> tuple[tuple[str, ...], Reading]:
        """Persons present who are named or meant; the reading keeps whom an unclear pronoun may mean."""
        found = [m.named.id for m in self._names.find(low, high, _PERSON, ("here",)) if not m.owner]
        if found:
            return tuple(found), Reading()
        spoken = self._pronoun(low, high)
        if spoken is None:
            owners = [m.named.id for m in self._names.find(low, high, _PERSON, ("here",))]
            return tuple(owners), Reading()
        before = [m.named.id for m in self._names.find(0, low, _PERSON, ("here",))]
        persons, unclear = meant(spoken, self._situation.present, before, self._situation.focus)
        return persons, Reading(unclear=unclear if not persons else ())

    def _pronoun(self, low: int, high: int) -> str | None:
        """A pronoun that stands for somebody; "her lantern" does not unless nothing follows."""
        for index in range(low, high):
            word = self._line.words[index].text
            if word not in PRONOUNS or word in ("his", "all", "both"):
                continue
            following = self._line.words[index + 1].text if index + 1 < high else ""
            if word in ("her", "you") and following and following not in _PREPOSITIONS | _ARTICLES | {"i", "and"}:
                continue
            return word
        return None

    def _things(self, low: int, high: int, wheres: tuple[str, ...] = _NEAR) -> tuple[str, ...]:
        found = tuple(m.named.id for m in self._names.find(low, high, _ITEM, wheres))
        if found or not any(word.text in ("it", "them") for word in self._line.words[low:high]):
            return found
        before = self._names.find(0, low, _ITEM, wheres)
        if before:
            return (before[-1].named.id,)
        single = [n.id for n in self._names.all if n.kind == "item" and n.where in ("carried", "here")]
        return tuple(single) if len(single) == 1 else ()

    def _items_taken(self, low: int, high: int) -> tuple[str, ...]:
        """Things, those within reach first; what stands after "from" or "with" is not what is taken."""
        a, b = self._direct(low, high)
        for wheres in (("here", "held"), ("carried",)):
            found = self._things(a, b, wheres)
            if found:
                return found
        return ()

    def _tool(self, low: int, high: int) -> tuple[str, ...]:
        mark = self._mark(low, high, _WITH)
        if mark is None:
            return ()
        return tuple(m.named.id for m in self._names.find(mark, high, _ITEM, _NEAR)[:1])

    def _searched(self, low: int, high: int) -> tuple[str, ...]:
        near = self._names.find(low, high, ("person", "item", "place"), (*_NEAR, "place"))
        if near:
            return (near[0].named.id,)
        persons, _ = self._person(low, high)
        return persons[:1]

    def _ways(self, low: int, high: int) -> tuple[str, ...]:
        """Exits by name, or by the words of the way there: north, down the stairs."""
        named = tuple(m.named.id for m in self._names.find(low, high, ("place",), ("exit",)))
        if named:
            return named
        said = {word.stem for word in self._line.words[low:high]} - _FILLING
        overlap = {
            way.to: len(said & (set(stems(way.way)) | set(stems(way.name)))) for way in self._situation.place.exits
        }
        most = max(overlap.values(), default=0)
        best = tuple(to for to, count in overlap.items() if count == most)
        if most:
            return best if len(best) == 1 else ()
        directions = {word.text for word in self._line.words[low:high]} & {
            "up",
            "down",
            "in",
            "out",
            "inside",
            "outside",
        }
        by_word = tuple(way.to for way in self._situation.place.exits if directions & set(stems(way.way)))
        return by_word if len(by_word) == 1 else ()

    def _doors(self, low: int, high: int) -> tuple[str, ...]:
        """A way named, or simply "the door" when one way is barred or there is only one."""
        ways = self._ways(low, high)
        if ways:
            return ways
        if {word.stem for word in self._line.words[low:high]}.isdisjoint(_DOORS):
            return ()
        exits = self._situation.place.exits
        barred = tuple(way.to for way in exits if way.barred)
        if len(barred) == 1:
            return barred
        return (exits[0].to,) if len(exits) == 1 else ()

    def _about(self, low: int, high: int) -> str:
        mark = self._mark(low, high, frozenset(("for", "about")))
        return self.topic(mark + 1, high) if mark is not None else ""

    def _mark(self, low: int, high: int, marks: frozenset[str]) -> int | None:
        return next((n for n in range(low, high) if self._line.words[n].text in marks), None)

    def _before(self, mention: Mention) -> str:
        index = mention.low - 1
        while index > 0 and self._line.words[index].text in _ARTICLES:
            index -= 1
        return self._line.words[index].text if index >= 0 else ""

    def _after_person(self, low: int, high: int) -> int:
        persons = self._names.find(low, high, _PERSON)
        if persons:
            return persons[0].high
        pronoun = next((n for n in range(low, min(high, low + 2)) if self._line.words[n].text in PRONOUNS), None)
        return low if pronoun is None else pronoun + 1

    def _past(self, low: int, high: int) -> int:
        while low < high and self._line.words[low].text in ("to", "over", "towards", "toward", "into", "through"):
            low += 1
        return low

    def _direct(self, low: int, high: int) -> tuple[int, int]:
        """The words of the object itself, between the verb's own preposition and the next."""
        while low < high and self._line.words[low].text in _PREPOSITIONS:
            low += 1
        end = next((n for n in range(low, high) if self._line.words[n].text in _PREPOSITIONS), high)
        return low, end

    def _bared(self, low: int, high: int) -> str:
        """The player's words without the small ones around them."""
        while low < high and self._line.words[low].text in _FILLING:
            low += 1
        while low < high and self._line.words[high - 1].text in _FILLING:
            high -= 1
        return self._line.said(low, high)

    def _bare_words(self) -> int:
        """How many words are neither small nor part of a name."""
        named = {n for m in self._names.find(0, self._size) for n in range(m.low, m.high)}
        ways = {stem for way in self._situation.place.exits for stem in stems(way.way)}
        return sum(
            n not in named and word.text not in _FILLING and word.stem not in ways
            for n, word in enumerate(self._line.words)
        )

    def _names_person(self, low: int, high: int, words: str) -> bool:
        said = set(stems(words))
        return any(said <= set(stems(self._line.said(m.low, m.high))) for m in self._names.find(low, high, _PERSON))

    def _without_person(self, low: int, high: int) -> str:
        persons = self._names.find(low, high, _PERSON, ("here",))
        if persons and persons[0].low - low <= 1:
            return self._bared(persons[0].high, high)
        return self._bared(*self._direct(self._after_person(low, high) if not persons else low, high))


_FILLING = _FILLERS | _PREPOSITIONS
