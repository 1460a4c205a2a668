"""What stands after each verb: whom or what it is done to, with what. A verb's objects may show that it means another."""

from __future__ import annotations

from collections.abc import Callable

from talekeeper.agents.resolver.clauses import starts
from talekeeper.agents.resolver.duration import minutes_said, until_morning
from talekeeper.agents.resolver.handling import read_attack, read_give, read_open, read_take, read_use
from talekeeper.agents.resolver.lexicon import Phrase
from talekeeper.agents.resolver.scan import (
    COMPASS,
    DIRECTIONS,
    DOORS,
    HERE,
    ITEM,
    NEAR,
    PERSON,
    PLACE,
    Read,
    Reading,
    Scan,
)
from talekeeper.agents.resolver.speech import read_ask, read_spoken
from talekeeper.timeline.vocabulary import Verb

_INSIDE = frozenset(("in", "inside", "under", "behind", "on", "among", "from", "beneath", "at"))
_FOR = frozenset(("for",))
_NIGHT = 480
_BRIEFLY = frozenset(("catch", "break", "nap", "doze", "snooze", "relax"))


def read_objects(scan: Scan, verb: Verb, phrase: Phrase, low: int, end: int, high: int) -> Read:
    """The verb as its objects make it, with them. `end` comes before `high` when a particle closes the object."""
    if phrase.words == ("use",):
        for_what = _purpose(scan, low, high)
        if for_what is not None:
            return for_what
    found, reading = _READERS[verb](scan, low, end, phrase)
    if phrase.words[-1] == "into" and end < high:
        reading = reading._replace(topic=scan.topic(end + 1, high))
    return found, reading


def _purpose(scan: Scan, low: int, high: int) -> Read | None:
    """Using the knife to open the chest is opening it, with the knife."""
    purpose = scan.mark(low, high, frozenset(("to",)))
    items = () if purpose is None else scan.things(low, purpose)
    if purpose is None or not items:
        return None
    for start in starts(scan.line, purpose + 1, high):
        verb, reading = _READERS[start.phrase.verb](scan, start.after, high, start.phrase)
        return verb, reading._replace(targets=(*reading.targets[:1], items[0]))
    return None


def read_bare(scan: Scan) -> Read | None:
    """Only a name: one goes to a place, speaks to a person, examines a thing."""
    if scan.beyond_names():
        return None
    for mention in scan.names.find(0, scan.size, ("person", "place", "item")):
        named = mention.named
        if named.where == "exit":
            return "move", Reading((named.id,))
        if named.kind == "item":
            return "examine", Reading((named.id,))
        if named.kind == "person" and named.where != "self":
            return "talk", Reading((named.id,))
    return _bare_direction(scan)


def _bare_direction(scan: Scan) -> Read | None:
    ways = scan.ways(0, scan.size)
    if ways:
        return "move", Reading(ways[:1])
    said = {word.text for word in scan.line.words}
    if said & COMPASS:
        return "move", Reading(unknown=scan.line.said(0, scan.size))
    return ("move", Reading()) if said <= DIRECTIONS else None


def read_laid_down(scan: Scan, low: int, high: int) -> Reading | None:
    """Something carried that is dropped, put down or left here."""
    if scan.word(low, high) in ("on", "out", "off"):
        return None
    dropped = scan.word(low - 1, high) in ("drop", "discard")
    items = scan.names.find(low, high, ITEM, () if dropped else ("carried",))
    if not items or scan.names.find(low, high, PERSON, HERE):
        return None
    after = items[0].high
    rest = {word.stem for word in scan.line.words[after:high]}
    if scan.word(after, high) == "to" or not rest.isdisjoint(DOORS):
        return None
    return Reading((items[0].named.id,))


