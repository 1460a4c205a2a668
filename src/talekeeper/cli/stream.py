"""`talekeeper stream`: a companion in a channel, a chat log played through it, and how it stands."""

from __future__ import annotations

import json
import secrets
import urllib.error
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from talekeeper.app.settings import Loaded, Settings, load
from talekeeper.cli.console import aside, command_group, say, show_json, show_table
from talekeeper.cli.opening import JsonOption, opened_store, settings_now
from talekeeper.cli.serve import run_server
from talekeeper.errors import BadInput, Unavailable
from talekeeper.loops.companion.session import open_sessions

app = command_group("A quiet companion for a live channel.")

_PATIENCE = 5.0


@app.command("run")
def run(
    channel: Annotated[
        str | None, typer.Option(metavar="NAME", help="The channel to sit in.", show_default="TWITCH_CHANNEL_NAME")
    ] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.", show_default="8000")] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the operator's console in a browser.")] = False,
) -> None:
    """Sit in a channel: the server, the companion in it, the operator's console.

    Without an admin key in the settings, one is made for this run and shown. Ctrl-C ends it; sessions go on next time.

    Example: talekeeper stream run --channel mychannel --open
    """
    loaded = load(server_host=host, server_port=port, stream_channel=channel)
    settings = loaded.settings
    if not settings.stream_channel:
        raise BadInput("No channel is named.", "Give --channel NAME, or set TWITCH_CHANNEL_NAME.")
    loaded, key = _with_key(loaded, host=host, port=port, channel=channel)
    for word in _notes(settings):
        aside(word)
    run_server(
        loaded, open_browser=open_browser, page="/stream", more=f"The admin key of this run: {key}" if key else ""
    )


def _with_key(loaded: Loaded, *, host: str | None, port: int | None, channel: str | None) -> tuple[Loaded, str]:
    if loaded.settings.stream_admin_key is not None:
        return loaded, ""
    key = secrets.token_urlsafe(18)
    return load(server_host=host, server_port=port, stream_channel=channel, stream_admin_key=key), key


def _notes(settings: Settings) -> list[str]:
    notes = []
    if not settings.stream_chat_enabled:
        notes.append("TWITCH_CHAT_ENABLED is off: it neither hears nor says anything in the chat.")
    elif not (settings.stream_access_token or settings.stream_client_id):
        notes.append("No Twitch credentials are set; docs/stream.md says which, and where to get them.")
    if settings.stream_offline_test_mode:
        notes.append("TWITCH_OFFLINE_CHAT_TEST_MODE is on: it may post though the channel is not live.")
    if not settings.stream_require_live:
        notes.append("TWITCH_REQUIRE_LIVE_STREAM is off: it may post whether the channel is live or not.")
    return notes


@app.command("replay")
def replay(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A chat log: [H:MM:SS] <name> text.", show_default=False)],
    speed: Annotated[
        float, typer.Option(metavar="N", min=0, help="N times as fast as it was; 0 is as fast as it goes.")
    ] = 0.0,
    channel: Annotated[str, typer.Option(metavar="NAME", help="What the channel is called.")] = "replay",
    dashboard: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The dashboard of that stream, as Markdown.", show_default=False)
    ] = None,
    bot: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A name that is not a person's; may be repeated.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the ledger goes.", show_default="exports in the home")
    ] = None,
    model: Annotated[
        bool, typer.Option("--model", help="Let the configured model write; otherwise the rules do.")
    ] = False,
    all_: Annotated[bool, typer.Option("--all", help="Show every change of mind, and not only what was said.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a chat log through the companion: what it would have said, and why.

    Nothing is posted, and no world of yours is touched. The ledger is written.

    Example: talekeeper stream replay evening.log --all
    """
    from talekeeper.cli.replaying import replayed  # noqa: PLC0415 - 250 modules, 0.4 s

    replayed(
        log, speed=speed, channel=channel, dashboard=dashboard, bots=bot or [], out=out, use_model=model,
        everything=all_, as_json=as_json,
    )  # fmt: skip


@app.command("status")
def status(as_json: JsonOption = False) -> None:
    """Say how the companion stands: by the server, or else by what is kept.

    Example: talekeeper stream status
    """
    settings = settings_now()
    found = _from_server(settings)
    if found is None:
        _from_store(as_json=as_json)
    elif as_json:
        show_json(found)
    else:
        show_table(("", ""), _rows(found))


def _from_server(settings: Settings) -> dict[str, Any] | None:
    if settings.stream_admin_key is None:
        return None
    url = f"http://127.0.0.1:{settings.server_port}/admin/stream/status"
    key = settings.stream_admin_key.get_secret_value()
    request = urllib.request.Request(url, headers={"X-Admin-Token": key.encode().decode("latin-1")})
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
            read: dict[str, Any] = json.load(answer)
            return read
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise Unavailable(
            f"The server at {url} answers {error.code}.", "Is it started with the same admin key?"
        ) from error
    except (OSError, ValueError):
        return None


def _rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    session, twitch, hearth = found["session"], found["twitch"], found["hearthkeeper"]
    live = twitch["live_status"]
    rows = [
        ("channel", session["channel"]),
        ("session", f"{session['id']}, {session['message_count']} lines, since {session['started_at']}"),
        ("theme", session["theme"] or "none"),
        ("chat", "connected" if twitch["connected"] else "not connected"),
        ("live", "yes" if live["is_live"] else f"no ({live['reason']})"),
        ("may speak", "now" if hearth["can_prompt_now"] else f"at {hearth['next_eligible_prompt_at']} at the earliest"),
        ("last words", hearth["last_posted_message"] or "none"),
    ]
    return rows + ([("trouble", twitch["last_error"])] if twitch["last_error"] else [])


def _from_store(*, as_json: bool) -> None:
    with opened_store() as store:
        sessions = store.read_now(open_sessions)
    if as_json:
        show_json({"server": None, "sessions": sessions})
        return
    aside("No server with a companion answers here; this is what is kept.")
    if not sessions:
        say("No session is open.")
    for session in sessions:
        since = datetime.fromtimestamp(session.started_at, UTC).strftime("%Y-%m-%d %H:%M")
        say(f"{session.channel}: open since {since} UTC, {session.messages} lines, theme: {session.theme or 'none'}")
