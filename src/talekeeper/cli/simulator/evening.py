"""An evening in the demo tavern: lines from the keyboard become events, what the NPCs do is shown as it comes."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.text import Text

from talekeeper.cli.console import EMBER, FAINT, clean
from talekeeper.cli.simulator.tavern import NPCS, WELCOME, Tavern, addressed
from talekeeper.clients.game import GameClient, Reply

HELP = """Just talk; you speak to whoever you spoke to last. Type while somebody speaks, and you cut them short.
  mara: hello      speak to Mara (or Tom, or Ida)
  /give THING      give something to whoever you speak to
  /do DEED         do something: /do kicks the table
  /hit             strike whoever you speak to
  /bell            ring the bell: everybody notices, nobody answers
  /leave           walk away from whoever you speak to
  /quit            go home
A line that begins with ! cuts in after the first words (for scripts)."""


class Evening:
    def __init__(self, game: GameClient, console: Console, player: str) -> None:
        self._game = game
        self._console = console
        self._source = {"id": player.lower().replace(" ", "-") or "player", "name": player, "kind": "player"}
        self._current = "mara"
        self._reply: Reply | None = None
        self._showing: asyncio.Task[None] | None = None
        self._words = 0
        """Spoken in the present answer."""

    async def run(self, lines: asyncio.Queue[str | None], *, typed: bool) -> None:
        """`typed`: a person is at the keyboard, and may cut in; otherwise each line waits for the answer to the last."""
        self._console.print(Text(WELCOME), soft_wrap=True)
        self._console.print(Text("Type to speak to Mara; /help says more."), style=FAINT)
        while (line := await lines.get()) is not None:
            line = line.strip()
            if not typed:
                if line.startswith("!"):
                    await self._some_words()
                    await self._cut_in()
                else:
                    await self._to_the_end()
                self._console.print(Text(f"> {clean(line)}"), style=FAINT)
            if line.lstrip("!") and not await self._do(line.lstrip("!").strip()):
                break
        await self._to_the_end()

    async def _do(self, line: str) -> bool:
        if not line.startswith("/"):
            self._current, words = addressed(line, self._current)
            await self._answer("player_said", text=words or "Hello")
            return True
        command, _, rest = line[1:].partition(" ")
        match command:
            case "quit" | "exit" | "q":
                return False
            case "help":
                self._console.print(Text(HELP), style=FAINT)
            case "give":
                await self._answer("gave_item", data={"item": rest or "a coin"})
            case "do":
                await self._answer("player_did", text=rest or "looks around")
            case "hit":
                await self._answer("attacked", text=rest or None)
            case "leave":
                await self._answer("leave")
            case "bell":
                await self._game.notify("*", text="The bell over the door rings, and nobody comes in.")
                self._console.print(Text("The bell rings. Heads turn."), style=FAINT)
            case _:
                self._console.print(Text("Nobody here knows that command; /help lists them."), style=FAINT)
        return True

    async def _answer(self, kind: str, **fields: Any) -> None:
        await self._cut_in()
        given = {name: value for name, value in fields.items() if value is not None}
        self._reply = self._game.event(self._current, kind, source=self._source, **given)
        self._showing = asyncio.create_task(self._show(self._reply))

    async def _cut_in(self) -> None:
        """What is being said stops here, and the game reports as much as was shown."""
        if self._showing is not None and not self._showing.done():
            self._showing.cancel()
            await asyncio.gather(self._showing, return_exceptions=True)
            self._console.print(Text(" —"))
        if self._reply is not None:
            await self._reply.stop()

    async def _to_the_end(self) -> None:
        if self._showing is not None:
            await self._showing

    async def _some_words(self) -> None:
        """Until somebody is in mid-sentence."""
        while self._showing is not None and not self._showing.done():
            if self._words >= 3:
                return
            await asyncio.sleep(0.02)

    async def _show(self, reply: Reply) -> None:
        name = NPCS[reply.agent_id]["name"]
        self._words = 0
        async for message in reply:
            match message["type"]:
                case "agent_tag_open":
                    lead = f"{name}: " if message["tag"] == "say" else f"({name} "
                    self._console.print(Text(lead, style=f"bold {EMBER}" if message["tag"] == "say" else FAINT), end="")
                case "agent_tag_chunk":
                    self._words += message["tag"] == "say"
                    style = "" if message["tag"] == "say" else FAINT
                    self._console.print(Text(clean(message["text"]), style=style), end="", soft_wrap=True)
                case "agent_tag_close":
                    rest = {"sing": f"sings: {message['text']})", "say": ""}.get(message["tag"], ")")
                    self._console.print(Text(rest, style=FAINT))
                case "agent_turn_finished" if message.get("tool_calls"):
                    names = ", ".join(call["name"] for call in message["tool_calls"])
                    self._console.print(Text(f"({name} goes to look: {names})"), style=FAINT)
                case "error":
                    self._console.print(Text(f"({clean(message['message'])})"), style=FAINT)
                case "disconnected":
                    self._console.print(Text("(The line broke; it will be tried again.)"), style=FAINT)


def keyboard(loop: asyncio.AbstractEventLoop, prompt: Callable[[], str]) -> asyncio.Queue[str | None]:
    """Lines as they are typed, on a thread of their own; None at the end."""
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def read() -> None:
        try:
            while True:
                line = input(prompt()) if sys.stdin.isatty() else sys.stdin.readline()
                if not line and not sys.stdin.isatty():
                    break
                loop.call_soon_threadsafe(lines.put_nowait, line)
        except (EOFError, KeyboardInterrupt):
            loop.call_soon_threadsafe(lines.put_nowait, None)
            return
        except RuntimeError:
            # The evening ended while somebody was still typing.
            return
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, name="keyboard", daemon=True).start()
    return lines


async def spend(url: str, token: str | None, player: str, console: Console) -> None:
    tavern = Tavern()
    async with GameClient(url, state=tavern.snapshot, tools=tavern.use, token=token) as game:
        typed = sys.stdin.isatty()
        lines = keyboard(asyncio.get_running_loop(), lambda: "")
        await Evening(game, console, player).run(lines, typed=typed)
