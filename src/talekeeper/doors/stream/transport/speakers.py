"""Who in a chat is no person: well-known services, whoever wears the bot badge, and the companion itself."""

from __future__ import annotations

from collections.abc import Collection

BOT_BADGES = frozenset({"bot", "bot-badge"})

KNOWN_BOTS = frozenset(
    {
        "botrixoficial", "coebot", "commanderroot", "creatisbot", "deepbot", "dixperbro", "fossabot",
        "frostytoolsdotcom", "kofistreambot", "lolrankbot", "lumiastream", "mixitupapp", "moobot", "nightbot",
        "own3d", "phantombot", "playwithviewersbot", "pokemoncommunitygame", "pretzelrocks", "restreambot",
        "sery_bot", "songlistbot", "soundalerts", "streamelements", "streamholics", "streamlabs", "streamlootsbot",
        "streamstickers", "supibot", "tangiabot", "titlechange_bot", "trackerggbot", "wizebot", "wzbot",
    }
)  # fmt: skip


def is_bot(name: str, badges: Collection[str], own: str) -> bool:
    return name == own or name in KNOWN_BOTS or not BOT_BADGES.isdisjoint(badges)
