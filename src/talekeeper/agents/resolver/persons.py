"""Whom a pronoun or a description means: the one last named, the one last spoken with, the only one it can be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from talekeeper.agents.resolver.words import stems
from talekeeper.agents.situation import Person

_SHE = frozenset(("she", "her", "hers", "herself"))
_HE = frozenset(("he", "him", "his", "himself"))
_THEY = frozenset(("them", "they", "their", "themselves", "everyone", "everybody", "all", "both"))
_ANYONE = frozenset(("someone", "somebody", "anyone", "anybody", "whoever", "you"))
PRONOUNS = (_SHE | _HE | _THEY | _ANYONE) - {"his", "their"}

_WOMEN = frozenset("woman girl lady maid lass".split())
_MEN = frozenset("man boy fellow guy lad gentleman".split())
_FOLK = _WOMEN | _MEN | frozenset("person figure stranger one child elder".split())

_FEMALE = re.compile(r"\b(?:she|her|hers|woman|girl|mother|lady|wife|sister|daughter|queen|widow|aunt|maid|landlady)\b")
_MALE = re.compile(r"\b(?:he|him|his|man|boy|father|lord|husband|brother|son|king|widower|uncle|priest|landlord)\b")

Meant = tuple[tuple[str, ...], tuple[str, ...]]
"""The persons meant, or else those who might be."""


def meant(pronoun: str, present: Sequence[Person], mentioned: Sequence[str], focus: str) -> Meant:
    """`mentioned` are the persons named before the pronoun in the line, the latest last."""
    fitting = [person.id for person in present if _may_be(person, pronoun)]
    for name in reversed(mentioned):
        if name in fitting:
            return (name,), ()
    if pronoun in _ANYONE:
        return (), ()
    if pronoun in _THEY and len(present) != 1:
        return tuple(person.id for person in present), ()
    if focus in fitting:
        return (focus,), ()
    return _one_of(fitting, present, pronoun)


def described(said: frozenset[str], present: Sequence[Person]) -> Meant:
    """The old woman, the man with the pipe: whose looks the words fit best."""
    nouns = said & _FOLK
    if not nouns:
        return (), ()
    pronoun = "she" if nouns & _WOMEN else "he" if nouns & _MEN else "they"
    fits = {person.id: len(said & _looks(person)) for person in present if _may_be(person, pronoun)}
    most = max(fits.values(), default=0)
    best = [name for name, count in fits.items() if count == most]
    if most and len(best) == 1:
        return (best[0],), ()
    return _one_of(best, present, pronoun) if fits else ((), ())


def readiest(present: Sequence[Person], focus: str) -> tuple[str, ...]:
    """Who answers words spoken to nobody in particular: the one last spoken with, else whoever likes the actor best."""
    able = [person for person in present if person.status != "dead"]
    if not able:
        return ()
    return (max(able, key=lambda person: (person.id == focus, _warmth(person))).id,)


def _one_of(fitting: Sequence[str], present: Sequence[Person], pronoun: str) -> Meant:
    surely = [p.id for p in present if p.id in fitting and _sex(_words(p)) != "?"] if pronoun in _SHE | _HE else []
    best = tuple(surely or fitting)
    if not best:
        return ((present[0].id,), ()) if len(present) == 1 else ((), tuple(person.id for person in present))
    return (best, ()) if len(best) == 1 else ((), best)


def _warmth(person: Person) -> int:
    return person.regard.get("trust", 0) + person.regard.get("affection", 0) + person.regard.get("respect", 0) // 2


def _may_be(person: Person, pronoun: str) -> bool:
    sex = _sex(_words(person))
    if pronoun in _SHE:
        return sex != "he"
    return sex != "she" if pronoun in _HE else True


def _words(person: Person) -> str:
    return f"{person.role} {person.look} {person.voice}".lower()


def _looks(person: Person) -> frozenset[str]:
    return frozenset(stems(_words(person)))


@lru_cache(1024)
def _sex(words: str) -> str:
    she, he = len(_FEMALE.findall(words)), len(_MALE.findall(words))
    if she == he:
        return "?"
    return "she" if she > he else "he"
