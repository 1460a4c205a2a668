"""Reads rules packs from TOML; what is wrong is said with the file and the key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import TypeVar, get_args

import msgspec

from talekeeper.canon.predicates import PREDICATES, RELATIONS
from talekeeper.errors import BadInput, NotFound
from talekeeper.rules.dice import check_notation
from talekeeper.rules.pack import Condition, Pack, Stat, VerbRule
from talekeeper.timeline.vocabulary import Verb

ROLLED_TIERS = ("triumph", "success", "cost", "failure", "disaster")
"""From the best to the worst."""

_HINT = "docs/rules.md explains every key of a rules pack."
_DICE = re.compile(r"[0-9]{0,2}d(?:[0-9]+|%)(?:(?:k|p|e|rr|ro|ra|mi|ma)[hl<>]?[0-9]+)*\Z")
_WHERE = re.compile(r"(.*?)(?: - at (?:`key` in )?`\$\.?(.*)`)?\Z", re.DOTALL)
_SECTIONS: dict[str, type[msgspec.Struct]] = {"stats": Stat, "verbs": VerbRule, "conditions": Condition}
_T = TypeVar("_T")


def shipped_packs() -> tuple[str, ...]:
    """The ids of the packs that come with Talekeeper."""
    return tuple(
        sorted(file.name.removesuffix(".toml") for file in files("talekeeper.rules").joinpath("packs").iterdir())
    )


@cache
def load_pack(name: str) -> Pack:
    """A shipped pack by its id."""
    if name not in shipped_packs():
        raise NotFound(f"There is no rules pack called {name[:80]!r}.", f"There are: {', '.join(shipped_packs())}.")
    file = files("talekeeper.rules").joinpath("packs", f"{name}.toml")
    return parse_pack(file.read_text(encoding="utf-8"), f"{name}.toml")


def read_pack(path: Path) -> Pack:
    """A pack from a file of your own."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The rules pack {path} cannot be read: {error}.", _HINT) from error
    return parse_pack(text, str(path))


def parse_pack(text: str, file: str) -> Pack:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{file} is not valid TOML: {error}.", _HINT) from error
    for section, entry_type in _SECTIONS.items():
        entries = data.get(section)
        # One by one, because a fault inside a table of tables would come back without the key it sits under.
        for key, entry in entries.items() if isinstance(entries, dict) else ():
            _convert(entry, entry_type, file, f"{section}.{key}")
    pack = _convert(data, Pack, file, "")
    for key, problem in _problems(pack):
        raise BadInput(f"{file}, {key}: {problem}.", _HINT)
    return pack


def _convert(data: object, to: type[_T], file: str, under: str) -> _T:
    try:
        return msgspec.convert(data, to)
    except msgspec.ValidationError as error:
        match = _WHERE.match(str(error))
        message, within = (match[1], match[2] or "") if match else (str(error), "")
        key = ".".join(filter(None, (under, within.replace("[...]", ""))))
        raise BadInput(f"{file}, {key or 'top level'}: {message}.", _HINT) from error


def _problems(pack: Pack) -> Iterator[tuple[str, str]]:
    if not pack.stats:
        yield "stats", "at least one stat is needed"
    yield from _dice_problems(pack)
    yield from _ladder_problems(pack)
    yield from _tier_problems(pack)
    yield from _verb_problems(pack)
    yield from _condition_problems(pack)
    for number, adjustment in enumerate(pack.adjustments):
        if not _names_only_target(adjustment.says):
            yield f"adjustments[{number}].says", "only {target} can be filled in"
    if pack.clocks.hours_per_segment < 1:
        yield "clocks.hours_per_segment", "must be at least 1"
    if pack.pace.longest_minutes < 1:
        yield "pace.longest_minutes", "must be at least 1"


def _names_only_target(says: str) -> bool:
    try:
        return all(name in (None, "target") for _, name, _, _ in Formatter().parse(says))
    except ValueError:
        return False


