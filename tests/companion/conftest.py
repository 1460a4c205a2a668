"""Lines of an imagined chat, pitches and ordinary talk, and a stream to speak in. All of it was written for these tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from talekeeper.agents.companion.context import StreamContext
from talekeeper.agents.companion.dashboard import Dashboard
from talekeeper.agents.companion.line import ChatLine

HERE = Path(__file__).parent
Say = Callable[..., ChatLine]


@pytest.fixture
def say() -> Say:
    """A line by somebody; ids count up."""
    count = 0

    def line(text: str, name: str = "mara", at: float = 0.0, *badges: str) -> ChatLine:
        nonlocal count
        count += 1
        return ChatLine(f"m{count}", name, text, at, badges=badges, channel="quietroom")

    return line


@pytest.fixture
def stream() -> StreamContext:
    return StreamContext(
        channel="quietroom",
        bot="sanctum_chronicler",
        operator="Ilse",
        theme="What lighthouses ask of those who keep them",
        title="Keepers: an evening on the rock",
        game="Keepers",
        dashboard=Dashboard(
            raw_markdown="# Tonight\n- the oil lamp on the second landing\n- why the log was kept in pencil\n",
            stream_title="Keepers: an evening on the rock",
            game="Keepers",
            mood="calm",
            session_goals=("Climb to the lantern room", "Read the whole log book"),
            content_angle="What lighthouses ask of those who keep them",
        ),
    )


@pytest.fixture(scope="session")
def pitches() -> list[str]:
    return (HERE / "pitches.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="session")
def ordinary() -> list[str]:
    return (HERE / "ordinary.txt").read_text(encoding="utf-8").splitlines()
