"""A secret travels only by being told: what tellers are shown, and who remembers it after. Prompts are read, not prose."""

from __future__ import annotations

import msgspec

from talekeeper.canon.view import CanonView
from talekeeper.memory.recall import recall
from talekeeper.testing.house import WORLD
from talekeeper.testing.scripted_teller import ScriptedTeller
from talekeeper.timeline.lineage import path
from talekeeper.timeline.vocabulary import Draft, LineSpoken, OutcomeResolved, Reveal, SecretTold
from talekeeper.timeline.worlds import get_world

CUES = '<narration>They looked up.</narration><cue who="person/nan" about="the dam"/><cue who="person/dorcas" about="the dam"/>'


def secrets(table) -> dict[str, str]:
    """Every secret of the world, by whose it is."""
    facts = table.engine.store.read_now(lambda conn: CanonView(conn, path(conn, WORLD, "t1")).with_predicate("secret"))
    return {str(fact.obj): fact.subj for fact in facts}


async def test_no_prompt_holds_a_secret_that_was_not_revealed(seat) -> None:
    teller = ScriptedTeller([[CUES]] * 3)
    table = seat(teller)
    for line in ("ask Nan about the dam", "threaten Dorcas", "ask Dorcas about everything she hides"):
        await table.act(line)
    hidden = secrets(table)
    assert len(hidden) > 5
    assert teller.voiced, "characters were asked to speak"
    for shown in (*teller.told, *teller.voiced):
        said = msgspec.json.encode(msgspec.structs.replace(shown, used=frozenset())).decode()
        let_out = {reveal.text for reveal in shown.outcome.reveals}
        for secret in hidden.keys() - let_out:
            assert msgspec.json.encode(secret).decode()[1:-1] not in said


async def test_a_character_is_shown_only_its_own_mind(seat) -> None:
    teller = ScriptedTeller([[CUES]])
    table = seat(teller)
    await table.act("look around")
    goals = {voicing.speaker.id: voicing.goals for voicing in teller.voiced}
    assert goals.keys() == {"person/nan", "person/dorcas"}
    assert not set(goals["person/nan"]) & set(goals["person/dorcas"])
    (telling,) = teller.told
    context = telling.context
    for goal in (*goals["person/nan"], *goals["person/dorcas"]):
        assert goal not in context


async def test_what_nobody_here_witnessed_is_in_no_prompt(seat) -> None:
    teller = ScriptedTeller([[CUES]])
    table = seat(teller)
    whispered = Draft(
        body=LineSpoken(speaker="person/idris", text="The sluice key is behind the organ."), by="person/idris",
        witnesses=("person/idris", "person/hester"),
    )  # fmt: skip
    append = table.engine.services.appender.append
    table.engine.store.write_now(lambda conn: append(conn, WORLD, "t1", [whispered]))
    await table.act("ask Nan about the sluice key")
    for shown in (*teller.told, *teller.voiced):
        assert "behind the organ" not in msgspec.json.encode(msgspec.structs.replace(shown, used=frozenset())).decode()


async def test_a_revealed_secret_is_told_to_those_it_was_told_to(seat) -> None:
    teller = ScriptedTeller()
    table = seat(teller)
    text, holder = next((text, holder) for text, holder in secrets(table).items() if holder == "person/nan")
    player = table.engine.store.read_now(lambda conn: get_world(conn, WORLD).player)

    class Revealing:
        """A resolver that brings one secret out."""

        def __init__(self, real) -> None:
            self._real = real

        def __getattr__(self, name: str):
            return getattr(self._real, name)

        def settle(self, situation, judgement, roll) -> OutcomeResolved:
            outcome = self._real.settle(situation, judgement, roll)
            return msgspec.structs.replace(outcome, reveals=(Reveal("s", holder, text, (player,)),))

    services = table.engine.services
    resolver = services.resolver
    object.__setattr__(services, "resolver", lambda world: Revealing(resolver(world)))
    await table.act("ask Nan for the truth")
    (told,) = table.events(SecretTold)
    assert told.body.text == text
    assert set(told.witnesses) == {holder, player}

    def remembers(who: str) -> bool:
        found = table.engine.store.read_now(lambda c: recall(c, path(c, WORLD, "t1"), who, text, limit=50))
        return any(memory.event == told.id for memory in found)

    assert remembers(player)
    assert remembers(holder)
    assert not remembers("person/dorcas"), "she stood beside them, and it was not for her ears"
