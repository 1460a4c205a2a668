"""The generic word bank: what the storyteller says where a preset has no words of its own."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec

from talekeeper.presets.preset import ByAttitude, Words
from talekeeper.timeline.vocabulary import Tier, Verb

WORDS = Path(__file__).parent / "words"


class Bank(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    verbs: dict[Verb, dict[Tier, Words]]
    """Whole sentences by what was done and how it went."""
    openings: dict[Verb, Words]
    """Clauses that say what was done."""
    verdicts: dict[Tier, Words]
    """Clauses that say how it went; an opening, a verdict and a manner make a sentence when the written ones run out."""
    manners: Words
    frames: dict[str, Words]
    """Sentences around a fact: a look, an exit, a mood."""
    costs: dict[str, Words]
    """The costs that rules packs name, told."""
    leads: dict[str, Words]
    """Something to act on, made of what is here."""
    says: dict[str, ByAttitude]
    """What anybody might say, by occasion."""
    remembers: dict[str, ByAttitude]
    """What anybody might say of what the player did before, by what it was."""
    senses: Words


@lru_cache(maxsize=1)
def load_bank() -> Bank:
    written: dict[str, object] = {}
    for path in sorted(WORDS.glob("*.toml")):
        for key, value in tomllib.loads(path.read_text(encoding="utf-8")).items():
            known = written.get(key)
            written[key] = {**known, **value} if isinstance(known, dict) else value
    return msgspec.convert(written, Bank)
