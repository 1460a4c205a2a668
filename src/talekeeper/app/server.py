"""The HTTP application: doors on one engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from talekeeper import __version__
from talekeeper.app.engine import Engine
from talekeeper.doors.common import problems
from talekeeper.doors.web.health import health_routes
from talekeeper.doors.web.scenes import scene_routes


def build_server(engine: Engine) -> FastAPI:
    """The engine is started and closed with the server."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await engine.start()
        engine.tasks.spawn(engine.scenes.warm(), "warm")
        try:
            yield
        finally:
            await engine.close()

    app = FastAPI(title="Talekeeper", version=__version__, lifespan=lifespan)
    problems.install(app, debug=engine.settings.server_debug)
    app.include_router(health_routes(engine))
    app.include_router(scene_routes(engine))
    return app
