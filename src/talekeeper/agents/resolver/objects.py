"""What stands after each verb: whom or what it is done to, with what. A verb's objects may show that it means another."""

from __future__ import annotations

from collections.abc import Callable

from talekeeper.agents.resolver.clauses import starts
from talekeeper.agents.resolver.duration import minutes_said
from talekeeper.agents.resolver.lexicon import Phrase
from talekeeper.agents.resolver.persons import readiest
from talekeeper.agents.resolver.scan import COMPASS, DIRECTIONS, DOORS, HERE, ITEM, NEAR, PERSON, Reading, Scan
from talekeeper.agents.resolver.speech import read_ask, read_spoken
from talekeeper.agents.resolver.words import stems
from talekeeper.timeline.vocabulary import Verb

Read = tuple[Verb, Reading]

_GESTURES = frozenset(
    "hug hand smile nod kiss help advice answer promise word look wink bow warning order thanks compliment blessing"
    " chance push shove slap bribe deal trade bargain apology drink".split()
)
_BARGAINS = frozenset(("help", "bribe", "deal", "trade", "bargain"))
_INSIDE = frozenset(("in", "inside", "under", "behind", "on", "among", "from", "beneath", "at"))
_FOR = frozenset(("for",))
_NIGHT = 480


def read_objects(scan: Scan, verb: Verb, phrase: Phrase, low: int, end: int, high: int) -> Read:
    """The verb as its objects make it, with them. `end` comes before `high` when a particle closes the object."""
    found, reading = _READERS[verb](scan, low, end, phrase)
    if phrase.words[-1] == "into" and end < high:
        reading = reading._replace(topic=scan.topic(end + 1, high))
    return found, reading


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


def read_anything(scan: Scan, low: int, high: int) -> Reading:
    near = tuple(m.named.id for m in scan.names.find(low, high, ("person", "item", "place"), NEAR))
    return Reading((*near, *scan.persons(low, high).ids)[:4], scan.line.said(low, high))


def read_laid_down(scan: Scan, low: int, high: int) -> Reading | None:
    """Something carried that is dropped, put down or left here."""
    if scan.word(low, high) in ("on", "out", "off"):
        return None
    items = scan.names.find(low, high, ITEM, ("carried",))
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
        return "examine", Reading((named.id,) if named.where == "self" else (), named.id)
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


