"""One script out of many modules: the files stay what they are, the wire carries one, and fifty requests less.

Every module becomes a block of its own, what it exports a name they all see. That asks for little, and it is checked:
imports are written on one line by name, exports stand before their declaration, and no two modules export the same name.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:(?:const|let) (\w+) =|(async function|function|class) (\w+))", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def join(modules: Mapping[str, str], start: str) -> str:
    """`start` and all it imports, in the order in which they would run."""
    names: dict[str, str] = {}
    blocks = []
    for name in _in_order(modules, start):
        for export in _EXPORT.finditer(modules[name]):
            exported = export[1] or export[3]
            if names.setdefault(exported, name) != name:
                raise ValueError(f"{exported} is exported by {names[exported]} and by {name}")
        body = _EXPORT.sub(_assigned, _IMPORT.sub("", modules[name]))
        if left := _LEFT_OVER.search(body):
            raise ValueError(f"{name}: {left[0]!r} is not written so that it can be joined")
        blocks.append(f"{{ // {name}\n{body}}}\n")
    listed = ", ".join(names)
    return f"let {listed};\n{''.join(blocks)}export {{ {listed} }};\n"


def on_its_own(modules: Mapping[str, str], name: str, start: str) -> str:
    """A module that is fetched later: what it imports comes from the joined script."""
    joined = set(_in_order(modules, start))

    def redirected(found: re.Match[str]) -> str:
        target = _resolved(name, found[2])
        where = posixpath.relpath(start if target in joined else target, posixpath.dirname(name))
        return f'import {{{found[1]}}} from "{where if where.startswith(".") else f"./{where}"}";\n'

    return _IMPORT.sub(redirected, modules[name])


def _in_order(modules: Mapping[str, str], start: str) -> Iterator[str]:
    seen: set[str] = set()

    def visit(name: str) -> Iterator[str]:
        if name in seen:
            return
        seen.add(name)
        for found in _IMPORT.finditer(modules[name]):
            yield from visit(_resolved(name, found[2]))
        yield name

    yield from visit(start)


def _resolved(name: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), target))


def _assigned(export: re.Match[str]) -> str:
    return f"{export[1]} =" if export[1] else f"{export[3]} = {export[2]} {export[3]}"
