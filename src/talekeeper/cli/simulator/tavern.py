"""The demo tavern: three NPCs, what is in the cellar, and the tools by which they can look and pour."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

WELCOME = (
    "The Crooked Lantern, late. Rain on the shutters, a low fire. Mara wipes the counter; Tom the smith nurses a mug by the "
    "wall; Ida tunes a fiddle nobody asked her to play."
)

TAGS: list[Json] = [
    {"name": "say", "stream": True, "description": "Words spoken aloud, without quotation marks."},
    {"name": "emote", "stream": True, "description": "A look or gesture, in a few words."},
    {"name": "action", "stream": True, "description": "Something done, in a few words."},
    {
        "name": "sing", "stream": False, "description": "A line of a song.",
        "attrs": {"mood": {"type": "string", "enum": ["merry", "sad"], "required": True}},
    },
]  # fmt: skip

_STOCK_TOOL: Json = {
    "name": "check_stock",
    "description": "Look into the cellar: how much of something is left.",
    "parameters": {
        "type": "object",
        "properties": {"item": {"type": "string", "description": "What to look for."}},
        "required": ["item"],
    },
}

NPCS: dict[str, Json] = {
    "mara": {
        "name": "Mara", "role": "innkeeper",
        "persona": "Runs the Crooked Lantern alone. Dry, quick, fair. Cannot abide being talked over.",
        "backstory": "The house was her aunt's. The debts were too.",
        "speech_style": "short sentences, no endearments",
        "goals": ["find out who has been watering the ale", "get through one evening without a broken chair"],
        "knowledge": [
            "The north road is closed since the flood took the bridge.",
            "The ale has been thin since the new carter came in spring.",
            "A stranger in a grey coat took the room under the roof and paid a month ahead.",
            "Tom has not been himself since his brother went to the coast.",
        ],
        "relationships": [{"id": "tom", "name": "Tom", "attitude": "fond of", "notes": "Tom mends what breaks here."}],
    },
    "tom": {
        "name": "Tom", "role": "smith",
        "persona": "Slow to speak, slower to stop brooding. Gentle with tools and children.",
        "goals": ["hear from his brother on the coast"],
        "knowledge": [
            "The bridge could be mended in a week if anybody sent iron.",
            "My brother went to the coast for salt work and has not written since midsummer.",
            "The grey stranger asked me for a key to a lock I have never seen.",
        ],
        "relationships": [{"id": "mara", "name": "Mara", "attitude": "respects"}],
    },
    "ida": {
        "name": "Ida", "role": "fiddler",
        "persona": "Merry, curious, lies for pleasure and never for gain.",
        "goals": ["learn one true thing about the stranger in grey"],
        "knowledge": [
            "The stranger hums a tune that is only sung on the islands.",
            "There was a light on the marsh three nights running.",
            "The carter drinks for nothing in two villages, and in this one he pays.",
        ],
        "relationships": [{"id": "carter", "name": "the carter", "attitude": "distrusts"}],
    },
}  # fmt: skip

_MOODS = {"mara": "busy", "tom": "thoughtful", "ida": "merry"}


class Tavern:
    """What the game itself knows: the cellar changes, and the NPCs can be told about it."""

    def __init__(self) -> None:
        self.cellar = {"ale": 2, "cider": 1, "wine": 0, "bread": 6, "cheese": 3}

    def snapshot(self, agent: str) -> Json:
        others = [{"id": other, "name": npc["name"]} for other, npc in NPCS.items() if other != agent]
        return {
            "revision": "tavern-1",
            "spec": NPCS[agent],
            "state": {
                "mood": _MOODS[agent], "location": "The Crooked Lantern", "time": "late evening", "nearby": others,
                "inventory": ["a wet rag"] if agent == "mara" else [],
            },
            "tags": TAGS,
            "tools": [_STOCK_TOOL] if agent == "mara" else [],
            "limits": {"max_output_tokens": 220},
        }  # fmt: skip

    def use(self, agent: str, tool: str, arguments: Any) -> str:
        if tool != "check_stock" or agent != "mara" or not isinstance(arguments, dict):
            raise LookupError(f"there is no {tool} here")
        wanted = str(arguments.get("item", "")).lower()
        found = next((item for item in self.cellar if item in wanted or (wanted and wanted in item)), None)
        if found is None:
            return f"There is no {wanted or 'such thing'} in the cellar, and never was."
        left = self.cellar[found]
        return (
            f"There {'is' if left == 1 else 'are'} {left or 'no'} {'cask' if left == 1 else 'casks'} of {found} left."
        )


def addressed(line: str, current: str) -> tuple[str, str]:
    """Who is spoken to, and the words: `tom: hello`, `@tom hello`, or whoever was spoken to last."""
    name, colon, rest = line.partition(":")
    if colon and name.strip().lower() in NPCS:
        return name.strip().lower(), rest.strip()
    if line.startswith("@"):
        name, _, rest = line[1:].partition(" ")
        if name.lower() in NPCS:
            return name.lower(), rest.strip()
    first, _, rest = line.partition(",")
    if first.strip().lower() in NPCS and rest.strip():
        return first.strip().lower(), rest.strip()
    return current, line
