"""Running something awaitable at once: most sends end without waiting, and need no task to be woken for them."""

from __future__ import annotations

from collections.abc import Awaitable, Generator
from typing import Any


class Unfinished:
    """Something that has begun and now waits; whoever awaits this carries it to its end."""

    def __init__(self, steps: Generator[Any, Any, Any], waits_for: Any) -> None:
        self._steps = steps
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, None]:
        try:
            while True:
                try:
                    value = yield self._waits_for
                except BaseException as error:  # noqa: BLE001 - cancelled, as a rule: what waits must hear of it
                    self._waits_for = self._steps.throw(error)
                else:
                    self._waits_for = self._steps.send(value)
        except StopIteration:
            return


def run_now(work: Awaitable[Any]) -> Unfinished | None:
    """As far as it goes without waiting; None when that was to its end."""
    steps = work.__await__()
    try:
        return Unfinished(steps, steps.send(None))
    except StopIteration:
        return None
