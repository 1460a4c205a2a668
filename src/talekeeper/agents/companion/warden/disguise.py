"""Takes the disguise off a line: foreign lookalikes, styled letters, marks on top, invisible ones, letters set apart.

A line that wore one is more suspicious for it, so what was taken off is told as well.
"""

from __future__ import annotations

import re
import unicodedata

import msgspec

from talekeeper.agents.companion.warden.confusables import CONFUSABLES

LONGEST = 1_000
_TYPOGRAPHY = (("’", "'"), ("‘", "'"), ("“", '"'), ("”", '"'), ("—", "-"), ("–", "-"), ("…", "..."))
_APART = re.compile(r"(?<![^\W_])(?:[^\W_][ .*|·\-]{1,3}){4,}[^\W_](?![^\W_])")
_BETWEEN = re.compile(r"[ *|·\-]")
KEYWORDS = ("discord", "telegram", "whatsapp", "viewers", "followers", "chatters", "subscribers")
"""Words a pitch cannot do without, and therefore breaks up or spells with digits."""
_ANYTHING = r"[\W_]*"
_BROKEN = {word: re.compile(rf"(?<![^\W_]){_ANYTHING.join(word)}(?![^\W_])") for word in KEYWORDS}
_MISSPELT = {
    spelled: word
    for word in ("viewers", "followers", "discord")
    for n in range(len(word))
    for spelled in (
        word[:n] + word[n + 1 :],
        word[:n] + word[n : n + 2][::-1] + word[n + 2 :],
        word[: n + 1] + word[n:],
    )
    if spelled not in (word, word[:-1])
}
_DIGITS = str.maketrans("013457$", "oieasts")
_LATIN = re.compile(r"[a-zA-Z]")
_WORD = re.compile(r"[a-z0-9_$]+")
_FEWEST_APART = 5
_FOREIGN_LETTER = re.compile(r"[^\x00-\x7f\W\d_]")
_LOOKALIKE = re.compile(f"[{''.join(map(chr, CONFUSABLES))}]")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\U000e0000-\U000e0fff]"
)
_HIDDEN = re.compile("(?<=[a-zA-Z])[\u00ad\u200b-\u200d\u2060\u180e\ufeff\u3164](?=[a-zA-Z])")
_STYLED = re.compile("[\U0001d400-\U0001d7ff\u24b6-\u24e9\uff21-\uff5a\U0001f130-\U0001f189]")
_FEWEST_STYLED = 3
_MARK = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_FEWEST_MARKS = 4
_MARKS_A_LETTER = 0.25


class Plain(msgspec.Struct, frozen=True):
    text: str
    """Lower case; what looked like a Latin letter is one."""
    words: frozenset[str]
    disguises: tuple[str, ...] = ()


def plain(text: str) -> Plain:
    text = text[:LONGEST]
    found: list[str] = []
    if not text.isascii():
        text = _uncovered(text, found)
    text = text.lower()
    words = _WORD.findall(text)
    if len([word for word in words if len(word) == 1]) >= _FEWEST_APART and _APART.search(text):
        text = _APART.sub(_joined, text)
        words = _WORD.findall(text)
        found.append("letters set apart")
    mended = _mended(text, words)
    if mended != text:
        text, words = mended, _WORD.findall(mended)
        found.append("broken words")
    return Plain(text, frozenset(words), tuple(found))


def _mended(text: str, words: list[str]) -> str:
    """Keywords that were broken up or spelled with digits, as they are read."""
    for spelled in words:
        if spelled in _MISSPELT:
            text = text.replace(spelled, _MISSPELT[spelled])
        elif not spelled.isalpha() and not spelled.isdigit():
            read = spelled.translate(_DIGITS)
            if read != spelled and read in KEYWORDS:
                text = text.replace(spelled, read)
    together = "".join(words)
    for word in KEYWORDS:
        if word in together and word not in text:
            text = _BROKEN[word].sub(word, text)
    return text


def _uncovered(text: str, found: list[str]) -> str:
    for mark, simple in _TYPOGRAPHY:
        text = text.replace(mark, simple)
    if text.isascii():
        return text
    if _INVISIBLE.search(text):
        if _HIDDEN.search(text):
            found.append("invisible marks inside words")
        text = _INVISIBLE.sub("", text)
    # Accents belong to many languages; styled letters and piles of marks to none.
    if len(_STYLED.findall(text)) >= _FEWEST_STYLED:
        found.append("styled letters")
    apart = unicodedata.normalize("NFKD", text)
    if apart != text or _MARK.search(text):
        bare, marks = _MARK.subn("", apart)
        if marks >= _FEWEST_MARKS and marks > len(bare) * _MARKS_A_LETTER and _LATIN.search(bare):
            found.append("marks piled on letters")
        # Composing again keeps scripts whole whose letters fall apart, such as Hangul.
        text = unicodedata.normalize("NFC", bare)
    if not _FOREIGN_LETTER.search(text):
        return text
    words = text.split(" ")
    if any(not word.isascii() and _LATIN.search(word) and _LOOKALIKE.search(word) for word in words):
        found.append("lookalike letters")
    return " ".join([word if word.isascii() else word.translate(CONFUSABLES) for word in words])


def _joined(match: re.Match[str]) -> str:
    return _BETWEEN.sub("", match[0])
