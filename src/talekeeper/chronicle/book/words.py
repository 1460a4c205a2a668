"""Small words of the book: a list of names, the name of a task."""

from __future__ import annotations

from collections.abc import Sequence

from ..sifter.record import Record


def task_name(record: Record) -> str:
    """The task as a reader may see it, "" when it is only a stand-in for one."""
    task = str(record.get("task") or "")
    return "" if task.startswith("@") else task


def names(all_of_them: Sequence[str], most: int = 4) -> str:
    if not all_of_them:
        return "nobody"
    shown = list(all_of_them[:most])
    left = len(all_of_them) - len(shown)
    if left == 1:
        shown.append(all_of_them[most])
    elif left:
        shown.append(f"{left} others")
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else shown[0]
