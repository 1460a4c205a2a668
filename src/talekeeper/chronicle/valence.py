"""How well a thread is doing: a curve over its events, and which of the six shapes of stories it has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from .sifter.record import Record

VALENCE: Mapping[str, float] = {
    # fleet
    "dispatch": 0.2, "commit": 0.5, "push": 0.3, "pr_open": 0.8, "pr_merge": 2.0, "error": -1.5, "recovery": 1.8,
    "abandon": -2.5, "collab": 0.8, "heartbeat": 0.0, "idle": -0.1, "milestone": 2.5,
    # played worlds
    "helped": 1.0, "allied": 1.5, "reconciled": 2.0, "harmed": -1.8, "deceived": -1.5, "robbed": -1.2, "estranged": -1.0,
    "oath_sworn": 0.8, "oath_kept": 2.0, "oath_broken": -2.5, "power_gained": 1.5, "power_lost": -1.5, "taught": 1.0,
    "died": -3.0, "secret_kept": -0.3, "secret_learned": 0.3, "secret_revealed": 0.5, "departed": -0.5, "arrived": 0.5,
    "triumph": 1.5, "success": 0.8, "cost": 0.1, "failure": -1.0, "disaster": -2.0,
    # streams
    "chat_said": 0.2, "chat_first": 0.8, "session_joined": 0.3, "chat_flagged": -1.0, "companion_spoke": 0.1,
}  # fmt: skip


class Shape(StrEnum):
    """The six, by how fortune moves."""

    RISE = "rags to riches"
    FALL = "tragedy"
    FALL_RISE = "man in a hole"
    RISE_FALL = "Icarus"
    RISE_FALL_RISE = "Cinderella"
    FALL_RISE_FALL = "Oedipus"


class Curve(NamedTuple):
    """Points are (time, fortune) where fortune adds up from 0; `ids` are the events behind them."""

    points: tuple[tuple[float, float], ...]
    shape: Shape
    ids: tuple[str, ...]

    @property
    def end(self) -> float:
        return self.points[-1][1]

    @property
    def turns(self) -> bool:
        """Whether it went both up and down: a line that only climbs has a shape, but no story."""
        heights = [0.0, *(fortune for _, fortune in self.points)]
        steps = [later - earlier for earlier, later in pairwise(heights)]
        return min(steps) < 0 < max(steps)


_SAMPLES = 24
_SETBACKS = frozenset({"error", "failure"})
_OVERCOMES = frozenset({"recovery", "pr_merge", "triumph"})
_SHAPES = {
    (1, 1): Shape.FALL,
    (1, -1): Shape.RISE,
    (2, 1): Shape.FALL_RISE,
    (2, -1): Shape.RISE_FALL,
    (3, 1): Shape.FALL_RISE_FALL,
    (3, -1): Shape.RISE_FALL_RISE,
}


def curve(records: Sequence[Record]) -> Curve | None:
    """None for a thread in which nothing went well or badly."""
    total, debt, points, ids = 0.0, 0.0, [], []
    for record in records:
        value = VALENCE.get(record.kind, 0.0)
        if record.kind in _SETBACKS:
            debt -= value
        elif record.kind in _OVERCOMES:
            # Trouble that is over no longer weighs, however often it struck.
            value, debt = value + debt, 0.0
        if value:
            total += value
            points.append((record.happened, total))
            ids.append(record.id)
    if not points:
        return None
    return Curve(tuple(points), shape_of([0.0, *(fortune for _, fortune in points)]), tuple(ids))


def shape_of(fortunes: Sequence[float]) -> Shape:
    """The half, whole or one and a half wave that the curve, stretched to one length, is most like."""
    samples = _stretched(fortunes)
    mean = sum(samples) / len(samples)
    best, shape = -1.0, Shape.RISE
    for waves in (1, 2, 3):
        weights = [math.cos(math.pi * waves * (index + 0.5) / len(samples)) for index in range(len(samples))]
        likeness = sum((sample - mean) * weight for sample, weight in zip(samples, weights, strict=True))
        if abs(likeness) > best + 1e-9:
            best, shape = abs(likeness), _SHAPES[waves, 1 if likeness > 0 else -1]
    return shape


def _stretched(values: Sequence[float]) -> list[float]:
    if len(values) == 1:
        return list(values) * _SAMPLES
    stretched = []
    for index in range(_SAMPLES):
        position = index * (len(values) - 1) / (_SAMPLES - 1)
        low = min(int(position), len(values) - 2)
        stretched.append(values[low] + (values[low + 1] - values[low]) * (position - low))
    return stretched
