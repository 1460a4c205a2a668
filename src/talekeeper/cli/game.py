"""`talekeeper game`: tokens for games, the protocol's schema, and a tavern to try it in."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
import typer

from talekeeper.cli.console import aside, command_group, for_people, say, show_json, show_table
from talekeeper.cli.opening import JsonOption, opened_store, settings_now
from talekeeper.cli.simulator.evening import spend
from talekeeper.clients.game import Refused
from talekeeper.doors.game.tokens import GameToken, list_tokens, new_token, revoke_token
from talekeeper.errors import Unauthorized, Unavailable
from talekeeper.observe.clock import system_clock
from talekeeper.observe.logs import configure_logs

app = command_group("Let games in: tokens, the protocol, a tavern to try it in.")
token_app = command_group("Tokens by which games come in; each opens one world.")
app.add_typer(token_app, name="token")


@token_app.command("new")
def token_new(
    world: Annotated[
        str | None, typer.Option("--world", "-w", metavar="WORLD", help="The world it opens.", show_default="game")
    ] = None,
    name: Annotated[str, typer.Option(help="To tell it from others: the game's name.", show_default=False)] = "",
    as_json: JsonOption = False,
) -> None:
    """Make a token for a game. It is shown once; only a hash of it is kept.

    The world need not exist yet: it is made when the game first speaks in it.

    Example: talekeeper game token new --world old-harbour --name "Harbour, the game"
    """
    opens = world or settings_now().game_world
    with opened_store() as store:
        token, secret = store.write_now(lambda conn: new_token(conn, opens, name, system_clock()))
    if as_json:
        show_json({**msgspec.to_builtins(token), "token": secret})
        return
    say(secret)
    aside(f"It opens {token.world}. Keep it; it is not shown again. Games send it as `Authorization: Bearer ...`.")


@token_app.command("list")
def token_list(as_json: JsonOption = False) -> None:
    """List the tokens: which world each opens, and since when.

    Example: talekeeper game token list
    """
    with opened_store() as store:
        tokens = store.read_now(list_tokens)
    if as_json:
        show_json(tokens)
    elif not tokens:
        aside("There are no tokens yet; `talekeeper game token new` makes one.")
    else:
        show_table(("id", "world", "name", "made", "state"), [_row(token) for token in tokens])


@token_app.command("revoke")
def token_revoke(
    token: Annotated[str, typer.Argument(metavar="ID", help="The token's id, or the whole token.", show_default=False)],
) -> None:
    """Revoke a token. Games that are in with it are asked out within seconds.

    Example: talekeeper game token revoke 1f2e3d4c
    """
    with opened_store() as store:
        revoked = store.write_now(lambda conn: revoke_token(conn, token, system_clock()))
    say(f"Revoked {revoked.id}, which opened {revoked.world}.")


@app.command("schema")
def schema() -> None:
    """Print the protocol as JSON Schema, for other engines and their tools.

    Example: talekeeper game schema > game-protocol.json
    """
    from talekeeper.doors.game.schema import json_schema  # noqa: PLC0415 - the other commands start faster without it

    show_json(json_schema())


@app.command("simulate")
def simulate(
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="A game door.", show_default="this machine's server, or one of our own"),
    ] = None,
    token: Annotated[str | None, typer.Option(help="The game's token.", show_default=False)] = None,
    player: Annotated[str, typer.Option("--as", metavar="NAME", help="Who you are.")] = "Player",
) -> None:
    """Spend an evening in a tavern with three NPCs, over the real socket.

    Type while somebody speaks, and you cut them short; they remember it. Lines may also come from a pipe.

    Example: talekeeper game simulate --as Ana
    """
    settings = settings_now()
    usual = f"ws://127.0.0.1:{settings.server_port}/ws"
    door: AbstractContextManager[str] = nullcontext(url or usual)
    if url is None and not _answers(usual):
        from talekeeper.cli.simulator.own_server import own_server  # noqa: PLC0415 - 700 modules, 1.2 s

        aside("No server is running on this machine; one is started for the evening.")
        configure_logs(settings.server_log_level, settings.logs / "server.jsonl")
        door = own_server(settings)
    with door as address:
        try:
            asyncio.run(spend(address, token, player, for_people()))
        except Refused as refused:
            raise Unauthorized(str(refused)) from refused
        except OSError as error:
            raise Unavailable(f"{address} does not answer: {error.strerror or error}.", "Is a server there?") from error


def _answers(url: str) -> bool:
    parts = urlsplit(url)
    try:
        with socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 80), 0.5):
            return True
    except OSError:
        return False


def _row(token: GameToken) -> tuple[str, ...]:
    made = datetime.fromtimestamp(token.created_at, UTC).strftime("%Y-%m-%d %H:%M")
    return token.id, token.world, token.name, made, "revoked" if token.revoked_at else "good"
