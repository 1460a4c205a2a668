"""Words of strangers on one line: no breaks, no control characters, nothing that turns the writing round."""

from __future__ import annotations

import re

_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]+")


def one_line(text: str) -> str:
    return " ".join(_UNSEEN.sub(" ", text).split())
