"""The time of day, passed in so that tests decide what it is."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds since the epoch, UTC."""

system_clock: Clock = time.time
