"""Letters that look like Latin ones and are not: our own table, kept to what is met in disguised chat lines."""

from __future__ import annotations

_LOOKALIKES = {
    "a": "аɑαᴀ⍺ӑӓꭺ", "b": "ЬьвʙВβᏏᖯ", "c": "сϲᴄⅽᏟꮯС", "d": "ԁɗᴅⅾᏧժ", "e": "еєҽᴇεꬲℯёѐᎬ", "f": "ғꜰϝſꞙք", "g": "ɡɢԍցᶃ",
    "h": "һʜнհᏂНη", "i": "іıɩɪιᎥⅰїӏ", "j": "јʝᴊϳ", "k": "кᴋκҡқКᏦ", "l": "ⅼʟℓӏǀӀᏞł", "m": "мᴍⅿʍМᎷ", "n": "ոռɴпηνийℕՈ",
    "o": "оοᴏօσөДӨ०০੦ഠᎾø", "p": "рρᴘⲣϱРᏢ", "q": "ԛգɋզ", "r": "гʀᴦꭇɾᏒя", "s": "ѕꜱʂᏚՏ", "t": "тᴛτեƭТᎢ",
    "u": "υᴜսʋцμ", "v": "ѵᴠνⅴᏙ", "w": "ԝᴡωшѡщᏔɯ", "x": "хχⅹжХ", "y": "уүʏγყΥУ", "z": "ᴢʐƶᏃ",
}  # fmt: skip

CONFUSABLES: dict[int, str] = {}
for _latin, _others in _LOOKALIKES.items():
    for _other in _others:
        # The first to claim a letter keeps it.
        CONFUSABLES.setdefault(ord(_other), _latin)
        CONFUSABLES.setdefault(ord(_other.lower()[0]), _latin)
        CONFUSABLES.setdefault(ord(_other.upper()[0]), _latin)
CONFUSABLES = {code: latin for code, latin in CONFUSABLES.items() if code > 0x7F}
