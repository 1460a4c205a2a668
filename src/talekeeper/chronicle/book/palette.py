"""The house's colours, dark and light, for pages and pictures."""

from __future__ import annotations

DARK = {
    "ground": "#17130f", "panel": "#2a231c", "side": "#1b1612", "line": "#3a3026", "text": "#ece1cf", "second": "#b7a88f",
    "faint": "#a09073", "ember": "#d9894a", "speech": "#f0b177", "good": "#94a877", "bad": "#d67882",
}  # fmt: skip
LIGHT = {
    "ground": "#f7f1e6", "panel": "#fffaf0", "side": "#efe6d6", "line": "#d8cbb6", "text": "#2a2118", "second": "#5d5040",
    "faint": "#6f6250", "ember": "#9a4f14", "speech": "#8a4510", "good": "#4d6330", "bad": "#a0303c",
}  # fmt: skip


def css_variables() -> str:
    def block(colours: dict[str, str]) -> str:
        return "".join(f"--{name}:{value};" for name, value in colours.items())

    return (
        f":root{{{block(DARK)}color-scheme:dark light}}"
        f"@media (prefers-color-scheme:light){{:root{{{block(LIGHT)}color-scheme:light}}}}"
        f"@media print{{:root{{{block(LIGHT)}}}}}"
    )