def _dice_problems(pack: Pack) -> Iterator[tuple[str, str]]:
    for key in ("plain", "advantage", "disadvantage"):
        notation = getattr(pack.dice, key)
        try:
            check_notation(notation)
        except BadInput as error:
            yield f"dice.{key}", error.message.rstrip(".")
            continue
        if not _DICE.match(notation):
            yield f"dice.{key}", f"{notation!r} must be one group of dice such as 1d20 or 2d20kh1"


def _ladder_problems(pack: Pack) -> Iterator[tuple[str, str]]:
    words = [step.word for step in pack.ladder]
    if len(words) < 2 or len(set(words)) != len(words):
        yield "ladder", "needs at least two rungs, each with a word of its own"
    values = [step.value for step in pack.ladder]
    harder = values if pack.dice.aim == "over" else values[::-1]
    if sorted(set(harder)) != harder:
        yield "ladder", f"values must get harder from rung to rung when dice.aim is {pack.dice.aim!r}"


def _tier_problems(pack: Pack) -> Iterator[tuple[str, str]]:
    if tuple(rule.tier for rule in pack.tiers) != ROLLED_TIERS:
        yield "tiers", f"must be exactly {', '.join(ROLLED_TIERS)}, in this order"
        return
    margins = [rule.margin for rule in pack.tiers[:-1] if rule.margin is not None]
    if len(margins) != len(pack.tiers) - 1:
        yield "tiers.margin", "every tier but the last needs one"
    if pack.tiers[-1].margin is not None:
        yield "tiers.margin", "the last tier takes whatever is left and has none"
    if sorted(set(margins), reverse=True) != margins:
        yield "tiers.margin", "must fall from tier to tier"
    for rule in pack.tiers:
        if rule.natural is not None and rule.natural[0] > rule.natural[1]:
            yield "tiers.natural", f"{list(rule.natural)} must go from low to high"


def _verb_problems(pack: Pack) -> Iterator[tuple[str, str]]:
    words = {step.word for step in pack.ladder}
    missing = [verb for verb in get_args(Verb) if verb not in pack.verbs]
    if missing:
        yield "verbs", f"missing: {', '.join(missing)}"
    for verb, rule in pack.verbs.items():
        if rule.minutes < 0:
            yield f"verbs.{verb}.minutes", "must not be negative"
        if rule.rolls != "never" and rule.stat not in pack.stats:
            yield f"verbs.{verb}.stat", f"{rule.stat!r} is not one of the stats: {', '.join(pack.stats)}"
        if rule.rolls != "never" and rule.step not in words:
            yield f"verbs.{verb}.step", f"{rule.step!r} is not a word of the ladder"
        if rule.gains and rule.gains not in pack.conditions:
            yield f"verbs.{verb}.gains", f"{rule.gains!r} is not one of the conditions"
        for tier, nudges in rule.nudges.items():
            for relation in nudges:
                if relation not in RELATIONS:
                    yield f"verbs.{verb}.nudges.{tier}", f"{relation!r} is not one of {', '.join(RELATIONS)}"
        for tier, cost in rule.costs.items():
            if min(cost.minutes, cost.harm, cost.ticks) < 0:
                yield f"verbs.{verb}.costs.{tier}", "minutes, harm and ticks must not be negative"


def _condition_problems(pack: Pack) -> Iterator[tuple[str, str]]:
    most = PREDICATES["harm"].high or 0
    if not 1 <= pack.harm.limit <= most:
        yield "harm.limit", f"must be from 1 to {most}"
    if pack.harm.rest_minutes < 1:
        yield "harm.rest_minutes", "must be at least 1"
    if pack.harm.down not in pack.conditions:
        yield "harm.down", f"{pack.harm.down!r} is not one of the conditions"
    elif pack.conditions[pack.harm.down].at_harm != pack.harm.limit:
        yield f"conditions.{pack.harm.down}.at_harm", f"must be harm.limit, {pack.harm.limit}"
