"""Deeds done with things and hands: attack, take, give, use, open."""

from __future__ import annotations

from talekeeper.agents.resolver.lexicon import Phrase
from talekeeper.agents.resolver.persons import readiest
from talekeeper.agents.resolver.scan import ITEM, NEAR, PERSON, Read, Reading, Scan
from talekeeper.agents.resolver.speech import read_spoken
from talekeeper.agents.resolver.words import stems

_GESTURES = frozenset(
    "hug hand smile nod kiss help advice answer promise word look wink bow warning order thanks compliment blessing"
    " chance push shove slap bribe deal trade bargain apology drink".split()
)
_BARGAINS = frozenset(("help", "bribe", "deal", "trade", "bargain"))
_FOR = frozenset(("for",))


def read_attack(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
    tool = scan.tool(low, high)
    if scan.mark(low, high, frozenset(("myself", "me"))) is not None:
        return "attack", Reading((scan.situation.actor.id, *tool))
    persons = scan.persons(low, high, owners=False)
    things = tuple(thing for thing in scan.things(low, high) if thing not in tool)
    throwing = phrase.words[0].startswith(("throw", "threw", "hurl"))
    if persons.ids:
        return "attack", Reading((persons.ids[0], *(tool or (things if throwing else ()))[:1]))
    if throwing and scan.mark(low, high, frozenset(("at",))) is None:
        return "attempt", scan.anything(low - 1, high)
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


def read_take(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
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
    absent = scan.absent(low, high, PERSON)
    if absent and robbing:
        return "take", Reading(absent[:1])
    if holder and not scan.names.find(low, high, ITEM):
        return "attempt", scan.anything(low - 1, high)
    ways = scan.ways(low, high)
    if ways and phrase.words in (("take",), ("takes",), ("took",), ("taking",), ("catch",)):
        return "move", Reading(ways[:1])
    known = scan.names.find(low, high, ITEM)
    if known:
        return "take", Reading((known[0].named.id,))
    return "take", Reading(unknown=words, unclear=persons.unclear)


def read_give(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
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


def read_use(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
    near = scan.names.find(low, high, ("item", "person", "place"), NEAR)
    if phrase.words == ("try",) and not any(m.named.where == "carried" for m in near):
        return read_open(scan, low, high, phrase)
    items = scan.things(low, high)
    persons = scan.persons(low, high)
    if items:
        on = tuple(m.named.id for m in near if m.named.id != items[0])
        return "use", Reading((items[0], *(on or persons.ids or scan.doors(low, high))[:1]))
    ways = scan.doors(low, high)
    known = scan.names.find(low, high, ITEM)
    if ways or known:
        return "use", Reading(ways[:1] or (known[0].named.id,))
    return "use", Reading(persons.ids[:1], unknown=scan.bared(*scan.direct(low, high)), unclear=persons.unclear)


def read_open(scan: Scan, low: int, high: int, phrase: Phrase) -> Read:
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


def _only_person(scan: Scan, low: int, high: int, words: str) -> bool:
    """Whether the words name a person and nothing else."""
    said = set(stems(words))
    return any(said <= set(stems(scan.line.said(m.low, m.high))) for m in scan.names.find(low, high, PERSON))


def _beside_person(scan: Scan, low: int, high: int) -> str:
    """The words for the thing in "give Mara the crown" and "give the crown to Mara"."""
    persons = scan.names.find(low, high, PERSON)
    if persons and persons[0].low - low <= 1:
        return scan.bared(persons[0].high, high)
    return scan.bared(*scan.direct(low, high))
