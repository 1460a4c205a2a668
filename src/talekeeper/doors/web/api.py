"""The routes of the play table, put together: everything under /api/v1."""

from __future__ import annotations

from starlette.routing import BaseRoute

from talekeeper.doors.web import (
    admin,
    auth,
    canon,
    chronicle,
    live,
    living,
    memories,
    play,
    preferences,
    presets,
    seating,
    timelines,
    turns,
    worlds,
)
from talekeeper.doors.web.pictures import routes as picture_routes


def api_routes() -> list[BaseRoute]:
    parts = (
        presets, worlds, play, turns, timelines, living, canon, memories, chronicle, live, seating, preferences, auth,
        admin,
    )  # fmt: skip
    routers = [*(part.router for part in parts), seating.invited, admin.of_world, picture_routes.router]
    return [route for router in routers for route in router.routes]
