"""The colours of pictures that stand alone; the page's style sheet replaces them by its own."""

from __future__ import annotations

TEXT, SECOND, FAINT, LINE = "#ece1cf", "#b7a88f", "#a09073", "#3a3026"
GROUND, EMBER, GOOD, BAD = "#1b1612", "#d9894a", "#94a877", "#d67882"
FACES = ("#8a4a25", "#2d6480", "#86304a", "#4c7026", "#6a4a86", "#80641f", "#24706a", "#774236")


def face_of(entity: str) -> int:
    """Everybody keeps one colour, on the page as in pictures."""
    total = 7
    for letter in entity:
        total = (total * 31 + ord(letter)) % 9973
    return total % len(FACES)
