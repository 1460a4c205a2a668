"""Machines nobody has on a list give themselves away; people who repeat themselves do not."""

from __future__ import annotations

from talekeeper.agents.companion.line import ChatLine
from talekeeper.loops.companion.automata import Automata


def said(automata: Automata, lines: list[tuple[float, str]], **more) -> bool:
    return [automata.note(ChatLine(id=str(at), name="somebody", text=text, at=at, **more)) for at, text in lines][-1]


def test_thanks_by_the_clock():
    thanks = [(600.0 * n, f"Thanks for following, @viewer{n}") for n in range(5)]
    assert said(Automata(), thanks)


def test_advertisements_in_turn():
    turn = [
        "Join us at https://example.org tonight",
        "You may support the stream over there",
        "Remember to drink water",
    ]
    assert said(Automata(), [(300.0 * n, turn[n % 3]) for n in range(12)])


def test_people_who_repeat_themselves_at_once():
    assert not said(Automata(), [(float(n), "what a beautiful jump") for n in range(20)])


def test_people_who_greet_and_say_more():
    hello = [(3600.0 * n, "hello everybody!") for n in range(4)]
    talk = [(float(n), f"and then thing number {n} {'happened ' * n}") for n in range(1, 20)]
    assert not said(Automata(), sorted(hello + talk))


def test_a_moderator_may_say_it_often():
    rules = [(600.0 * n, "please keep spoilers out of the chat") for n in range(9)]
    assert not said(Automata(), rules, badges=("moderator",))
