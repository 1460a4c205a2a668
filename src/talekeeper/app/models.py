"""Which model does what: the settings' provider, a model for each role, one behind it for bad days, all of them metered."""

from __future__ import annotations

from collections.abc import Callable

from talekeeper.app.settings import Settings
from talekeeper.llm.connect import PROVIDERS, connect
from talekeeper.llm.fallback import FallbackModel
from talekeeper.llm.metered import MeteredModel, ModelCall
from talekeeper.llm.model import Model
from talekeeper.llm.patience import Patience

STORYTELLER, LOCAL = "storyteller", "local"
ADDRESSES = {name: provider.base_url for name, provider in PROVIDERS.items()}
USUAL_MODELS = {name: provider.model for name, provider in PROVIDERS.items() if provider.model}
SMALL_CONTEXT = 800
"""Tokens a small model can read, and make something of, while somebody waits."""

Record = Callable[[ModelCall], None]


def provider_of(settings: Settings) -> str:
    """Without a provider, a key or an address says that there is one."""
    if settings.model_provider.strip():
        return settings.model_provider.strip().lower()
    return "openai" if settings.model_api_key or settings.model_base_url else STORYTELLER


class Models:
    """Made when a role first asks, loaded when it is first used."""

    def __init__(self, settings: Settings, record: Record) -> None:
        self.provider = provider_of(settings)
        self._settings = settings
        self._record = record
        self._made: dict[str, Model] = {}

    def of(self, role: str) -> Model | None:
        """The model of a role (narrator, npc_voice, resolver); None where the storyteller does without.

        What is missing in the settings is said here, at the start, and not at the first action.
        """
        if self.provider == STORYTELLER:
            return None
        settings = self._settings
        own = {
            "narrator": settings.model_narrator,
            "npc_voice": settings.model_npc_voice,
            "resolver": settings.model_resolver,
            "game": settings.model_game,
        }
        name = own.get(role) or settings.model_name or settings.model_narrator or settings.model_npc_voice
        first = self._metered(name or "", role)
        return FallbackModel(first, self._metered(settings.model_fallback, role)) if settings.model_fallback else first

    @property
    def small(self) -> bool:
        """The model that ships with Talekeeper: it reads slowly and follows little."""
        return self.provider == LOCAL and not self._settings.model_name

    @property
    def context_tokens(self) -> int:
        """The budget of what the narrator is given."""
        wished = self._settings.play_context_tokens
        return min(wished, SMALL_CONTEXT) if self.small else wished

    async def close(self) -> None:
        for model in self._made.values():
            await model.close()

    def _metered(self, name: str, role: str) -> Model:
        """Roles with the same model share its connections; each is metered by itself."""
        if name not in self._made:
            settings = self._settings
            key = settings.model_api_key.get_secret_value() if settings.model_api_key else None
            patience = Patience(first_token=settings.model_timeout)
            self._made[name] = connect(self.provider, settings.model_base_url, key, name, patience=patience)
        return MeteredModel(self._made[name], role, self._record)
