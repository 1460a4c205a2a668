"""Is it alive, is it ready, and how is it doing: /health, /ready, /metrics."""

from __future__ import annotations

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy import text

from talekeeper import __version__
from talekeeper.doors.common.house import House
from talekeeper.errors import TalekeeperError


def health_routes(house: House) -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.get("/health", summary="Alive")
    async def health() -> dict[str, str]:
        return {"status": "ok", "version": __version__}

    @router.get("/ready", summary="Ready to play: store and loops are warm")
    async def ready(response: Response) -> dict[str, object]:
        checks = {"store": await _store_answers(house), "loops": house.scenes.is_warm}
        if not all(checks.values()):
            response.status_code = 503
        return {"ready": all(checks.values()), "checks": checks, "teller": house.services.teller.name}

    @router.get("/metrics", summary="Prometheus metrics", response_class=Response)
    async def metrics() -> Response:
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    return router


async def _store_answers(house: House) -> bool:
    try:
        await house.store.read(lambda conn: conn.execute(text("select 1")).scalar_one())
    except TalekeeperError:
        return False
    return True
