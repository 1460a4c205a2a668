"""The loop tried out on a copy: three looks at a quiet room, with a clock of its own. Nothing is posted or recorded."""

from __future__ import annotations

from typing import Any

import msgspec

from talekeeper.agents.companion.context import StreamContext
from talekeeper.agents.companion.hearthkeeper import observe
from talekeeper.agents.companion.policy import Lull, weigh
from talekeeper.agents.companion.style import faults
from talekeeper.doors.stream.hearth import PROMPT, Tick
from talekeeper.doors.stream.keeper import Keeper


class Shadow:
    """A keeper's double, live and unhushed, that nobody has spoken to for `inactive` seconds."""

    def __init__(self, keeper: Keeper, context: StreamContext, inactive: float) -> None:
        self.now = keeper.now
        self.prompts = 0
        self._session = keeper.session
        self._settings = keeper.settings.thresholds
        self._context = context
        self._quiet_since = self.now - inactive
        self._last_prompt_at: float | None = None

    async def tick(self) -> Tick:
        lull = Lull(
            now=self.now, session_started=self._quiet_since, required_live=True, live=True,
            last_prompt_at=self._last_prompt_at, settings=self._settings,
        )  # fmt: skip
        decision = weigh(lull, self._session.theme)
        look = Tick(session_id=self._session.id, reason=decision.tick_reason)
        if not decision.speak:
            return look
        context = msgspec.structs.replace(self._context, now=self.now)
        # Without a model: the loop is tried here, not the model, and nobody pays for it.
        observation = await observe(context, decision, None)
        if observation is None or faults(observation.text, context.own):
            look.reason = "hearthkeeper_error"
            return look
        look.actions_taken.append(PROMPT)
        look.agent_response = observation.text
        self.prompts += 1
        self._last_prompt_at = self.now
        self._context = msgspec.structs.replace(context, own=(*context.own, observation.text))
        return look


async def try_loop(keeper: Keeper, inactive_minutes: float) -> dict[str, Any]:
    shadow = Shadow(keeper, await keeper.context(), inactive_minutes * 60)
    first = await shadow.tick()
    after_first = shadow.prompts
    shadow.now += 1
    second = await shadow.tick()
    shadow.now += keeper.settings.thresholds.cooldown
    third = await shadow.tick()
    said = [bool(look.agent_response) for look in (first, second, third)]
    return {
        "passed": said == [True, False, True],
        "session_id": keeper.session.id,
        "inactive_minutes": inactive_minutes,
        "prompts_created": after_first,
        "prompts_created_after_interval": shadow.prompts,
        "first_tick": msgspec.to_builtins(first),
        "second_tick": msgspec.to_builtins(second),
        "third_tick_after_interval": msgspec.to_builtins(third),
    }
