"""Patterns written in TOML; an error says in which file, arc and step it is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from talekeeper.errors import BadInput, NotFound

from .pattern import Pattern, arc

_ARC = {"name", "key", "title", "stakes", "within", "among", "tell", "step", "unless"}
_STEP = {"name", "kind", "times", "where", "distinct", "after"}
_UNLESS = {"kind", "between", "where"}
_SPAN = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(minute|hour|day|week|year)s?\s*\Z")
_TIMES = re.compile(r"\s*(\d+)\s*(?:\+|-\s*(\d+))?\s*\Z")
_UNITS = {"minute": 60, "hour": 3600, "day": 86400, "week": 604800, "year": 31557600}


def read_patterns(path: Path) -> list[Pattern]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFound(f"There is no pattern file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}.", "Pattern files are TOML in UTF-8.") from error
    return parse_patterns(text, str(path))


def parse_patterns(text: str, origin: str = "patterns") -> list[Pattern]:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{origin}: {error}", "Mend the TOML at that line.") from None
    tables = document.get("arc", [])
    if not isinstance(tables, list) or set(document) - {"arc"}:
        raise BadInput(f"{origin}: only [[arc]] tables are known.", "Begin each arc with [[arc]].")
    patterns = []
    for number, table in enumerate(tables, 1):
        where = f"{origin}, arc {number}"
        if not isinstance(table, Mapping):
            raise BadInput(f"{where}: not a table.", "Begin each arc with [[arc]].")
        try:
            patterns.append(_pattern(table))
        except BadInput as error:
            named = f"{where} ({table['name']})" if isinstance(table.get("name"), str) else where
            raise BadInput(f"{named}: {error.message}", error.hint) from None
    return patterns


def _pattern(table: Mapping[str, Any]) -> Pattern:
    _only(table, _ARC, "an arc")
    pattern = arc(
        _need(table, "name", str, "an arc"),
        key=_words(table.get("key", []), "key"),
        title=table.get("title", ""),
        stakes=_need({"stakes": table.get("stakes", 1.0)}, "stakes", (int, float), "an arc"),
    )
    for step in _tables(table, "step"):
        _only(step, _STEP, "a step")
        name = _need(step, "name", str, "a step")
        pattern = pattern.step(
            name,
            kind=_words(_need(step, "kind", (str, list), f"step {name}"), "kind"),
            times=_times(step.get("times", 1)),
            where=_need({"where": step.get("where", {})}, "where", Mapping, f"step {name}"),
            distinct=step.get("distinct", ""),
            after=_span(step["after"]) if "after" in step else 0.0,
        )
    for ban in _tables(table, "unless"):
        _only(ban, _UNLESS, "an unless")
        between = _words(ban.get("between", []), "between")
        if len(between) not in (0, 2):
            raise BadInput("between needs two names of steps.", 'Such as between = ["blow", "win"].')
        pattern = pattern.unless(
            _words(_need(ban, "kind", (str, list), "an unless"), "kind"),
            between=(between[0], between[1]) if between else None,
            where=_need({"where": ban.get("where", {})}, "where", Mapping, "an unless"),
        )
    if "within" in table:
        pattern = pattern.within(minutes=_span(table["within"]) / 60)
    if "among" in table:
        pattern = pattern.among(**_need(table, "among", Mapping, "an arc"))
    if "tell" in table:
        pattern = pattern.tell(_need(table, "tell", str, "an arc"))
    if not pattern.steps:
        raise BadInput("it has no steps.", "Add [[arc.step]] tables.")
    return pattern


def _only(table: Mapping[str, Any], known: set[str], what: str) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise BadInput(f"{what} knows no {unknown[0]!r}.", f"Known: {', '.join(sorted(known))}.")


def _need(table: Mapping[str, Any], name: str, kind: Any, what: str) -> Any:
    value = table.get(name)
    if not isinstance(value, kind) or value == "":
        raise BadInput(f"{what} needs a proper {name!r}, not {value!r}.")
    return value


def _tables(table: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    inner = table.get(name, [])
    if not isinstance(inner, list) or not all(isinstance(one, Mapping) for one in inner):
        raise BadInput(f"{name!r} must be tables.", f"Begin each with [[arc.{name}]].")
    return inner


def _words(value: Any, name: str) -> tuple[str, ...]:
    words = (value,) if isinstance(value, str) else value
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) and word for word in words):
        raise BadInput(f"{name} must be a word or a list of words, not {value!r}.")
    return tuple(words)


def _times(value: Any) -> tuple[int, int | None]:
    """3, "3+", "3-5"."""
    match = _TIMES.match(str(value)) if not isinstance(value, bool) else None
    if match is None:
        raise BadInput(f"times cannot be {value!r}.", 'Write 3, "3+" or "3-5".')
    least = int(match[1])
    return (least, int(match[2])) if match[2] else (least, None if "+" in str(value) else least)


def _span(value: Any) -> float:
    match = _SPAN.match(value) if isinstance(value, str) else None
    if match is None:
        raise BadInput(f"{value!r} is no span of time.", 'Write "7 days", "30 minutes" or "1.5 hours".')
    return float(match[1]) * _UNITS[match[2]]
