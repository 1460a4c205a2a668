"""Links and names of sites, plain, taken apart (`name .com`, `name dot com`) or masked, and how much each weighs."""

from __future__ import annotations

import re

_ENDS = (
    "com net org ru biz info online site store shop xyz top pro live club space website tech click link bio gg io co me tv to"
    " ly app dev cc su us uk de fun vip ws art be pw in"
).split()
_TAKEN_APART = frozenset(_ENDS) - {"to", "me", "be", "in", "us", "top", "live", "pro", "fun", "link", "art", "so", "de"}
_KNOWN = frozenset(_ENDS)
_ANY_END, _APART_END = "|".join(_ENDS), "|".join(sorted(_TAKEN_APART))
_SITE = re.compile(rf"(?:https?://)?(?:www\.)?((?:[a-z0-9-]+\.)+(?:{_ANY_END}))(?![a-z0-9.])")
_APART = re.compile(rf"\.(?:(?<=[\s(\[{{]\.)[)\]}}]?(?:{_ANY_END})|[)\]}}]?\s+(?:{_APART_END}))\b(?!')")
_IN_WORDS = re.compile(rf"dot[)\]}}]?\s*(?:{_ANY_END})\b")
_WITH_COMMA = re.compile(r",(?:com|net|org|ru)\b")
_DOTLESS = re.compile(r"(?<=[a-z0-9]{4})\s\s+(?:com|org|net|ru)\b")
_MASKED = re.compile(r"\b(?:on|with|at|visit|via|to|from|by|try)\s+\*{3,}")
_SHORTENERS = frozenset(
    {"bit.ly", "cutt.ly", "u.to", "t.ly", "tinyurl.com", "is.gd", "rb.gy", "goo.gl", "t.me", "wa.me", "clck.ru"}
)
_COMMON = frozenset(
    """
    twitch.tv youtube.com youtu.be twitter.com x.com reddit.com imgur.com spotify.com google.com wikipedia.org github.com
    steampowered.com steamcommunity.com smash.gg start.gg amazon.com tenor.com giphy.com tiktok.com facebook.com
    nintendo.com apple.com fandom.com streamable.com speedrun.com challonge.com imdb.com archive.org
    streamlabs.com streamelements.com nightbot.tv twitchtracker.com sullygnome.com betterttv.com frankerfacez.com
    chatgpt.com openai.com strawpoll.com discord.gg
    """.split()
)

PLAIN, SHORTENED, DOTLESS, TAKEN_APART, MASKED, TELLING = 0.4, 0.5, 0.5, 0.7, 0.4, 0.7


_GROWTH_NAME = re.compile(
    r"stream|view|follow|boost|rank|chat|grow|push|promo|fame|famous|popular|twitch|subs|(?<!ro)bot|hype|smm"
)


def link_weight(text: str, words: frozenset[str]) -> float:
    """A site everybody knows weighs nothing; one that hides its name weighs most."""
    if "***" in text and _MASKED.search(text):
        return MASKED
    if not _KNOWN.isdisjoint(words):
        if (
            ("." in text and _APART.search(text))
            or ("dot" in words and _IN_WORDS.search(text))
            or ("," in text and _WITH_COMMA.search(text))
        ):
            return TAKEN_APART
        if "  " in text and _DOTLESS.search(text):
            return DOTLESS
    if "." not in text:
        return 0.0
    return max((_site_weight(word) for word in text.split() if "." in word), default=0.0)


def _site_weight(word: str) -> float:
    found = _SITE.search(word)
    if not found or ".".join(found[1].split(".")[-2:]) in _COMMON:
        return 0.0
    if _GROWTH_NAME.search(found[1]):
        return TELLING
    return SHORTENED if found[1] in _SHORTENERS else PLAIN
