"""Tables of text."""

from __future__ import annotations

from collections.abc import Iterable

from tschema.command_line import CONTROLS

__all__ = ["rows_text", "size_text"]


def rows_text(given: Iterable[tuple[str, str]]) -> str:
    """Return lines of names and values; a name that is empty continues the row above.

    Characters that a terminal would not show, which names of inputs may have, become codes.
    """
    rows = list(given)
    width = max(len(name) for name, _ in rows)
    lines = (f"{name:{width}}  {value}".replace("\n", "\\n") for name, value in rows)
    return "\n".join(lines).translate(CONTROLS)


def size_text(count: int) -> str:
    """Return a number of bytes with a unit of 1024, such as `1.5 KiB`."""
    size, unit = float(count), "B"
    for larger in ("KiB", "MiB", "GiB"):
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
