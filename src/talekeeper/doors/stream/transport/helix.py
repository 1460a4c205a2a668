"""Twitch's web API through twitchAPI, with what that library leaves open: every failure is one of ours.

Tokens, subscriptions and chat lines are asked for here: the library would send a line twice on a 503, puts its text
into the address, takes a refused subscription for a granted one, and hangs for good after a refresh that failed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from talekeeper.doors.stream.transport.credentials import TWITCH, TwitchAddresses, TwitchKeys
from talekeeper.doors.stream.transport.port import BadCredentials
from talekeeper.doors.stream.transport.web import Answer, ask, load
from talekeeper.errors import BadInput, NotAllowed, NotConfigured, NotFound, TalekeeperError, Unavailable

if TYPE_CHECKING:
    from twitchAPI.twitch import Twitch

T = TypeVar("T")

MARKERS = "channel:manage:broadcast"
_LONGEST_NOTE = 140


class Holder(msgspec.Struct, frozen=True):
    """Whose token it is, and what it may do."""

    login: str
    user_id: str
    client_id: str = ""
    scopes: frozenset[str] = frozenset()


class OnAir(msgspec.Struct, frozen=True):
    title: str
    game: str
    started_at: float
    viewers: int


class Helix:
    def __init__(
        self,
        keys: TwitchKeys,
        addresses: TwitchAddresses = TWITCH,
        *,
        timeout: float = 10.0,
    ) -> None:
        self.client_id = keys.client_id
        self.user_token = keys.access_token
        self.has_app = bool(keys.client_secret)
        self._keys = keys
        self._addresses = msgspec.structs.replace(
            addresses, helix=f"{addresses.helix.rstrip('/')}/", auth=f"{addresses.auth.rstrip('/')}/"
        )
        self._timeout = timeout
        self._app_token = ""
        self._holder: Holder | None = None

    async def holder(self, *, fresh: bool = False) -> Holder:
        """Raises `BadCredentials` when the bot's token is no good."""
        if self._holder is None or fresh:
            if not self.user_token:
                raise NotConfigured("The companion has no token.", "Set TWITCH_ACCESS_TOKEN.")
            url, proof = f"{self._addresses.auth}validate", {"Authorization": f"OAuth {self.user_token}"}
            said = await ask("GET", url, self._timeout, proof)
            if said.status == 401:
                raise _refused()
            self._holder = _fitting(said, said.body, Holder)
        return self._holder

    async def app_token(self, *, fresh: bool = False) -> str:
        """Raises `BadCredentials` when the app's id or secret is no good."""
        if not self._app_token or fresh:
            form = {"client_id": self.client_id, "client_secret": self._keys.client_secret,
                    "grant_type": "client_credentials"}  # fmt: skip
            said = await ask("POST", f"{self._addresses.auth}token", self._timeout, {}, data=form)
            if said.status in {400, 401, 403}:
                raise BadCredentials("Twitch refused the app.", "Check TWITCH_CLIENT_ID and TWITCH_CLIENT_SECRET.")
            self._app_token = _fitting(said, said.body, _Token).access_token
        return self._app_token

    async def post(self, path: str, token: str, body: dict[str, Any]) -> Answer:
        proof = {"Authorization": f"Bearer {token}", "Client-Id": self.client_id}
        return await ask("POST", f"{self._addresses.helix}{path}", self._timeout, proof, json=body)

    async def subscribe(self, kind: str, version: str, condition: dict[str, str], session_id: str) -> None:
        said = await self.post("eventsub/subscriptions", self.user_token, {
            "type": kind, "version": version, "condition": condition,
            "transport": {"method": "websocket", "session_id": session_id},
        })  # fmt: skip
        if said.status == 401:
            raise _refused()
        if said.status == 403:
            raise NotAllowed(f"Twitch may not tell the bot of {kind}.", "Is it banned from the channel?")
        if said.status == 400:
            raise BadInput(f"Twitch does not tell of {kind}.")
        granted = said.status in {200, 202} and isinstance(said.body, dict) and said.body.get("data")
        if not granted and said.status != 409:
            raise Unavailable(f"Twitch would not tell of {kind} ({said.status}).")

    async def user_id(self, login: str) -> str:
        async def find(twitch: Twitch) -> str:
            return next(iter([str(user.id) async for user in twitch.get_users(logins=[login])]), "")

        if found := await self._read(find):
            return found
        raise NotFound(f"Twitch knows no channel named {login}.", "Check TWITCH_CHANNEL_NAME.")

    async def on_air(self, login: str) -> OnAir | None:
        async def look(twitch: Twitch) -> OnAir | None:
            async for stream in twitch.get_streams(user_login=[login], first=1):
                # What the library has read may lack anything: then it is garbage, not a live stream.
                return OnAir(stream.title, stream.game_name, stream.started_at.timestamp(), stream.viewer_count)
            return None

        return await self._read(look)

    async def title_and_game(self, broadcaster_id: str) -> tuple[str, str]:
        async def look(twitch: Twitch) -> tuple[str, str]:
            for channel in await twitch.get_channel_information(broadcaster_id):
                return channel.title, channel.game_name
            return "", ""

        return await self._read(look)

    async def place_marker(self, broadcaster_id: str, note: str) -> None:
        """Marks this moment of the stream."""
        if MARKERS not in (await self.holder()).scopes:
            raise NotAllowed("The companion's token may not place markers.", f"It lacks the scope {MARKERS}.")
        twitch = await self._client("user")
        await self._guarded(lambda: twitch.create_stream_marker(broadcaster_id, note[:_LONGEST_NOTE]))

    async def _read(self, work: Callable[[Twitch], Awaitable[T]]) -> T:
        """With the app's token once there is one, else with the bot's; when that is refused, with a fresh one of the app."""
        attempts = ["app" if self._app_token or not self.user_token else "user", *(["fresh"] if self.has_app else [])]
        for attempt in attempts:
            twitch = await self._client(attempt)
            try:
                return await self._guarded(partial(work, twitch))
            except BadCredentials:
                if attempt == attempts[-1]:
                    raise
        raise AssertionError("the last attempt returns or raises")

    async def _client(self, attempt: str) -> Twitch:
        """A client of the library with one token, which it keeps."""
        library, kinds, aiohttp = await load("twitchAPI.twitch"), await load("twitchAPI.type"), await load("aiohttp")
        twitch: Twitch = library.Twitch(
            self.client_id, self._keys.client_secret or None, authenticate_app=False,
            base_url=self._addresses.helix, auth_base_url=self._addresses.auth,
            session_timeout=aiohttp.ClientTimeout(total=self._timeout),
        )  # fmt: skip
        twitch.auto_refresh_auth = False
        if attempt == "user":
            known = {scope.value: scope for scope in kinds.AuthScope}
            scopes = [known[scope] for scope in (self._holder.scopes if self._holder else ()) if scope in known]
            await twitch.set_user_authentication(self.user_token, scopes, validate=False)
        else:
            await twitch.set_app_authentication(await self.app_token(fresh=attempt == "fresh"), [])
        return twitch

    async def _guarded(self, work: Callable[[], Awaitable[T]]) -> T:
        """The one place where the library's failures are met; it fails in every way there is on an odd answer."""
        kinds = await load("twitchAPI.type")
        try:
            async with asyncio.timeout(self._timeout):
                return await work()
        except kinds.UnauthorizedException:
            raise _refused() from None
        except kinds.TwitchResourceNotFound as error:
            raise NotFound(f"Twitch found nothing there: {error}") from error
        except TalekeeperError:
            raise
        except Exception as error:
            raise Unavailable(f"Twitch's answer was of no use ({type(error).__name__}: {error}).") from error


class _Token(msgspec.Struct):
    access_token: str


def _fitting(said: Answer, body: Any, wanted: type[T]) -> T:
    if said.status != 200:
        raise Unavailable(f"Twitch answered {said.status}.")
    try:
        return msgspec.convert(body, wanted)
    except msgspec.ValidationError as error:
        raise Unavailable("Twitch's answer was of no use.") from error


def _refused() -> BadCredentials:
    return BadCredentials(
        "Twitch refused the companion's token.", "Put a fresh one into TWITCH_ACCESS_TOKEN, then start it again."
    )
