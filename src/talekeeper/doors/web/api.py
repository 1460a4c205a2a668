"""The routes of the play table, put together: everything under /api/v1."""

from __future__ import annotations

from fastapi import APIRouter

from talekeeper.doors.common.problems import PROBLEMS
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

PREFIX = "/api/v1"


def api_routes() -> APIRouter:
    router = APIRouter(prefix=PREFIX, responses=PROBLEMS)
    for part in (
        presets, worlds, play, turns, timelines, living, canon, memories, chronicle, live, seating, preferences, auth,
        admin,
    ):  # fmt: skip
        router.include_router(part.router)
    router.include_router(seating.invited)
    router.include_router(admin.of_world)
    router.include_router(picture_routes.router)
    return router
