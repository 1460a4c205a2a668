"""SVG as text. Whatever is written into it is escaped, and what XML cannot carry is left out."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

_NOT_XML = re.compile("[^\t\n\r -퟿-�\U00010000-\U0010ffff]")


class Svg(str):
    """A piece of a picture, already escaped."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: str | float | None) -> Svg:
    """`class_` is the attribute `class`, other underscores are hyphens; None leaves an attribute out."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_clean(_number(value)))}"
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(child if isinstance(child, Svg) else escape(_clean(child)) for child in children)
    return Svg(f"<{name}{written}>{inner}</{name}>")


def picture(width: float, height: float, title: str, *children: str) -> str:
    return element(
        "svg", element("title", title), *children,
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {_number(width)} {_number(height)}", role="img",
        font_family="Source Serif, Georgia, serif",
    )  # fmt: skip


def short(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"


def _clean(text: str) -> str:
    return _NOT_XML.sub("", text)


def _number(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
