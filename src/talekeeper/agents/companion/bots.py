"""Other machines in a chat: their lines are not people talking."""

from __future__ import annotations

KNOWN_BOTS = frozenset(
    """
    nightbot streamelements streamlabs moobot fossabot wizebot sery_bot soundalerts pretzelrocks commanderroot
    kofistreambot own3d pokemoncommunitygame stay_hydrated_bot streamstickers tangiabot botrixoficial mixitupapp
    phantombot deepbot ankhbot coebot scorpbot xanbot revlobot vivbot hnlbot muxybot streamholics restreambot
    anotherttvviewer drapsnatt blerp lolrankbot frostytoolsdotcom remasuri_bot creatisbot buttsbot supibot titlechange_bot
    """.split()
)


def known_bot(name: str) -> bool:
    return name.casefold() in KNOWN_BOTS
