"""The error table of HTTP doors: every TalekeeperError has one status and one JSON shape."""

from __future__ import annotations

from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketState

from talekeeper.errors import TalekeeperError
from talekeeper.observe.ids import random_id

log = structlog.get_logger("talekeeper.http")


class Problem(BaseModel):
    code: str = Field(examples=["not_found"])
    message: str = Field(description="What happened, for a person.")
    hint: str = Field(description="What to do about it.")
    request: str = Field(description="The request's id, as in the log.")


class ProblemOut(BaseModel):
    error: Problem


PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ProblemOut, "description": "What was asked for cannot be done."},
    "5XX": {"model": ProblemOut, "description": "It could be done, but not now."},
}
"""The one error shape, for OpenAPI."""


def problem(request: HTTPConnection, status: int, code: str, message: str, hint: str = "") -> JSONResponse:
    body = {"error": {"code": code, "message": message, "hint": hint, "request": request_id(request)}}
    return JSONResponse(body, status)


def request_id(request: HTTPConnection) -> str:
    found: str | None = getattr(request.state, "request_id", None)
    if found is None:
        found = request.state.request_id = random_id()
    return found


async def _said(connection: HTTPConnection, answer: JSONResponse) -> JSONResponse:
    """A socket that was not opened yet is told in the same words; its own answer has to be sent here."""
    if isinstance(connection, WebSocket) and connection.application_state == WebSocketState.CONNECTING:
        await connection.send_denial_response(answer)
    return answer


def install(app: FastAPI, *, debug: bool) -> None:
    async def known(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, TalekeeperError)
        answer = problem(request, error.status, error.code, error.message, error.hint)
        if error.retry_after is not None:
            answer.headers["Retry-After"] = str(max(1, round(error.retry_after)))
        return await _said(request, answer)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError | WebSocketRequestValidationError)
        first: dict[str, Any] = error.errors()[0] if error.errors() else {}
        where = ".".join(str(part) for part in first.get("loc", ()) if part != "body")
        said = f"{where or 'The request'}: {first.get('msg', 'does not read')}."
        return await _said(request, problem(request, 422, "bad_input", said))

    async def plain(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        codes = {404: "not_found", 405: "method_not_allowed", 408: "too_slow", 413: "too_large"}
        answer = problem(request, error.status_code, codes.get(error.status_code, "http"), f"{error.detail}.")
        answer.headers.update(error.headers or {})
        return answer

    async def unexpected(request: Request, error: Exception) -> JSONResponse:
        log.error("unexpected", request=request_id(request), path=request.url.path, exc_info=error)
        said = repr(error) if debug else "Something broke on our side."
        return problem(request, 500, "internal", said, "Try again; the log has the details under this request id.")

    app.add_exception_handler(TalekeeperError, known)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(WebSocketRequestValidationError, invalid)
    app.add_exception_handler(HTTPException, plain)
    app.add_exception_handler(Exception, unexpected)
