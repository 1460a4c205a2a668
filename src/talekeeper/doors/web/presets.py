"""/presets: the story templates a world can be made from."""

from __future__ import annotations

from pydantic import BaseModel, Field

from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import Known
from talekeeper.presets.library import list_presets

router = api_router("/presets", "worlds")


class PresetOut(BaseModel):
    id: str = Field(examples=["low-water"])
    title: str
    tagline: str
    tone: str
    player_name: str = Field(description="Who you would be.")
    suggestions: list[str] = Field(description="First things one could do there.")


@router.get("", summary="Story templates to start from")
async def presets(_caller: Known) -> list[PresetOut]:
    return [
        PresetOut(
            id=card.id, title=card.title, tagline=card.tagline, tone=card.tone, player_name=card.player.name,
            suggestions=list(card.suggestions),
        )
        for card in list_presets()
    ]  # fmt: skip
