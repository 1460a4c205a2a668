"""`talekeeper serve`: the HTTP server."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from talekeeper.app.engine import Engine
from talekeeper.app.settings import load
from talekeeper.observe.logs import configure_logs


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
) -> None:
    """Serve Talekeeper over HTTP: /docs lists what it can do.

    Example: talekeeper serve --port 8080
    """
    import uvicorn  # noqa: PLC0415 - the terminal commands start faster without it

    from talekeeper.app.server import build_server  # noqa: PLC0415
    from talekeeper.observe.metrics import process_metrics  # noqa: PLC0415

    settings = load(server_host=host, server_port=port).settings
    configure_logs(settings.server_log_level, settings.logs / "server.jsonl")
    engine = Engine.open(settings, observer=process_metrics())
    address = f"http://{settings.server_host}:{settings.server_port}"
    Console(highlight=False).print(f"Talekeeper at {address}, told by {engine.services.teller.name}. Ctrl-C ends it.")
    uvicorn.run(
        build_server(engine), host=settings.server_host, port=settings.server_port, log_config=None,
        ws="websockets-sansio", timeout_graceful_shutdown=5,
    )  # fmt: skip
