"""Words spoken to somebody: who is spoken to, and what about."""

from __future__ import annotations

from talekeeper.agents.resolver.lexicon import BY_FIRST
from talekeeper.agents.resolver.persons import PRONOUNS, readiest
from talekeeper.agents.resolver.scan import HERE, PERSON, Reading, Scan
from talekeeper.agents.resolver.words import stems
from talekeeper.timeline.vocabulary import Verb

_MARKS = frozenset(
    "about regarding concerning of on if whether what what's who who's where where's why how when which for after that"
    " into because over".split()
)
_DROPPED_MARKS = frozenset(("about", "regarding", "concerning", "of", "on", "for", "that", "over", "after"))
_NOBODY = frozenset(
    "around someone somebody anyone anybody everyone everybody people crowd folk local room question"
    " whoever whomever person".split()
)
_FAVOURS = frozenset(("help", "aid", "mercy", "assistance", "permission", "forgiveness"))
_TO = frozenset(("to", "with", "from", "at"))


def read_ask(scan: Scan, low: int, high: int) -> tuple[Verb, Reading]:
    """Asking about something, or asking somebody to do something, which is persuading."""
    after = _after_person(scan, low, high)
    reading = read_spoken(scan, low, high, addresses=scan.word(after, high) != "to" or after > low)
    word, following = scan.word(after, high), scan.word(after + 1, high)
    for_help = word == "for" and (following in _FAVOURS or reading.topic in _held(scan, reading.targets))
    if for_help or (word == "to" and following in BY_FIRST):
        return "persuade", reading._replace(topic=scan.topic(after + 1, high))
    return "ask", reading


def read_question(scan: Scan, low: int, high: int) -> Reading:
    """Words with nobody named in them: to whoever the rest of the line names, or is readiest to answer."""
    outside = [m for m in scan.names.find(0, scan.size, PERSON, HERE) if m.high <= low or m.low >= high]
    inside = [m for m in scan.names.find(low, high, PERSON, HERE) if m.high == high and m.low > low]
    spoken_to = tuple(m.named.id for m in outside[:1])
    if not spoken_to and inside and "," in scan.line.gap(inside[0].low):
        spoken_to = (inside[0].named.id,)
    topic = scan.topic(low, high)
    hearer = spoken_to or _hearer(scan, topic)
    return Reading(hearer, "" if topic in hearer else topic)


def read_spoken(scan: Scan, low: int, high: int, *, addresses: bool = False) -> Reading:
    """`addresses`: the verb itself names a hearer, so that unknown words in that place are somebody unknown."""
    mark = scan.mark(low, high, _MARKS)
    end = high if mark is None else mark
    persons = scan.persons(low, end)
    topic_low = _after_person(scan, low, end) if mark is None else mark + (scan.word(mark, high) in _DROPPED_MARKS)
    ids = persons.ids
    if not ids and mark is not None:
        # "Speak of the lamps with Mara", "demand that Mara explain": the hearer comes after the mark.
        late = [m for m in scan.names.find(mark, high, PERSON, HERE) if m.low == mark + 1 or scan.before(m) in _TO]
        ids = tuple(m.named.id for m in late[:1])
        if late and late[0].low == mark + 1:
            topic_low = late[0].high
    topic = scan.topic(topic_low, high)
    if mark is None and (topic in ids or scan.only_described(low, high)):
        topic = ""
    if not topic:
        topic = next((m.named.id for m in scan.names.find(low, high) if m.named.kind != "person"), "")
    if ids or persons.unclear:
        return Reading(ids[:6], topic, unclear=() if ids else persons.unclear)
    absent = scan.absent(low, end, PERSON) + scan.things(low, end, HERE)
    if absent:
        return Reading(absent[:1], topic)
    words = scan.bared(*scan.direct(low, end))
    if addresses and words and (mark is not None or scan.word(low, high) in _TO) and not set(stems(words)) & _NOBODY:
        return Reading(topic=topic, unknown=words)
    elsewhere = [
        m
        for m in scan.names.find(0, scan.size, PERSON, HERE)
        if m.high <= low or (m.low >= high and scan.before(m) in _TO)
    ]
    pointed = scan.mark(0, low, frozenset(("his", "him", "her", "he", "she", "their")))
    spoken_to = tuple(m.named.id for m in elsewhere[-1:])
    if not spoken_to and pointed is not None:
        spoken_to = scan.whose(scan.word(pointed, low), pointed)
    return Reading(spoken_to or _hearer(scan, topic), topic)


def _held(scan: Scan, persons: tuple[str, ...]) -> set[str]:
    return {thing.id for person in scan.situation.present if person.id in persons for thing in person.holds}


def _hearer(scan: Scan, topic: str) -> tuple[str, ...]:
    """Who feels spoken to: whoever holds the thing in question, else whoever is readiest to answer."""
    holder = next((p.id for p in scan.situation.present if any(thing.id == topic for thing in p.holds)), "")
    return (holder,) if holder else readiest(scan.situation.present, scan.situation.focus)


def _after_person(scan: Scan, low: int, high: int) -> int:
    """The word after the person named first, or the pronoun."""
    persons = scan.names.find(low, high, PERSON)
    if persons:
        return persons[0].high
    pronoun = next((n for n in range(low, min(high, low + 2)) if scan.line.words[n].text in PRONOUNS), None)
    return low if pronoun is None else pronoun + 1
