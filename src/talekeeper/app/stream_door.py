"""The stream door put together: how each channel is reached, what the companion is told, who speaks for it."""

from __future__ import annotations

from collections.abc import Callable

from talekeeper.agents.companion.bots import KNOWN_BOTS
from talekeeper.agents.companion.policy import Thresholds
from talekeeper.app.engine import Engine
from talekeeper.app.settings import Settings
from talekeeper.doors.stream.admittance import Admittance
from talekeeper.doors.stream.live_status import LiveStatus
from talekeeper.doors.stream.mouth import Reach
from talekeeper.doors.stream.sessions import Companion
from talekeeper.doors.stream.settings import CompanionSettings
from talekeeper.doors.stream.transport.choose import NoTransport, Wires, choose_helix, choose_transport, wires_token
from talekeeper.doors.stream.transport.credentials import TwitchAddresses, TwitchKeys
from talekeeper.doors.stream.transport.irc import IrcServer

ROLE = "companion"


def stream_companion(engine: Engine, reach_of: Callable[[str], Reach] | None = None) -> Companion:
    companion = Companion(
        engine, engine.tasks, companion_settings(engine.settings), reach_of or (lambda name: reach(engine, name)),
        lambda: engine.models.of(ROLE),
    )  # fmt: skip
    if reach_of is None and engine.settings.stream_channel:
        # What is missing in the settings is said before anything is served.
        companion.mouth(engine.settings.stream_channel)
    return companion


def companion_settings(settings: Settings) -> CompanionSettings:
    key, webhook = settings.stream_admin_key, settings.stream_discord_webhook
    more = {name.strip().lower() for name in settings.stream_bots.split(",")} - {""}
    return CompanionSettings(
        ledgers=settings.ledgers,
        admin_key=key.get_secret_value() if key else "",
        channel=settings.stream_channel,
        bot=settings.stream_bot_username,
        operator=settings.stream_operator,
        bots=KNOWN_BOTS | more,
        thresholds=Thresholds(
            inactivity=60 * settings.stream_inactivity_minutes,
            cooldown=60 * settings.stream_prompt_minutes,
            suppression=settings.stream_suppression,
        ),
        interval=settings.stream_loop_interval,
        require_live=settings.stream_require_live,
        offline_test=settings.stream_offline_test_mode,
        offline_test_seconds=60 * settings.stream_offline_test_minutes,
        offline_grace=60 * settings.stream_offline_grace_minutes,
        approval=settings.stream_approval,
        second_reader=settings.stream_second_reader,
        moderator=settings.stream_moderator,
        ledger_name=settings.stream_ledger_name,
        discord_webhook=webhook.get_secret_value() if webhook else "",
    )


def admittance(engine: Engine, key: bytes) -> Admittance:
    given = engine.settings.stream_admin_key
    return Admittance(given.get_secret_value() if given else None, key, engine.services.clock)


def reach(engine: Engine, channel: str) -> Reach:
    """Only the configured channel has a chat; sessions of others are heard through the admin API alone."""
    settings, clock = engine.settings, engine.services.clock
    wires = _wires(settings, channel)
    helix = choose_helix(wires)
    status = LiveStatus(channel, helix, clock=clock, cache_seconds=settings.stream_live_cache_seconds)
    if channel != settings.stream_channel or not settings.stream_chat_enabled:
        return Reach(NoTransport(), status)

    async def marker(note: str) -> None:
        assert helix is not None
        await helix.place_marker(await helix.user_id(channel), note)

    return Reach(choose_transport(wires, clock), status, marker if helix is not None else None)


def _wires(settings: Settings, channel: str) -> Wires:
    token, secret = settings.stream_access_token, settings.stream_client_secret
    password = settings.stream_irc_password
    return Wires(
        channel=channel,
        bot=settings.stream_bot_username,
        kind=settings.stream_transport,
        keys=TwitchKeys(
            client_id=settings.stream_client_id or "",
            client_secret=secret.get_secret_value() if secret else "",
            access_token=wires_token(token.get_secret_value()) if token else "",
        ),
        addresses=TwitchAddresses(
            helix=settings.stream_helix_url, auth=settings.stream_auth_url, eventsub=settings.stream_eventsub_url
        ),
        irc=IrcServer(settings.stream_irc_host, settings.stream_irc_port, settings.stream_irc_tls),
        irc_password=password.get_secret_value() if password is not None else None,
    )
