"""Sending a line by Helix: under the app's token, so that Twitch shows the bot badge, else under the bot's own."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import msgspec

from talekeeper.doors.stream.transport.helix import Helix
from talekeeper.doors.stream.transport.port import BadCredentials, Dropped, SendFailed, SendUnknown, Sent
from talekeeper.doors.stream.transport.web import Answer, NoAnswer
from talekeeper.errors import Unavailable
from talekeeper.observe.clock import Clock

_LONGEST_PAUSE = 30.0


class _Drop(msgspec.Struct):
    code: str = "unknown"
    message: str = ""


class _Result(msgspec.Struct):
    is_sent: bool
    message_id: str = ""
    drop_reason: _Drop | None = None


class HelixSending:
    def __init__(self, helix: Helix, clock: Clock) -> None:
        self._helix = helix
        self._clock = clock

    async def send(self, broadcaster: str, sender: str, text: str, reply_to: str) -> Sent:
        body: dict[str, Any] = {"broadcaster_id": broadcaster, "sender_id": sender, "message": text}
        if reply_to:
            body["reply_parent_message_id"] = reply_to
        said: Answer | None = None
        async with aclosing(self._tokens()) as tokens:
            async for token in tokens:
                said = await self._post(token, body)
                if said.status not in {401, 403}:
                    return self._read(said)
        why = _message(said) if said is not None else "no token is good for it"
        raise Dropped("unauthorized", f"Twitch lets the companion say nothing: {why}")

    async def _post(self, token: str, body: dict[str, Any]) -> Answer:
        try:
            return await self._helix.post("chat/messages", token, body)
        except NoAnswer as error:
            if error.left:
                raise SendUnknown("Twitch did not say what became of the line.") from error
            raise SendFailed("Twitch cannot be reached.", "The line is tried again while it is fresh.") from error

    async def _tokens(self) -> AsyncGenerator[str, None]:
        """Each only when the one before was refused, which is before anything was shown."""
        if self._helix.has_app:
            for fresh in (False, True):
                try:
                    yield await self._helix.app_token(fresh=fresh)
                except BadCredentials:
                    break
                except Unavailable as error:
                    raise SendFailed(error.message) from error
        if self._helix.user_token:
            yield self._helix.user_token

    def _read(self, said: Answer) -> Sent:
        if said.status == 429:
            raise SendFailed("Twitch wants a pause.", retry_after=self._pause(said))
        if said.status >= 500:
            raise SendUnknown(f"Twitch answered {said.status}, and did not say what became of the line.")
        if said.status >= 400:
            raise Dropped("bad_request", f"Twitch did not take the line: {_message(said)}")
        try:
            result = msgspec.convert(said.body["data"][0], _Result)
        except (msgspec.ValidationError, TypeError, KeyError, IndexError):
            raise SendUnknown("Twitch's answer cannot be read.") from None
        if not result.is_sent:
            drop = result.drop_reason or _Drop()
            raise Dropped(drop.code, f"The chat did not show the line: {drop.message or drop.code}")
        return Sent(result.message_id)

    def _pause(self, said: Answer) -> float:
        """Until the limit is lifted, as far as that can be believed: the two clocks may differ."""
        try:
            pause = float(said.headers["ratelimit-reset"]) - self._clock()
        except (KeyError, ValueError):
            return 1.0
        return min(max(pause, 1.0), _LONGEST_PAUSE)


def _message(said: Answer) -> str:
    told = said.body.get("message") if isinstance(said.body, dict) else None
    return str(told or said.status)
