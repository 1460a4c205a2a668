"""`talekeeper fleet`: webhooks that lead real work into a world."""

from __future__ import annotations

import random
from typing import Annotated

import msgspec
import typer
from sqlalchemy import Connection

from talekeeper.app.engine import Engine
from talekeeper.app.settings import Settings
from talekeeper.chronicle.sources import SOURCES
from talekeeper.cli.console import aside, command_group, say, show_json, show_table
from talekeeper.cli.opening import JsonOption, opened_engine, opened_store
from talekeeper.doors.common.keys import signing_key
from talekeeper.doors.fleet.hooks import Hook, list_hooks, new_hook, revoke_hook, secret_of
from talekeeper.loops.creation import create_empty
from talekeeper.observe.clock import system_clock
from talekeeper.timeline.worlds import find_world

app = command_group("Let forges, alerts and agents tell a world what they do.")
hooks = command_group("Webhooks: where a forge, an alert manager or an agent sends what happens.")
app.add_typer(hooks, name="hook")

_SEEDS = 2**31
_WHERE = {
    "github": "Settings, Webhooks: content type application/json, and the secret.",
    "gitea": "Settings, Webhooks, Gitea: content type application/json, and the secret.",
    "forgejo": "Settings, Webhooks, Forgejo: content type application/json, and the secret.",
    "gitlab": "Settings, Webhooks: the secret as secret token or as signing token.",
    "alertmanager": "A webhook receiver with http_config.authorization.credentials set to the secret.",
    "cloudevents": "Send the secret as `Authorization: Bearer`.",
    "otel": "An OTLP/HTTP exporter in JSON, with the header `Authorization: Bearer` and the secret.",
}


@app.callback()
def _group() -> None:
    """Let forges, alerts and agents tell a world what they do."""


@hooks.command("new")
def new(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=f"One of: {', '.join(SOURCES)}.", show_default=False)],
    world: Annotated[
        str, typer.Argument(metavar="WORLD", help="The world; made if it is not there.", show_default=False)
    ],
    as_json: JsonOption = False,
) -> None:
    """Make a webhook: prints its address and its secret.

    Example: talekeeper fleet hook new github my-project
    """
    with opened_engine() as engine:
        hook = engine.store.write_now(lambda conn: _made(conn, engine, source, world))
        secret = secret_of(hook, house_key(engine.settings))
        address = f"{_base(engine.settings)}{hook.path}"
    if as_json:
        show_json({"id": hook.id, "source": source, "world": world, "address": address, "secret": secret})
    else:
        show_table(("", ""), [("address", address), ("secret", secret)])
        aside(_WHERE[source])


def _made(conn: Connection, engine: Engine, source: str, world: str) -> Hook:
    hook = new_hook(conn, source, world, system_clock())
    if find_world(conn, world) is None:
        create_empty(conn, engine.services, world, random.SystemRandom().randrange(_SEEDS))
    return hook


@hooks.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List the webhooks.

    Example: talekeeper fleet hook list
    """
    with opened_store() as store:
        found = store.read_now(list_hooks)
    if as_json:
        show_json([msgspec.structs.asdict(hook) for hook in found])
    elif found:
        rows = [
            (hook.id, hook.source, hook.world, "closed" if hook.revoked_at else "open", hook.path) for hook in found
        ]
        show_table(("id", "source", "world", "", "path"), rows)
    else:
        aside("There is no webhook yet. Make one with `talekeeper fleet hook new github my-project`.")


@hooks.command("revoke")
def revoke(
    hook: Annotated[str, typer.Argument(metavar="ID", help="As `hook list` shows it.", show_default=False)],
) -> None:
    """Close a webhook: what comes to it from now on is refused.

    Example: talekeeper fleet hook revoke 3f0a91c2d7e4
    """
    with opened_store() as store:
        closed = store.write_now(lambda conn: revoke_hook(conn, hook, system_clock()))
    say(f"{closed.source} can no longer tell {closed.world} anything by {closed.id}.")


def house_key(settings: Settings) -> bytes:
    given = settings.server_secret_key
    return signing_key(given.get_secret_value() if given else None, settings.key_file)


def _base(settings: Settings) -> str:
    """As this machine calls itself; a forge elsewhere needs the address it reaches the server by."""
    host = settings.server_host if settings.server_host not in ("0.0.0.0", "::") else "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.server_port}"
