"""Thirty secrets and a long talk: no prompt holds a secret before the one it is written for has learnt it."""

from __future__ import annotations

import re
from collections import Counter

from sqlalchemy import Connection

from talekeeper.canon.updater import propose
from talekeeper.canon.validators import Update
from talekeeper.canon.view import CanonView
from talekeeper.llm.model import ModelRequest
from talekeeper.testing.house import WORLD
from talekeeper.timeline.ids import parse_turn_id
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.vocabulary import Claim, Draft, LineSpoken, NarrationTold, SecretTold

HOLDERS = ("dorcas", "nan", "bray", "hester", "idris", "ambrose", "tam")
THINGS = (
    "heron kettle copper lantern anchor velvet marrow thimble saddle mirror barrel pepper candle ribbon feather hammer"
    " violin basket button goblet ladder medal needle oyster parcel quiver rudder spindle trumpet whistle"
).split()
TOUR = ("the Row", "the Works Office", "the Row", "the Gatehouse", "the Row", "the Flats", "the Row", "the Otter")
MOST_TURNS = 60


def secret_text(n: int) -> str:
    return f"The {THINGS[n]} of {HOLDERS[n % 7]} went down unseen on night {n} of the long rain."


def hide(conn: Connection, table) -> None:
    """Thirty secrets, by the only way into canon."""
    claims = [
        claim
        for n in range(30)
        for claim in (
            Claim(f"person/{HOLDERS[n % 7]}", "secret", secret_text(n), slot=f"planted-{n}"),
            Claim(f"person/{HOLDERS[n % 7]}", "secret_topic", THINGS[n], slot=f"planted-{n}#{THINGS[n]}"),
        )
    ]
    bodies = propose(
        CanonView(conn, path(conn, WORLD, "t1")), "world_builder", [Update(tuple(claims), "")], decide=True
    )
    table.engine.services.appender.append(conn, WORLD, "t1", [Draft(body=body, by="world_builder") for body in bodies])


def reply(request: ModelRequest) -> str:
    """A voice says what it is given to let out; the narrator tells little and cues whoever was spoken to."""
    lets_out = re.search(r"<lets_out>\n- (.*)\n</lets_out>", request.messages[1].content)
    if request.messages[0].content.startswith("You give"):
        return f"<say>{lets_out[1] if lets_out else 'Who told you that?'}</say>"
    return "<narration>You waited for what would come of it.</narration>"


async def present(table) -> list[str]:
    snapshot = await table.engine.store.read(lambda conn: latest_snapshot(conn, path(conn, WORLD, "t1")))
    return [who for who in snapshot.participants if who != "person/merrit"]


async def play(table) -> None:
    """A walk through the place: everybody is asked, pressed and threatened about what they hide, and what others hide."""
    turns = 0
    for stop in ("", *TOUR):
        if stop:
            await table.act(f"go to {stop}")
        for who in await present(table):
            name = who.removeprefix("person/")
            n = HOLDERS.index(name)
            for way in ("ask {} about the {}", "persuade {} to tell me about the {}", "threaten {} about the {}"):
                own, other = THINGS[(n + 7 * (turns % 4)) % 30], THINGS[(n + 1 + turns) % 30]
                await table.act(way.format(name.title(), own if turns % 3 else other))
                turns += 1
                if turns >= MOST_TURNS:
                    return


async def test_no_prompt_holds_a_secret_before_its_reader_learnt_it(table) -> None:
    await table.engine.store.write(lambda conn: hide(conn, table))
    table.model.reply = reply
    await play(table)

    def secrets(conn: Connection) -> dict[str, str]:
        view = CanonView(conn, path(conn, WORLD, "t1"))
        return {fact.slot: str(fact.obj) for fact in view.with_predicate("secret")}

    hidden = await table.engine.store.read(secrets)
    assert len(hidden) > 30  # the planted ones and the preset's own
    learnt = await when_learnt(table, hidden)
    seen: Counter[str] = Counter()
    for turn, request in table.model.received:
        text = "\n".join(message.content for message in request.messages)
        reader = speaker_of(request) or "person/merrit"
        for slot, secret in hidden.items():
            if secret in text:
                seen["voice" if speaker_of(request) else "narrator"] += 1
                since = learnt.get((slot, reader))
                assert since is not None, f"{reader} never learnt {slot}, but was sent it in {turn}"
                assert since <= parse_turn_id(turn)[1], (
                    f"{reader} learnt {slot} in turn {since}, but was sent it in {turn}"
                )
    # The test can fail: much was asked, some of it came out, and then it was in the prompts.
    assert len(table.model.received) > 60
    assert sum(1 for _, reader in learnt if reader == "person/merrit") >= 5
    assert seen["voice"] >= 5
    assert seen["narrator"] >= 5


async def when_learnt(table, hidden: dict[str, str]) -> dict[tuple[str, str], int]:
    """The turn in which each one was told each secret, let it out, or stood by when it was said."""
    learnt: dict[tuple[str, str], int] = {}
    for event in await table.events(SecretTold.kind, LineSpoken.kind, NarrationTold.kind):
        if event.turn is None:
            continue
        heard = {event.body.teller, *event.body.to} if isinstance(event.body, SecretTold) else set(event.witnesses)
        slots = [slot for slot, secret in hidden.items() if secret in event.body.text]
        for slot in slots:
            for who in heard:
                learnt.setdefault((slot, who), parse_turn_id(event.turn)[1])
    return learnt


def speaker_of(request: ModelRequest) -> str:
    found = re.search(r"<speaker>\n.*?\((person/\w+)\)", request.messages[0].content)
    return found[1] if found else ""
