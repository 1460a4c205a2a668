"""The stream door put together: how each channel is reached, what the companion is told, who speaks for it."""

from __future__ import annotations

from collections.abc import Callable

from talekeeper.agents.companion.bots import KNOWN_BOTS
from talekeeper.agents.companion.policy import Thresholds
from talekeeper.app.engine import Engine
from talekeeper.app.settings import Settings
from talekeeper.doors.stream.admittance import Admittance
from talekeeper.doors.stream.live_status import LiveStatus
from talekeeper.doors.stream.mouth import NoTransport, Wires
from talekeeper.doors.stream.sessions import Companion
from talekeeper.doors.stream.settings import CompanionSettings

ROLE = "companion"


def stream_companion(engine: Engine, wires_of: Callable[[str], Wires] | None = None) -> Companion:
    return Companion(
        engine, engine.tasks, companion_settings(engine.settings), wires_of or (lambda name: wires(engine, name)),
        lambda: engine.models.of(ROLE),
    )  # fmt: skip


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
        moderator=settings.stream_moderator,
        ledger_name=settings.stream_ledger_name,
        discord_webhook=webhook.get_secret_value() if webhook else "",
    )


def admittance(engine: Engine, key: bytes) -> Admittance:
    given = engine.settings.stream_admin_key
    return Admittance(given.get_secret_value() if given else None, key, engine.services.clock)


def wires(engine: Engine, channel: str) -> Wires:
    """Only the configured channel has a chat; sessions of others are heard through the admin API alone."""
    clock = engine.services.clock
    return Wires(NoTransport(), LiveStatus(channel, None, clock=clock))
