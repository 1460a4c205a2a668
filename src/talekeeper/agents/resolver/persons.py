"""Whom a pronoun means: the one last named, the one last spoken with, or the only one it can be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from talekeeper.agents.situation import Person

_SHE = frozenset(("she", "her", "hers", "herself"))
_HE = frozenset(("he", "him", "his", "himself"))
_THEY = frozenset(("them", "they", "themselves", "everyone", "everybody", "all", "both"))
_ANYONE = frozenset(("someone", "somebody", "anyone", "anybody", "whoever", "you"))
PRONOUNS = _SHE | _HE | _THEY | _ANYONE

_FEMALE = re.compile(
    r"\b(?:she|her|hers|woman|girl|mother|lady|wife|sister|daughter|queen|widow|aunt|maid|priestess)\b"
)
_MALE = re.compile(r"\b(?:he|him|his|man|boy|father|lord|husband|brother|son|king|widower|uncle|priest)\b")


def meant(
    pronoun: str, present: Sequence[Person], mentioned: Sequence[str], focus: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The persons a pronoun means, or else those it might mean.

    `mentioned` are the persons named before it in the line, the latest last.
    """
    here = {person.id: person for person in present}
    fitting = [person.id for person in present if _may_be(person, pronoun)]
    for name in reversed(mentioned):
        if name in fitting:
            return (name,), ()
    if pronoun in _THEY and len(here) != 1:
        return tuple(here), ()
    if focus in fitting:
        return (focus,), ()
    if len(fitting) > 1:
        known = [name for name in fitting if _sex(_words(here[name])) != "?"]
        fitting = known or fitting
    if pronoun in _ANYONE:
        return (), ()
    if not fitting:
        return tuple(here) if len(here) == 1 else (), tuple(here)
    return (tuple(fitting), ()) if len(fitting) == 1 else ((), tuple(fitting))


def readiest(present: Sequence[Person], focus: str) -> tuple[str, ...]:
    """Who answers words spoken to nobody in particular: the one last spoken with, else whoever likes the actor best."""
    able = [person for person in present if person.status != "dead"]
    if not able:
        return ()
    best = max(able, key=lambda person: (person.id == focus, _warmth(person)))
    return (best.id,)


def _warmth(person: Person) -> int:
    return person.regard.get("trust", 0) + person.regard.get("affection", 0) + person.regard.get("respect", 0) // 2


def _may_be(person: Person, pronoun: str) -> bool:
    sex = _sex(_words(person))
    if pronoun in _SHE:
        return sex != "he"
    if pronoun in _HE:
        return sex != "she"
    return True


def _words(person: Person) -> str:
    return f"{person.role} {person.look} {person.voice}".lower()


@lru_cache(1024)
def _sex(words: str) -> str:
    she, he = len(_FEMALE.findall(words)), len(_MALE.findall(words))
    if she == he:
        return "?"
    return "she" if she > he else "he"