def _attack(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
    tool = scan.tool(low, high)
    if scan.mark(low, high, frozenset(("myself", "me"))) is not None:
        return "attack", Reading((scan.situation.actor.id, *tool))
    persons = scan.persons(low, high, owners=False)
    things = tuple(thing for thing in scan.things(low, high) if thing not in tool)
    throwing = phrase.words[0].startswith(("throw", "threw", "hurl"))
    if persons.ids:
        return "attack", Reading((persons.ids[0], *(tool or (things if throwing else ()))[:1]))
    if throwing and scan.mark(low, high, frozenset(("at",))) is None:
        return "attempt", read_anything(scan, low - 1, high)
    if things:
        return "attack", Reading((things[0], *tool))
    ways = scan.doors(low, high)
    if ways:
        return "open", Reading((ways[0], *tool))
    absent = scan.absent(low, high, ("person", "item"))
    if absent:
        return "attack", Reading((absent[0], *tool))
    drawn = phrase.words[-1] in ("my", "aim", "punch", "swing", "fire")
    unknown = "" if drawn else scan.bared(*scan.direct(low, high))
    able = tuple(person.id for person in scan.situation.present if person.status != "dead")
    alone = able if len(able) == 1 and not unknown else ()
    return "attack", Reading((*alone, *(tool if alone else ())), unknown=unknown, unclear=persons.unclear)


def _defend(scan: Scan, low: int, high: int, _phrase: Phrase) -> Read:
    return "defend", Reading((scan.persons(low, high).ids or scan.things(low, high))[:1])


def _take(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
    persons = scan.persons(low, high)
    holder = tuple(person for person in persons.ids if person != scan.situation.actor.id)[:1]
    low_item, high_item = scan.direct(low, high)
    for wheres in (("here", "held"), ("carried",)):
        items = scan.things(low_item, high_item, wheres)
        if items and phrase.words[0].startswith("loot"):
            return "search", Reading(items[:1])
        if items and wheres == ("carried",) and phrase.need:
            return "use", Reading(items[:1])
        if items:
            return "take", Reading((items[0], *holder))
    words = scan.bared(low_item, high_item)
    robbing = phrase.words[0].startswith(("steal", "stole", "pickpocket", "rob", "loot", "relieve", "swipe"))
    if holder and (robbing or scan.mark(low, high, frozenset(("from",))) is not None):
        return "take", Reading(holder, unknown="" if _only_person(scan, low, high, words) else words)
    if holder and not scan.names.find(low, high, ITEM):
        return "attempt", read_anything(scan, low - 1, high)
    ways = scan.ways(low, high)
    if ways and phrase.words in (("take",), ("takes",), ("took",), ("taking",), ("catch",)):
        return "move", Reading(ways[:1])
    known = scan.names.find(low, high, ITEM)
    if known:
        return "take", Reading((known[0].named.id,))
    return "take", Reading(unknown=words, unclear=persons.unclear)


def _give(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
    persons = scan.persons(low, high)
    price = scan.mark(low, high, _FOR)
    if price is not None and phrase.words[0].startswith(("offer", "pay", "paid")):
        return "persuade", read_spoken(scan, low, high)
    items = scan.things(low, high, ("carried", "here", "held"))
    if items:
        absent = scan.absent(low, high, PERSON)
        everyone = readiest(scan.situation.present, scan.situation.focus) if not persons.unclear else ()
        return "give", Reading((items[0], *(persons.ids or absent or everyone)[:1]), unclear=persons.unclear)
    known = scan.names.find(low, high, ITEM)
    if known:
        return "give", Reading((known[0].named.id, *persons.ids[:1]))
    said = scan.bared(low, high)
    words = {word.stem for word in scan.line.words[low:high]}
    if "it" in words:
        return "give", Reading(persons.ids[:1])
    if not said or words & _GESTURES or _only_person(scan, low, high, said):
        return ("persuade" if words & _BARGAINS else "talk"), read_spoken(scan, low, high)
    return "give", Reading(persons.ids[:1], unknown=_beside_person(scan, low, high), unclear=persons.unclear)


def _use(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
    near = scan.names.find(low, high, ("item", "person", "place"), NEAR)
    if phrase.words == ("try",) and not any(m.named.where == "carried" for m in near):
        return _open(scan, low, high, phrase)
    items = scan.things(low, high)
    persons = scan.persons(low, high)
    purpose = scan.mark(low, high, frozenset(("to",)))
    if items and purpose is not None and phrase.words == ("use",):
        for start in starts(scan.line, purpose + 1, high):
            verb, reading = _READERS[start.phrase.verb](scan, start.after, high, start.phrase)
            return verb, reading._replace(targets=(*reading.targets[:1], items[0]))
    if items:
        on = tuple(m.named.id for m in near if m.named.id != items[0])
        return "use", Reading((items[0], *(on or persons.ids or scan.doors(low, high))[:1]))
    ways = scan.doors(low, high)
    known = scan.names.find(low, high, ITEM)
    if ways or known:
        return "use", Reading(ways[:1] or (known[0].named.id,))
    return "use", Reading(persons.ids[:1], unknown=scan.bared(*scan.direct(low, high)), unclear=persons.unclear)


def _open(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
    tool = scan.tool(low, high)
    things = tuple(thing for thing in scan.things(low, high) if thing not in tool)
    if not things and phrase.words[0].startswith("forc") and scan.persons(low, high).ids:
        return "threaten", read_spoken(scan, low, high)
    if things:
        return "open", Reading((things[0], *tool))
    ways = scan.doors(low, high)
    if ways:
        return "open", Reading((ways[0], *tool))
    known = scan.names.find(low, high, ("item", "place"))
    if known:
        return "open", Reading((known[0].named.id, *tool))
    return "open", Reading(unknown=scan.bared(*scan.direct(low, high)) or ("lock" if "lock" in phrase.words else ""))


def _sneak(scan: Scan, low: int, high: int, _phrase: Phrase) -> Read:
    if scan.names.find(*scan.direct(low, high), ITEM, ("carried",)):
        return "attempt", read_anything(scan, low - 1, high)
    persons = scan.persons(low, high).ids[:1]
    ways = scan.exits(low, high) if persons else scan.ways(low, high)
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
    known = scan.names.find(low, high)
    words = scan.bared(low, high)
    return "search", Reading(topic=known[0].named.id if known else words, unknown="" if known else words)


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
    return "rest", Reading(minutes=_NIGHT if minutes is None and overnight else minutes)


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


def _only_person(scan: Scan, low: int, high: int, words: str) -> bool:
    """Whether the words name a person and nothing else."""
    said = set(stems(words))
    return any(said <= set(stems(scan.line.said(m.low, m.high))) for m in scan.names.find(low, high, PERSON))


def _beside_person(scan: Scan, low: int, high: int) -> str:
    """The words for the thing in "give Mara the crown" and "give the crown to Mara"."""
    persons = scan.names.find(low, high, PERSON, HERE)
    if persons and persons[0].low - low <= 1:
        return scan.bared(persons[0].high, high)
    return scan.bared(*scan.direct(low, high))


_READERS: dict[Verb, Callable[[Scan, int, int, Phrase], Read]] = {
    "move": _move, "look": _look, "examine": _examine, "talk": _spoken("talk"), "ask": _asked,
    "persuade": _spoken("persuade"), "threaten": _spoken("threaten"), "deceive": _spoken("deceive"),
    "attack": _attack, "defend": _defend, "take": _take, "give": _give, "use": _use, "open": _open, "sneak": _sneak,
    "search": _search, "wait": _wait, "rest": _rest, "cast": _cast, "perform": _perform,
}  # fmt: skip
