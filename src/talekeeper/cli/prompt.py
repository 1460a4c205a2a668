"""`talekeeper prompt`: what a model would be sent, without sending it."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

import typer
from sqlalchemy import Connection

from talekeeper.agents.model_teller import Prompt, find_card, narrator_prompt, voice_prompt
from talekeeper.app.engine import Engine
from talekeeper.canon.pages import resolve_name
from talekeeper.canon.view import CanonView
from talekeeper.cli.console import EMBER, aside, command_group, say, show_json
from talekeeper.cli.opening import JsonOption, WorldOption, chosen_world, opened_engine
from talekeeper.errors import BadInput
from talekeeper.llm.metered import context_hash
from talekeeper.llm.model import ModelRequest
from talekeeper.llm.tokens import estimate_tokens
from talekeeper.loops.intents import Act
from talekeeper.loops.scene.rehearsal import recollect, rehearse
from talekeeper.loops.scene.views import telling_of, voicing_of
from talekeeper.loops.scene.work import TurnWork
from talekeeper.timeline.ids import entity_kind

app = command_group("Look at what a model would be sent.")

FIRST_ACTION = "look around"


@app.command("show")
def show(
    world: WorldOption = None,
    action: Annotated[
        str | None,
        typer.Option("--action", "-a", metavar="TEXT", help="An action to rehearse.", show_default="the last turn"),
    ] = None,
    role: Annotated[Literal["narrator", "voice"], typer.Option(help="Who is asked.")] = "narrator",
    who: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose voice: a name or an id.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print what would be sent to a model. Nothing is sent and nothing is written.

    Without an action it is the last turn again, as it was told; with one, that action is resolved as it would be, dice
    included, and left at that.

    Example: talekeeper prompt show --action "ask Nan about the graves" --role voice --who Nan
    """
    if role == "voice" and not who:
        raise BadInput("A voice is somebody's.", "Say whose: --who NAME.")
    with opened_engine() as engine:
        slug = engine.store.read_now(lambda conn: chosen_world(conn, world)).slug
        prompt = asyncio.run(_prompt(engine, slug, action, who if role == "voice" else None))
    if as_json:
        show_json(prompt.messages)
        return
    for message in prompt.messages:
        say(f"--- {message.role}, about {estimate_tokens(message.content)} tokens", EMBER)
        say(message.content)
    aside(f"context {context_hash(ModelRequest(messages=prompt.messages))}; nothing was sent")


async def _prompt(engine: Engine, world: str, action: str | None, who: str | None) -> Prompt:
    services = engine.services
    work = await recollect(services, world) if action is None else None
    if work is None:
        work = await rehearse(services, Act(world=world, text=FIRST_ACTION if action is None else action))
    card = find_card(work.world.preset)
    if who is None:
        telling = await services.store.read(lambda conn: telling_of(conn, work))
        return narrator_prompt(telling, card, brief=engine.models.small)
    speaker = await services.store.read(lambda conn: _person(conn, work, who))
    voicing = await services.store.read(lambda conn: voicing_of(conn, work, speaker, "", "", 1))
    return voice_prompt(voicing, card, brief=engine.models.small)


def _person(conn: Connection, work: TurnWork, who: str) -> str:
    found = resolve_name(CanonView(conn, work.base_path(conn)), who)
    if entity_kind(found) != "person" or found == work.turn.actor:
        raise BadInput(f"{who} has no voice of their own here.", "Name a character other than the player's.")
    return found
