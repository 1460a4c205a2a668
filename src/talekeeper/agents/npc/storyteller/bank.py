"""The lines any NPC can say, and choosing one that fits, is not worn out, and is the same for the same seed."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

Feeling = str
_SLOT = re.compile(r"\{(\w+)\}")


@cache
def _words() -> Mapping[str, Mapping[Feeling, tuple[str, ...]]]:
    written = tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))
    return {topic: {feeling: tuple(lines) for feeling, lines in by.items()} for topic, by in written.items()}


class Lines:
    """Picks lines for one turn; what was said in the turns before is left out as long as there is anything else."""

    def __init__(self, seed: int, feeling: Feeling, slots: Mapping[str, str], told: Iterable[str]) -> None:
        self.rng = random.Random(seed)
        self._feeling = feeling
        self._slots = dict(slots)
        self._told = "\n".join(told)

    def pick(self, topic: str, feeling: Feeling | None = None, **slots: str) -> str:
        """A line about `topic`; empty when none can be said with these slots."""
        by = _words()[topic]
        values = {**self._slots, **slots}
        for lines in (by.get(feeling or self._feeling, ()), by.get("guarded", ())):
            sayable = [line for line in lines if all(values.get(slot) for slot in _SLOT.findall(line))]
            spoken = [_filled(line, values) for line in sayable]
            fresh = [line for line in spoken if line not in self._told]
            if fresh or spoken:
                return self.rng.choice(fresh or spoken)
        return ""

    def told(self, text: str) -> bool:
        """Whether these words were said before, at the beginning of a sentence or within one."""
        return bool(text) and (text in self._told or text[0].lower() + text[1:] in self._told)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share


_SMALL = frozenset("the a an it there they he she we my our this that some nobody everybody".split())


def _filled(line: str, values: Mapping[str, str]) -> str:
    """Words after a colon begin small, unless they are somebody's name."""

    def value(slot: re.Match[str]) -> str:
        text = values[slot[1]]
        inside = line[: slot.start()].endswith(": ")
        small = slot[1] == "goal" or text.partition(" ")[0].lower() in _SMALL
        return text[0].lower() + text[1:] if inside and small and text[1:2].islower() | (text[1:2] == " ") else text

    return _SLOT.sub(value, line)
