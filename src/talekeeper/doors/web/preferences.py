"""/settings: how this house is set up, without its secrets, and whether its teller answers."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from typing import Annotated

from fastapi import Depends
from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection

from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import Admin
from talekeeper.errors import TalekeeperError

router = api_router("/settings", "settings")


class SettingOut(BaseModel):
    name: str
    value: str | int | float | bool | None
    source: str = Field(description="Where it was set.")
    about: str


class SettingsOut(BaseModel):
    teller: str
    version: str
    settings: list[SettingOut]


class ModelTest(BaseModel):
    ok: bool
    message: str
    teller: str
    ms: int = Field(description="To the first word.")


class Preferences:
    """What the app lets this door show: settings already stripped of secrets, and a first word from the teller."""

    def __init__(
        self, version: str, teller: Callable[[], str], listed: Callable[[], list[SettingOut]],
        first_words: Callable[[], AsyncIterator[str]],
    ) -> None:  # fmt: skip
        self.version = version
        self.teller = teller
        self.listed = listed
        self.first_words = first_words


def preferences_of(connection: HTTPConnection) -> Preferences:
    found: Preferences = connection.app.state.preferences
    return found


ThePreferences = Annotated[Preferences, Depends(preferences_of)]


@router.get("", summary="How this house is set up; secrets are never shown")
async def settings(_admin: Admin, preferences: ThePreferences) -> SettingsOut:
    return SettingsOut(teller=preferences.teller(), version=preferences.version, settings=preferences.listed())


@router.post("/model-test", summary="Ask the teller for a few words")
async def model_test(_admin: Admin, preferences: ThePreferences) -> ModelTest:
    begun = time.monotonic()
    said = ""
    try:
        async for words in preferences.first_words():
            said += words
            if len(said) > 40:
                break
    except TalekeeperError as error:
        taken = round((time.monotonic() - begun) * 1000)
        return ModelTest(
            ok=False, message=f"{error.message} {error.hint}".strip(), teller=preferences.teller(), ms=taken
        )
    taken = round((time.monotonic() - begun) * 1000)
    return ModelTest(
        ok=bool(said), message="It answers." if said else "It said nothing.", teller=preferences.teller(), ms=taken
    )
