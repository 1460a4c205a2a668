"""A turn on the terminal: frames in, prose, dice and names out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rich.console import Console
from rich.text import Text

from talekeeper.cli.prose import ProseWriter
from talekeeper.loops.frames import (
    AnyFrame,
    Notice,
    Roll,
    Snapshot,
    TagChunk,
    TagClose,
    TagOpen,
    TurnEnded,
    TurnRestarted,
)
from talekeeper.timeline.transcript import ToldTurn

EMBER = "#d9894a"
SPOKEN = "#f0b177"
FAINT = "#a09073"
GOOD = "#94a877"
BAD = "#d67882"
_TIER_STYLE = {"triumph": GOOD, "success": GOOD, "cost": EMBER, "failure": BAD, "disaster": BAD}
_TIER_WORDS = {
    "triumph": "a triumph", "success": "a success", "cost": "a success at a price", "failure": "a failure",
    "disaster": "a disaster",
}  # fmt: skip


class Stage:
    def __init__(self, console: Console, name_of: Callable[[str], str]) -> None:
        self._console = console
        self._name_of = name_of
        self._prose = ProseWriter(console)
        self._closing = ""

    def play(self, frames: Iterable[AnyFrame]) -> TurnEnded | None:
        """Show a turn as it is told; gives back how it ended."""
        ended: TurnEnded | None = None
        for frame in frames:
            self._show(frame)
            if isinstance(frame, TurnEnded):
                ended = frame
        return ended

    def _show(self, frame: AnyFrame) -> None:
        match frame:
            case TagOpen(tag=tag, attrs=attrs):
                self._begin(tag, attrs.get("who", ""))
            case TagChunk(text=text):
                self._prose.write(text)
            case TagClose():
                self._prose.write(self._closing)
                self._prose.end()
            case Roll(total=int()):
                self.dice(frame)
            case TurnRestarted(reason=reason):
                self._prose.end()
                self.aside(f"({reason})")
            case Notice(message=message):
                self.aside(message)
            case Snapshot() as snapshot:
                self.where(snapshot.place_name, snapshot.time_name, snapshot.weather)
            case TurnEnded(state="failed", error=error):
                self._prose.end()
                self.problem(error or {})
            case TurnEnded(state="interrupted"):
                self._prose.end()
                self.aside("(stopped; what was told stands)")

    def _begin(self, tag: str, who: str) -> None:
        if tag == "say":
            name = self._name_of(who) if who else "Someone"
            self._prose.paragraph(SPOKEN, f"{name}:", f"bold {EMBER}")
            self._prose.write("“")
            self._closing = "”"
        else:
            self._prose.paragraph()
            self._closing = ""

    def dice(self, roll: Roll) -> None:
        self._prose.end()
        line = Text.assemble(
            ("\n  ⚄ ", EMBER),
            (f"{roll.stat} ", "bold"),
            f"{roll.detail} = {roll.total}",
            (f"  against {roll.difficulty} ({roll.ladder})", FAINT),
            (f"  {_TIER_WORDS.get(roll.tier, roll.tier)}", _TIER_STYLE.get(roll.tier, "")),
        )
        self._console.print(line, soft_wrap=True)

    def where(self, place: str, time: str, weather: str) -> None:
        said = " · ".join(part for part in (place, time, weather) if part)
        if said:
            self._console.print(Text(f"\n  {said}", style=FAINT), soft_wrap=True)

    def told(self, turn: ToldTurn) -> None:
        """A turn as it was told before."""
        for passage in turn.passages:
            if passage.kind == "action.taken":
                self.action(passage.text)
            elif passage.kind == "roll.made":
                self._console.print(Text(f"\n  ⚄ {passage.text}", style=FAINT), soft_wrap=True)
            elif passage.kind != "scene.opened":
                self._begin("say" if passage.kind == "line.spoken" else "narration", passage.who)
                self._prose.write(passage.text + self._closing)
                self._prose.end()

    def action(self, text: str) -> None:
        self._console.print(Text.assemble(("\n▎ ", EMBER), (text, "italic")), soft_wrap=True)

    def text(self, text: str) -> None:
        self._prose.paragraph()
        self._prose.write(text)
        self._prose.end()

    def aside(self, text: str) -> None:
        self._console.print(Text(f"\n  {text}", style=FAINT), soft_wrap=True)

    def problem(self, error: dict[str, object]) -> None:
        said = f"{error.get('message', 'It failed.')} {error.get('hint', '')}".strip()
        self._console.print(Text(f"\n  {said}", style=BAD), soft_wrap=True)
