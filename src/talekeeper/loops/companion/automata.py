"""Machines nobody has on a list: a name that says the same things again and again, whoever is thanked in them."""

from __future__ import annotations

import re
from collections import OrderedDict

import msgspec

from talekeeper.agents.companion.line import ChatLine

APART = 60.0
"""People repeat themselves at once, machines by the clock."""
OFTEN, SHARE = 3, 0.4
_SHORTEST = 12
_MOST_NAMES, _MOST_FORMS = 5000, 50
_CHANGING = re.compile(r"@\w+|\d+")


class _Habit(msgspec.Struct):
    lines: int = 0
    again: int = 0
    forms: OrderedDict[str, float] = msgspec.field(default_factory=OrderedDict)
    """What was said, without the names and numbers in it, and when last."""


class Automata:
    def __init__(self) -> None:
        self._habits: OrderedDict[str, _Habit] = OrderedDict()

    def note(self, line: ChatLine) -> bool:
        """Whether whoever wrote this seems to be a machine by now. Moderators and subscribers may be tiresome people."""
        if line.moderator or "subscriber" in line.badges:
            return False
        habit = self._habits.setdefault(line.name, _Habit())
        habit.lines += 1
        form = _CHANGING.sub("", line.text.casefold())
        if len(form) >= _SHORTEST:
            last = habit.forms.get(form)
            habit.again += last is not None and line.at - last >= APART
            habit.forms[form] = line.at
            habit.forms.move_to_end(form)
            if len(habit.forms) > _MOST_FORMS:
                habit.forms.popitem(last=False)
        if len(self._habits) > _MOST_NAMES:
            self._habits.popitem(last=False)
        return self.is_one(line.name)

    def is_one(self, name: str) -> bool:
        habit = self._habits.get(name)
        return habit is not None and habit.again >= OFTEN and habit.again >= SHARE * habit.lines
