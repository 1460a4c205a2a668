"""How the admin API answers when it refuses: `{"detail": ...}`, as its clients know it, whatever the rest of the house says."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import fastapi
from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from talekeeper.errors import TalekeeperError

REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "description": "What was asked for cannot be done.",
        "content": {"application/json": {"schema": {"type": "object", "required": ["detail"]}}},
    },
    503: {"description": "No admin key is configured, or the companion is not there yet."},
}

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Refused(fastapi.HTTPException):
    """A refusal whose detail is for programs: a word they know, or reasons to show."""


class AdminRoute(APIRoute):
    def get_route_handler(self) -> Handler:
        answer = super().get_route_handler()

        async def answered(request: Request) -> Response:
            try:
                return await answer(request)
            except RequestValidationError as error:
                faults = [{"loc": one.get("loc", ()), "msg": one.get("msg", "")} for one in error.errors()]
                return JSONResponse({"detail": faults}, 422)
            except HTTPException as error:
                return JSONResponse({"detail": error.detail}, error.status_code, headers=error.headers)
            except TalekeeperError as error:
                return JSONResponse({"detail": error.message, "hint": error.hint}, error.status)

        return answered
