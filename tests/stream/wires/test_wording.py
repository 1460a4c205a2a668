"""What leaves is one harmless line, cut where a sentence ends."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.doors.stream.wording import LIMIT, neutralise, split


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ("/ban everyone", "ban everyone"),
        (".timeout ada 600", "timeout ada 600"),
        ("  / . /me waves", "me waves"),
        ("one\r\nPRIVMSG #other :two", "one PRIVMSG #other :two"),
        ("a\x00b\x01ACTION c\x01", "a b ACTION c"),
        ("... and then the rain", "… and then the rain"),
        ("a half \ud800 of a character", "a half ? of a character"),
        ("kept: 3.5 km and/or more…", "kept: 3.5 km and/or more…"),
    ],
)
def test_nothing_that_a_server_would_obey_is_left(given: str, left: str) -> None:
    assert neutralise(given) == left


def test_long_answers_part_at_a_sentence() -> None:
    told = "The lamp was lit in March. " * 30
    one, two = split(told)
    assert one.endswith("March.")
    assert len(one) <= LIMIT < len(one) + len("The lamp was lit in March. ")
    assert f"{one} {two}" == told.strip()


def test_what_does_not_fit_twice_is_left_out_visibly() -> None:
    parts = split("and so on " * 300)
    assert len(parts) == 2
    assert parts[1].endswith("…")


def test_no_sentence_no_space_still_parts() -> None:
    assert [len(part) for part in split("x" * 900)] == [500, 400]
    assert len(split("x" * 10_000)[1]) == 500


@given(st.text(max_size=1500))
def test_any_text_becomes_harmless_pieces(text: str) -> None:
    parts = split(text)
    assert len(parts) <= 2
    for part in parts:
        assert 0 < len(part) <= LIMIT
        assert not part.startswith(("/", ".", " "))
        assert not any(unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in part)
    assert neutralise(neutralise(text)) == neutralise(text)
    if len(neutralise(text)) <= LIMIT:
        assert parts == ((neutralise(text),) if neutralise(text) else ())
