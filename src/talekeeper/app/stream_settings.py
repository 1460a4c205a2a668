"""The settings of the stream door, as fields the one settings model inherits; older names beside them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings

STREAM_NAMES: dict[str, tuple[str, ...]] = {
    "stream_admin_key": ("ADMIN_API_KEY",),
    "stream_channel": ("TWITCH_CHANNEL_NAME",),
    "stream_bot_username": ("TWITCH_BOT_USERNAME",),
    "stream_client_id": ("TWITCH_CLIENT_ID",),
    "stream_client_secret": ("TWITCH_CLIENT_SECRET",),
    "stream_access_token": ("TWITCH_ACCESS_TOKEN",),
    "stream_chat_enabled": ("TWITCH_CHAT_ENABLED",),
    "stream_transport": ("TWITCH_TRANSPORT",),
    "stream_require_live": ("TWITCH_REQUIRE_LIVE_STREAM",),
    "stream_live_cache_seconds": ("TWITCH_LIVE_STATUS_CACHE_SECONDS",),
    "stream_offline_test_mode": ("TWITCH_OFFLINE_CHAT_TEST_MODE",),
    "stream_loop_interval": ("AGENT_LOOP_INTERVAL_SECONDS",),
    "stream_prompt_minutes": ("HEARTHKEEPER_PROMPT_INTERVAL_MINUTES",),
    "stream_export_path": ("EXPORT_PATH",),
}

_DAY = 24 * 60.0


class StreamSettings(BaseSettings):
    stream_admin_key: SecretStr | None = Field(
        default=None, description="Opens the admin API and the console of the stream door; without it they are shut."
    )
    stream_channel: str = Field(default="", description="The channel the companion sits in.")
    stream_bot_username: str = Field(default="sanctum_chronicler", description="The companion's name in the chat.")
    stream_operator: str = Field(default="", description="Who runs it, as it says when asked; empty: the channel.")
    stream_client_id: str | None = Field(default=None, description="Twitch application: its client id.")
    stream_client_secret: SecretStr | None = Field(default=None, description="Twitch application: its secret.")
    stream_access_token: SecretStr | None = Field(
        default=None, description="The bot's own token for chat, with or without oauth: in front."
    )
    stream_chat_enabled: bool = Field(default=True, description="Connect to the chat at all.")
    stream_transport: Literal["auto", "eventsub", "irc"] = Field(
        default="auto", description="How to reach the chat; auto: EventSub with client credentials, else IRC."
    )
    stream_irc_host: str = Field(default="irc.chat.twitch.tv", description="IRC server; any will do.")
    stream_irc_port: int = Field(default=6697, ge=1, le=65535, description="Its port.")
    stream_irc_tls: bool = Field(default=True, description="Encrypt the connection to it.")
    stream_irc_password: SecretStr | None = Field(
        default=None, description="Its password, where it is not Twitch's; empty quotes in talekeeper.toml for none."
    )
    stream_eventsub_url: str = Field(default="wss://eventsub.wss.twitch.tv/ws", description="Where EventSub listens.")
    stream_helix_url: str = Field(default="https://api.twitch.tv/helix/", description="Where the Twitch API is.")
    stream_auth_url: str = Field(default="https://id.twitch.tv/oauth2/", description="Where Twitch tokens come from.")
    stream_moderator: bool = Field(default=False, description="The bot is a moderator there, and may say more at once.")
    stream_require_live: bool = Field(default=True, description="Speak only while the channel is live.")
    stream_live_cache_seconds: float = Field(
        default=60.0, ge=0, le=3600, description="How long an answer about being live is believed."
    )
    stream_offline_test_mode: bool = Field(
        default=False, description="Speak though the channel is not live; for trying it out, never for good."
    )
    stream_offline_test_minutes: float = Field(
        default=60.0, gt=0, le=_DAY, description="How long that lasts when it is switched on by the admin API."
    )
    stream_offline_grace_minutes: float = Field(
        default=10.0, ge=0, le=_DAY, description="A stream that comes back within so long is the same session."
    )
    stream_loop_interval: float = Field(
        default=60.0, ge=1, le=86400, description="Seconds between two looks at the chat."
    )
    stream_prompt_minutes: float = Field(
        default=15.0, gt=0, le=_DAY, description="At least so long between two of its own observations."
    )
    stream_inactivity_minutes: float = Field(
        default=15.0, gt=0, le=_DAY, description="So long nobody has written before it says something by itself."
    )
    stream_suppression: int = Field(
        default=3, ge=1, description="So many lines of people within a minute silence it, whatever else holds."
    )
    stream_approval: bool = Field(
        default=False, description="Its own observations wait until the operator approves them."
    )
    stream_second_reader: bool = Field(
        default=False, description="A model reads its free lines, and the operator's, after the rules; needs a model."
    )
    stream_bots: str = Field(default="", description="More names that are not people, with commas between.")
    stream_export_path: str = Field(default="", description="Folder of the ledgers; empty: exports in the home.")
    stream_ledger_name: str = Field(default="Sanctum", description="The name in front of a ledger.")
    stream_discord_webhook: SecretStr | None = Field(
        default=None, description="A Discord webhook that is given the ledger after the stream."
    )

    @field_validator("stream_channel", "stream_bot_username", mode="after")
    @classmethod
    def _login(cls, value: str) -> str:
        return value.strip().lstrip("#@").lower()
