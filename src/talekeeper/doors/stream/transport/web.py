"""One request to a web API, made exactly once, whose failures say whether it had left."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
from typing import Any

import msgspec

from talekeeper.errors import NotConfigured, Unavailable


class NoAnswer(Unavailable):
    """`left`: the request was on its way, so it may have been carried out."""

    code = "no_answer"

    def __init__(self, error: Exception, *, left: bool) -> None:
        super().__init__(f"Twitch did not answer ({type(error).__name__}).", "It is tried again by itself.")
        self.left = left


class Answer(msgspec.Struct, frozen=True):
    status: int
    body: Any
    """None when it was no JSON."""
    headers: dict[str, str]


async def load(module: str) -> Any:
    """A module of the extra `stream`, imported off the loop: the first time takes most of a second."""
    try:
        return await asyncio.to_thread(importlib.import_module, module)
    except ImportError as error:
        raise NotConfigured("Twitch needs the extra `stream`.", "Install talekeeper[stream].") from error


def extra_installed() -> bool:
    return importlib.util.find_spec("twitchAPI") is not None


async def ask(method: str, url: str, timeout: float, headers: dict[str, str], **more: Any) -> Answer:
    aiohttp = await load("aiohttp")
    left = False

    async def on_sent(*_args: object) -> None:
        nonlocal left
        left = True

    trace = aiohttp.TraceConfig()
    trace.on_request_headers_sent.append(on_sent)
    try:
        async with (
            asyncio.timeout(timeout),
            aiohttp.ClientSession(trace_configs=[trace]) as session,
            session.request(method, url, headers=headers, **more) as response,
        ):
            text = await response.read()
            named = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status, _decoded(text), named)
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise NoAnswer(error, left=left) from error


def _decoded(text: bytes) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return None
