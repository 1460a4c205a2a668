"""A copy of the shipped preset that a test may spoil."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from talekeeper.presets.library import LIBRARY

Spoil = Callable[[str, str, str], Path]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(LIBRARY / "low-water", tmp_path / "low-water"))


@pytest.fixture
def spoil(folder: Path) -> Spoil:
    """Replaces the first `old` in a file by `new`."""

    def spoiled(file: str, old: str, new: str) -> Path:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return folder

    return spoiled
