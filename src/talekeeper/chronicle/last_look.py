"""When a reader last looked at each chronicle, so that the next one can begin there."""

from __future__ import annotations

import json
import os
from pathlib import Path


class LastLook:
    """A small file: one time for each name. A damaged file is as good as none."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def at(self, name: str) -> float | None:
        value = self._all().get(name)
        return float(value) if isinstance(value, int | float) else None

    def looked(self, name: str, at: float) -> None:
        looks = {**self._all(), name: at}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        new = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        new.write_text(json.dumps(looks, indent=1, sort_keys=True))
        new.replace(self._path)

    def _all(self) -> dict[str, object]:
        try:
            looks = json.loads(self._path.read_text())
        except (OSError, ValueError):
            return {}
        return looks if isinstance(looks, dict) else {}
