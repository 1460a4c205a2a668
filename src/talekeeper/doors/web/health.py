"""Is it alive, is it ready, and how is it doing: /health, /ready, /metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, Field

from talekeeper import __version__
from talekeeper.doors.common.house import House
from talekeeper.errors import TalekeeperError
from talekeeper.timeline.store.metadata import REVISION
from talekeeper.timeline.store.schema import stored_revision


class Health(BaseModel):
    status: str = "ok"
    version: str = __version__


class Ready(BaseModel):
    ready: bool
    checks: dict[str, bool] = Field(description="store, migrations, and whatever else has to be awake")
    teller: str


def health_routes(house: House, checks: Mapping[str, Callable[[], bool]]) -> APIRouter:
    """`checks`: what else must be so before it is ready."""
    router = APIRouter(tags=["health"])

    @router.get("/health", summary="Alive")
    async def health() -> Health:
        return Health()

    @router.get(
        "/ready",
        summary="Ready to play: store, migrations, loops, worker and models",
        responses={503: {"model": Ready, "description": "Not yet."}},
    )
    async def ready(response: Response) -> Ready:
        revision = await _revision(house)
        found = {"store": revision is not None, "migrations": revision == REVISION}
        found |= {name: check() for name, check in checks.items()}
        if not all(found.values()):
            response.status_code = 503
        return Ready(ready=all(found.values()), checks=found, teller=house.services.teller.name)

    @router.get("/metrics", summary="Prometheus metrics", response_class=Response)
    async def metrics() -> Response:
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    return router


async def _revision(house: House) -> str | None:
    try:
        return await house.store.read(stored_revision)
    except TalekeeperError:
        return None
