"""`talekeeper serve`: the HTTP server, and the page in a browser."""

from __future__ import annotations

import threading
import webbrowser
from contextlib import closing
from ipaddress import ip_address
from typing import Annotated

import typer

from talekeeper.app.engine import Engine
from talekeeper.app.settings import Loaded, Settings, load
from talekeeper.cli.console import aside, say
from talekeeper.observe.logs import configure_logs


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")] = None,
    port: Annotated[
        int | None, typer.Option(help="Port to listen on; 0 for any that is free.", show_default="8000")
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve Talekeeper over HTTP: the page to play in, and the API.

    /docs lists what the API can do. Ctrl-C ends it; everything is kept.

    Example: talekeeper serve --port 8080 --open
    """
    run_server(load(server_host=host, server_port=port), open_browser=open_browser)


def run_server(loaded: Loaded, *, open_browser: bool = False, page: str = "", more: str = "") -> None:
    """Until it is ended. `page` is what is opened and shown of it, `more` what else there is to say."""
    from talekeeper.app.server import build_server  # noqa: PLC0415 - the terminal commands start faster without it
    from talekeeper.app.serving import HouseServer, bind  # noqa: PLC0415
    from talekeeper.observe.metrics import process_metrics  # noqa: PLC0415

    settings = loaded.settings
    for warning in (*loaded.warnings, *_warnings(settings)):
        aside(warning)
    bound = bind(settings.server_host, settings.server_port)
    configure_logs(settings.server_log_level, settings.logs / "server.jsonl")
    engine = Engine.open(settings, observer=process_metrics())
    address = f"http://{_shown(settings.server_host)}:{bound.getsockname()[1]}{page}"

    def started() -> None:
        say(f"Talekeeper at {address}, told by {engine.services.teller.name}. Ctrl-C ends it.")
        if more:
            say(more)
        if open_browser:
            # A browser may hold on to whoever starts it.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    with closing(bound):
        try:
            app = build_server(engine, loaded.sources)
        except BaseException:
            engine.store.close()
            raise
        server = HouseServer(
            app,
            ping_interval=settings.server_socket_ping_interval,
            ping_timeout=settings.server_socket_ping_timeout,
            on_start=started,
        )
        server.run(sockets=[bound])


def _shown(host: str) -> str:
    """The address to type: listening everywhere is no address."""
    if host in ("0.0.0.0", "::", ""):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _warnings(settings: Settings) -> list[str]:
    if settings.auth == "single" and not _is_loopback(settings.server_host):
        return [
            "Whoever can reach this server owns every world on it. "
            "Set TALEKEEPER_AUTH=accounts unless you trust everybody on the network."
        ]
    return []


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
