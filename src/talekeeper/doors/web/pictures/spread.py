"""Where the nodes of a small graph go: pulled together by ties, pushed apart by each other. Same input, same picture."""

from __future__ import annotations

import math
from collections.abc import Sequence

_STEPS = 140
_NAME_WIDTH, _NAME_HEIGHT = 84.0, 34.0


def spread(
    count: int, ties: Sequence[tuple[int, int, float]], width: float, height: float
) -> list[tuple[float, float]]:
    """Places for `count` nodes inside the frame. A tie is (from, to, strength 0..1)."""
    if count == 0:
        return []
    ideal = math.sqrt(width * height / count) * 0.62
    xs = [width / 2 + width * 0.36 * math.cos(2.4 * i + 0.3) * math.sqrt((i + 0.5) / count) for i in range(count)]
    ys = [height / 2 + height * 0.36 * math.sin(2.4 * i + 0.3) * math.sqrt((i + 0.5) / count) for i in range(count)]
    for step in range(_STEPS):
        heat = ideal * 0.35 * (1 - step / _STEPS)
        push_x, push_y = [0.0] * count, [0.0] * count
        for a in range(count):
            for b in range(a + 1, count):
                dx, dy = xs[a] - xs[b], ys[a] - ys[b]
                away = max(1.0, math.hypot(dx, dy))
                force = ideal * ideal / away / away
                push_x[a] += dx * force
                push_y[a] += dy * force
                push_x[b] -= dx * force
                push_y[b] -= dy * force
        for a, b, strength in ties:
            dx, dy = xs[a] - xs[b], ys[a] - ys[b]
            force = math.hypot(dx, dy) / ideal * (0.35 + 0.65 * strength)
            push_x[a] -= dx * force
            push_y[a] -= dy * force
            push_x[b] += dx * force
            push_y[b] += dy * force
        for i in range(count):
            push_x[i] += (width / 2 - xs[i]) * 0.12
            push_y[i] += (height / 2 - ys[i]) * 0.12
            far = max(1.0, math.hypot(push_x[i], push_y[i]))
            xs[i] = min(width, max(0.0, xs[i] + push_x[i] / far * min(far, heat)))
            ys[i] = min(height, max(0.0, ys[i] + push_y[i] / far * min(far, heat)))
    xs, ys = _filling(xs, width), _filling(ys, height)
    _make_room(xs, ys, width, height)
    return list(zip(xs, ys, strict=True))


def _filling(values: list[float], room: float) -> list[float]:
    low, high = min(values), max(values)
    if high - low < 1:
        return [room / 2] * len(values)
    return [(value - low) / (high - low) * room for value in values]


def _make_room(xs: list[float], ys: list[float], width: float, height: float) -> None:
    """Nodes whose names would lie over each other move apart, up and down."""
    for _ in range(40):
        for a in range(len(xs)):
            for b in range(a + 1, len(xs)):
                near = _NAME_HEIGHT - abs(ys[a] - ys[b])
                if near > 0 and abs(xs[a] - xs[b]) < _NAME_WIDTH:
                    upper, lower = (a, b) if (ys[a], a) < (ys[b], b) else (b, a)
                    ys[upper] = max(0.0, ys[upper] - near / 2)
                    ys[lower] = min(height, ys[lower] + near / 2)
                    side = 1.0 if xs[a] >= xs[b] else -1.0
                    xs[a] = min(width, max(0.0, xs[a] + side * 1.5))
                    xs[b] = min(width, max(0.0, xs[b] - side * 1.5))
