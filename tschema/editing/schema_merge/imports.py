"""Three-way merging of a file's imports from one module.

In: three statements.  Out: one.
"""

from __future__ import annotations

from collections.abc import Sequence

from tschema.editing.schema_merge.item import Item, cut_lines

_WIDTH = 100
"""Columns of the longest statement that is written on one line."""


def merge_imports(base: Item | None, ours: Item, theirs: Item) -> str | None:
    """
    Return a statement with the names of both sides.

    Parameters
    ----------
    base, ours, theirs
        The statements; each imports from the same module.

    Returns
    -------
    text
        None if there is a comment among the names.
    """
    if "#" in ours.text + theirs.text:
        return None
    was = base.names if base is not None else ()
    gone = {name for name in was if name not in ours.names or name not in theirs.names}
    names = [name for name in ours.names if name not in gone]
    names += [name for name in theirs.names if name not in {*gone, *names}]
    if not names:
        return None
    if all([*one.names] == sorted(one.names, key=sort_key) for one in (ours, theirs)):
        names.sort(key=sort_key)
    line_end = "\r\n" if ours.text.endswith("\r\n") else "\n"
    is_long = any(len(cut_lines(one.text)) > 1 for one in (ours, theirs))
    return _written(ours.key, names, line_end, is_long=is_long)


def sort_key(name: str) -> tuple[int, str]:
    """Return by what linters sort imported names: constants, classes, then others."""
    if name.isupper() and len(name) > 1:
        return 0, name
    return (1 if name[:1].isupper() else 2), name


def _written(head: str, names: Sequence[str], line_end: str, *, is_long: bool) -> str:
    line = f"{head} import {', '.join(names)}"
    if not is_long and len(line) <= _WIDTH:
        return line + line_end
    lines = [f"{head} import (", *(f"    {name}," for name in names), ")"]
    return "".join(one + line_end for one in lines)
