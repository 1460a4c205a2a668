"""What docs/chronicle.md shows works as it is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from talekeeper.chronicle import parse_patterns
from talekeeper.chronicle.book.formats import FORMATS
from talekeeper.chronicle.sifter import BOOKS, arcs
from talekeeper.chronicle.sources import SOURCES

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "chronicle.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_the_python_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks("python"):
        exec(compile(block, "docs/chronicle.md", "exec"), names)
    said = capsys.readouterr().out
    assert "The chronicle tells of 2 events" in said
    assert "advanced long_siege ('mara', '#7')" in said
    assert "the name 'Zoe' is not in the events" in said


def test_the_toml_reads():
    assert [pattern.name for block in blocks("toml") for pattern in parse_patterns(block)] == ["long_siege"]


def test_it_leaves_out_no_form_source_or_arc():
    assert all(f"`{form}`" in TEXT for form in FORMATS)
    assert all(source.lower() in TEXT.lower() for source in SOURCES if source != "otel")
    for book in BOOKS[:2]:
        for pattern in arcs(book):
            words = pattern.title.lower().removeprefix("a ").removeprefix("an ")
            assert words in " ".join(TEXT.lower().split()), pattern.title


def test_its_pictures_are_there():
    for name in re.findall(r"\]\((pictures/[^)]+)\)", TEXT):
        assert (DOCS / name).stat().st_size > 1000
