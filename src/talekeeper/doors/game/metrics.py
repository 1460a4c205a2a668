"""How the game door is doing, for /metrics."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

CONNECTIONS = Gauge("talekeeper_game_connections", "Games connected now.")
TURNS = Counter("talekeeper_game_turns", "NPC turns by how they ended.", ["end"])
REFUSED = Counter("talekeeper_game_errors", "Errors told to games, by code.", ["code"])
FIRST_TAG = Histogram(
    "talekeeper_game_first_tag_seconds",
    "From the speaker's first word to the first tag.",
    buckets=(0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5),
)
