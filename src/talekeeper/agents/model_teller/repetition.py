"""Notices a model that has begun to say the same thing over and over, as small ones do."""

from __future__ import annotations

import re
from collections import Counter

MOST_TIMES = 4
_FEWEST_WORDS = 4
_LONGEST = 1000
"""What has gone on for so many characters is no sentence, and is not read again with every new word."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


class Repetition:
    def __init__(self) -> None:
        self._unfinished = ""
        self._times: Counter[str] = Counter()

    def goes_on(self, text: str) -> bool:
        """Whether, with this text, a whole sentence has come too often."""
        *sentences, self._unfinished = _SENTENCE_END.split(self._unfinished + text)
        if len(self._unfinished) > _LONGEST:
            self._unfinished = ""
        said = [" ".join(sentence.casefold().split()) for sentence in sentences]
        self._times.update(sentence for sentence in said if len(sentence.split()) >= _FEWEST_WORDS)
        return any(self._times[sentence] >= MOST_TIMES for sentence in said)
