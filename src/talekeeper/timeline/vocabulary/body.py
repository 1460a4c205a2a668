"""What every event body has in common."""

from __future__ import annotations

from typing import ClassVar

import msgspec


class Body(msgspec.Struct, frozen=True, omit_defaults=True):
    """The payload of one kind of event. Frozen, past tense; new fields need defaults, so that old events still read."""

    kind: ClassVar[str]
