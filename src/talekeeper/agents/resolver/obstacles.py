"""What makes a deed impossible, said honestly: not here, dead, fixed, not yours, no such way."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from talekeeper.agents.resolver.recognise import Recognised
from talekeeper.agents.resolver.surroundings import Surroundings
from talekeeper.agents.resolver.words import stems
from talekeeper.agents.situation import Person
from talekeeper.timeline.ids import entity_kind
from talekeeper.timeline.vocabulary import Verb

_SPEECH: frozenset[Verb] = frozenset(("talk", "ask", "persuade", "threaten", "deceive"))
_WHEN_DOWN: frozenset[Verb] = _SPEECH | {"look", "examine", "wait", "rest", "defend"}
_NEEDS_THING: frozenset[Verb] = frozenset(("take", "give", "use", "open", "attack"))


def obstacle(action: Recognised, around: Surroundings) -> str:
    """Why it cannot happen at all, or nothing."""
    actor = around.actor
    if actor.status == "dead":
        return f"{actor.name} is dead."
    if around.down(actor) and action.verb not in _WHEN_DOWN and not action.idle:
        return "You are too badly hurt for that. You can rest, wait, or speak."
    if action.laid_down and action.targets[0] not in around.carried:
        return f"You do not have the {_plain(around.name(action.targets[0]))}."
    if action.unclear and not action.targets:
        return f"It is not clear whom you mean: {_either(map(around.name, action.unclear))}."
    return _unknown(action, around) or _CHECKS.get(action.verb, _nothing)(action, around)


def _unknown(action: Recognised, around: Surroundings) -> str:
    """Words for something that is neither here nor known. What the place's description speaks of is scenery."""
    if not action.unknown:
        return ""
    if action.verb in _SPEECH:
        return f"There is nobody here you could mean by “{action.unknown}”."
    if action.verb not in _NEEDS_THING or (action.targets and action.verb not in ("give", "take")):
        return ""
    if action.verb == "give":
        return f"You have no {_plain(action.unknown)} to give."
    if not _scenery(action.unknown, around):
        return f"You see no {_plain(action.unknown)} here."
    return f"The {_plain(action.unknown)} is not something you can carry off." if action.verb == "take" else ""


def _scenery(words: str, around: Surroundings) -> bool:
    place = around.situation.place
    seen = [place.about, place.name, *(thing.look for thing in place.things), *(way.way for way in place.exits)]
    seen += [person.look for person in around.situation.present]
    said = set(stems(words))
    return any(said & set(stems(text)) for text in seen)


def _nothing(_action: Recognised, _around: Surroundings) -> str:
    return ""


def _speak(action: Recognised, around: Surroundings) -> str:
    if not action.targets:
        return "There is nobody here to hear you."
    unheard = next(filter(None, (_unreachable(target, around) for target in action.targets)), "")
    return unheard or (_not_theirs(action, around) if action.handing else "")


def _not_theirs(action: Recognised, around: Surroundings) -> str:
    """Nobody can be talked into handing over what they do not have."""
    holder = around.holder(action.topic)
    if holder is not None and holder.id in action.targets:
        thing = around.thing(action.topic)
        return f"The {_plain(thing.name)} is fixed where it is." if thing is not None and thing.fixed else ""
    name = _plain(around.name(action.topic))
    if action.topic in around.carried:
        return f"You already have the {name}."
    return f"{around.name(action.targets[0])} does not have the {name}."


def _unreachable(target: str, around: Surroundings) -> str:
    if target == around.actor.id or entity_kind(target) != "person":
        return ""
    person = around.persons.get(target)
    if person is None:
        return f"{around.name(target)} is not here."
    if person.status == "dead":
        return f"{person.name} is dead."
    if around.down(person):
        return f"{person.name} is in no state to answer."
    return ""


def _move(action: Recognised, around: Surroundings) -> str:
    exits = around.situation.place.exits
    if not exits:
        return "There is no way out of here."
    way = around.way(action.targets)
    if way is not None:
        return f"The way to {way.name} is barred: {way.barred}." if way.barred else ""
    ways = _either(way.name for way in exits)
    if action.targets:
        target = action.targets[0]
        if target == around.situation.place.id:
            return f"You are at {around.situation.place.name} already."
        if entity_kind(target) != "place":
            return f"{around.name(target)} is not here."
        return f"No way leads from here to {around.name(target)}. From here one reaches {ways}."
    if action.unknown:
        return f"You know of no way to “{action.unknown}”. From here one reaches {ways}."
    return f"Which way? From here one reaches {ways}."