def _move(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
    exits = scan.exits(low, high)
    if exits:
        return "move", Reading(exits[-1:])
    persons = scan.persons(low, high)
    if persons.ids:
        return ("attempt" if phrase.words[0].startswith("follow") else "talk"), Reading(persons.ids[:1])
    ways = scan.ways(low, high)
    if ways:
        return "move", Reading(ways[:1])
    things = scan.things(low, high, ("here", "held"))
    if things:
        return "examine", Reading(things[:1])
    known = scan.names.find(low, high, ("place", "person", "item"), ("elsewhere", "place"))
    if (
        known
        and known[-1].named.where == "place"
        and phrase.words[0].startswith(("leav", "left", "exit", "flee", "escap"))
    ):
        return _move(scan, high, high, phrase)
    if known:
        return "move", Reading((known[-1].named.id,))
    unknown = scan.bared(low, high)
    free = tuple(way.to for way in scan.situation.place.exits if not way.barred)
    return "move", Reading(free if len(free) == 1 and not unknown else (), unknown=unknown, unclear=persons.unclear)


def _look(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
    if scan.mark(low, high, _FOR) is not None:
        return _search(scan, low, high, phrase)
    if phrase.words[0] in ("survey", "scan", "describe"):
        return "look", Reading()
    return _examine(scan, low, high, phrase)


def _examine(scan: Scan, low: int, high: int, _phrase: Phrase) -> Read:
    topic = _about(scan, low, high)
    near = scan.names.find(low, high, ("person", "item", "place"), NEAR)
    plain = [m for m in near if not m.owner] or near
    if plain:
        return "examine", Reading((plain[0].named.id,), topic)
    persons = scan.persons(low, high)
    seen = scan.things(low, high) or persons.ids or scan.ways(low, high)
    if seen:
        return "examine", Reading(seen[:1], topic)
    known = scan.names.find(low, high)
    if any(m.named.where == "place" for m in known):
        return "look", Reading()
    if known:
        named = known[0].named
        return "examine", Reading((named.id,) if named.where in ("self", "elsewhere") else (), named.id)
    words = scan.bared(low, high)
    if not words:
        return "look", Reading(unclear=persons.unclear)
    # "Her face", "his boots": looking at what is somebody's is looking at them.
    whose = next((w.text for w in scan.line.words[low:high] if w.text in ("her", "his", "their")), None)
    if whose is not None:
        owner = scan.whose(whose, low)
        if owner:
            return "examine", Reading(owner, words)
    return "examine", Reading(topic=words, unknown=words)


def _defend(scan: Scan, low: int, high: int, _phrase: Phrase) -> Read:
    return "defend", Reading((scan.persons(low, high).ids or scan.things(low, high))[:1])


def _sneak(scan: Scan, low: int, high: int, _phrase: Phrase) -> Read:
    if scan.names.find(*scan.direct(low, high), ITEM, ("carried",)):
        return "attempt", scan.anything(low - 1, high)
    persons = scan.persons(low, high).ids[:1]
    far = tuple(m.named.id for m in scan.names.find(low, high, PLACE, ("elsewhere", "place")))
    ways = scan.exits(low, high) or far or (() if persons else scan.ways(low, high))
    return "sneak", Reading((*ways[:1], *persons) or scan.things(low, high)[:1])


def _search(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
    mark = scan.mark(low, high, _FOR)
    seeking = phrase.words[-1] in ("for", "find", "seek", "locate", "hunt", "trace", "out") or "track" in phrase.words
    if mark is not None or seeking:
        where = _searched(scan, low, mark) if mark is not None else ()
        begin = low if mark is None else mark + 1
        inside = scan.mark(begin, high, _INSIDE)
        end = high if inside is None else inside
        if inside is not None and not where:
            where = _searched(scan, inside, high)
        return "search", Reading(where, scan.topic(begin, end))
    where = _searched(scan, low, high)
    if where:
        return "search", Reading(where)
    absent = scan.absent(low, high, ("person", "item", "place"))
    known = scan.names.find(low, high)
    words = scan.bared(low, high)
    return "search", Reading(absent[:1], known[0].named.id if known else words, "" if known else words)


def _searched(scan: Scan, low: int, high: int) -> tuple[str, ...]:
    near = scan.names.find(low, high, ("person", "item", "place"), (*NEAR, "place"))
    return (near[0].named.id,) if near else scan.persons(low, high).ids[:1]


def _wait(scan: Scan, low: int, high: int, _phrase: Phrase) -> Read:
    minutes = minutes_said(scan.line, scan.situation.now, low - 1)
    mark = scan.mark(max(low - 1, 0), high, _FOR)
    topic = scan.topic(mark + 1, high) if mark is not None and minutes is None else ""
    return "wait", Reading(topic=topic, minutes=minutes)


def _rest(scan: Scan, low: int, _high: int, phrase: Phrase) -> Read:
    minutes = minutes_said(scan.line, scan.situation.now, max(low - 2, 0))
    overnight = phrase.words[0].startswith(("sle", "camp", "turn", "bed", "slumber")) or phrase.words[-1] in (
        "bed", "sleep", "camp", "night", "asleep",
    )  # fmt: skip
    if minutes is None and overnight:
        minutes = _NIGHT
    elif minutes is None and _BRIEFLY.isdisjoint(phrase.words):
        minutes = until_morning(scan.situation.now)
    return "rest", Reading(minutes=minutes)


def _cast(scan: Scan, low: int, high: int, _phrase: Phrase) -> Read:
    at = scan.persons(low, high).ids[:1] or scan.things(low, high)[:1] or scan.exits(low, high)[:1]
    return "cast", Reading(at, scan.bared(low, high))


def _perform(scan: Scan, low: int, high: int, _phrase: Phrase) -> Read:
    persons = scan.persons(low, high).ids[:4]
    return "perform", Reading((*persons, *scan.things(low, high, ("carried", "here"))[:1]), scan.bared(low, high))


def _spoken(verb: Verb) -> Callable[[Scan, int, int, Phrase], Read]:
    def read(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
        addresses = verb == "talk" or phrase.words[-1] in ("to", "with", "at")
        return verb, read_spoken(scan, low, high, addresses=addresses)

    return read


def _asked(scan: Scan, low: int, high: int, _phrase: Phrase) -> Read:
    return read_ask(scan, low, high)


def _about(scan: Scan, low: int, high: int) -> str:
    mark = scan.mark(low, high, frozenset(("for", "about")))
    return "" if mark is None else scan.topic(mark + 1, high)


_READERS: dict[Verb, Callable[[Scan, int, int, Phrase], Read]] = {
    "move": _move, "look": _look, "examine": _examine, "search": _search, "sneak": _sneak,
    "talk": _spoken("talk"), "ask": _asked, "persuade": _spoken("persuade"), "threaten": _spoken("threaten"),
    "deceive": _spoken("deceive"), "attack": read_attack, "defend": _defend, "take": read_take, "give": read_give,
    "use": read_use, "open": read_open, "wait": _wait, "rest": _rest, "cast": _cast, "perform": _perform,
}  # fmt: skip