def _attack(action: Recognised, around: Surroundings) -> str:
    if not action.targets and not action.unknown:
        able = [p for p in around.situation.present if p.status != "dead"]
        if not able:
            return "There is nobody here to fight."
        return f"It is not clear whom you mean: {_either(p.name for p in able)}."
    if not action.targets:
        return ""
    target = action.targets[0]
    if target == around.actor.id:
        return "You think better of it."
    if entity_kind(target) == "item":
        return _not_here(target, around)
    person = around.persons.get(target)
    if person is None:
        return f"{around.name(target)} is not here."
    return f"{person.name} is dead." if person.status == "dead" else ""


def _take(action: Recognised, around: Surroundings) -> str:
    if not action.targets:
        return "" if action.unknown else "It is not clear what you mean to take."
    target = action.targets[0]
    if entity_kind(target) == "person":
        return _nothing_on(target, around)
    if entity_kind(target) != "item":
        return f"{around.name(target)} is not something to carry away."
    if target in around.carried:
        return f"You already have the {_plain(around.carried[target].name)}."
    missing = _not_here(target, around)
    if missing:
        return missing
    thing = around.thing(target)
    return f"The {_plain(thing.name)} is fixed where it is." if thing is not None and thing.fixed else ""


def _nothing_on(target: str, around: Surroundings) -> str:
    person = around.persons.get(target)
    if person is None:
        return f"{around.name(target)} is not here."
    return "" if stealable(person) else f"{person.name} has nothing on them that you could take."


def stealable(person: Person) -> str:
    """What a thief would find first."""
    return next((thing.id for thing in person.holds if not thing.fixed), "")


def _give(action: Recognised, around: Surroundings) -> str:
    items = [target for target in action.targets if entity_kind(target) == "item"]
    if not items:
        return "It is not clear what you mean to give."
    if items[0] not in around.carried:
        return f"You do not have the {_plain(around.name(items[0]))}."
    persons = [target for target in action.targets if entity_kind(target) == "person"]
    if not persons:
        return "There is nobody here to give it to."
    if persons[0] == around.actor.id:
        return "You already have it."
    return _unreachable(persons[0], around)


def _use(action: Recognised, around: Surroundings) -> str:
    if not action.targets:
        return "" if action.unknown else "It is not clear what you mean to use."
    first = action.targets[0]
    if entity_kind(first) == "item":
        holder = around.holder(first)
        if holder is not None and not around.down(holder):
            return f"{holder.name} has the {_plain(around.name(first))}."
        return _not_here(first, around)
    return f"{around.name(first)} is not here." if first not in around.persons and first not in around.exits else ""


def _open(action: Recognised, around: Surroundings) -> str:
    if not action.targets:
        return "" if action.unknown else "It is not clear what you mean to open."
    target = action.targets[0]
    if target in around.exits:
        return ""
    missing = _not_here(target, around)
    if missing:
        return missing
    thing = around.thing(target)
    if thing is not None and thing.state in ("open", "broken open"):
        return f"The {_plain(thing.name)} is open already."
    return ""


def _sneak(action: Recognised, around: Surroundings) -> str:
    return _move(action, around) if any(entity_kind(target) == "place" for target in action.targets) else ""


def _seen(action: Recognised, around: Surroundings) -> str:
    """Only what is here can be looked into."""
    target = action.targets[0] if action.targets else ""
    return "" if target in ("", around.actor.id, around.situation.place.id) else _not_here(target, around)


def _not_here(target: str, around: Surroundings) -> str:
    if entity_kind(target) == "item" and around.thing(target) is None:
        return f"The {_plain(around.name(target))} is not here."
    if entity_kind(target) in ("place", "person") and target not in around.exits and target not in around.persons:
        return f"{around.name(target)} is not here."
    return ""


def _plain(name: str) -> str:
    words = name.split()
    return " ".join(words[1:]) if len(words) > 1 and words[0].lower() in ("the", "a", "an", "my", "some") else name


def _either(names: Iterable[str]) -> str:
    *most, last = list(names)
    return f"{', '.join(most)} or {last}" if most else last


_CHECKS: dict[Verb, Callable[[Recognised, Surroundings], str]] = {
    "talk": _speak, "ask": _speak, "persuade": _speak, "threaten": _speak, "deceive": _speak, "move": _move,
    "attack": _attack, "take": _take, "give": _give, "use": _use, "open": _open, "sneak": _sneak,
    "examine": _seen, "search": _seen,
}  # fmt: skip
