"""Rust code within the line width, with rustfmt's layout.

In: the parts of a signature, a call or a list.  Out: text, indented by the caller's template.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

_COLUMNS = 100
_CALL_COLUMNS = 60
"""Columns that the arguments of a call may take before each gets a line of its own."""


def signature(head: str, params: Sequence[str], returns: str, indent: int) -> str:
    """
    Return a function's signature, up to the opening brace.

    Parameters
    ----------
    params
        `value: i64`, one for each parameter.
    returns
        The result's type; empty if there is none.
    indent
        Columns before the signature, which the text does not include.
    """
    tail = f" -> {returns} {{" if returns else " {"
    line = f"{head}({', '.join(params)}){tail}"
    if indent + len(line) <= _COLUMNS or not params:
        return line
    return f"{head}({_each_on_a_line(params, trailing=True)}){tail}"


def call(macro: str, args: Sequence[str], indent: int) -> str:
    """Return a call of a macro in parentheses, as wide as rustfmt lets it be."""
    joined = ", ".join(args)
    if len(joined) <= _CALL_COLUMNS and indent + len(macro) + len(joined) + 2 <= _COLUMNS:
        return f"{macro}({joined})"
    return f"{macro}({_each_on_a_line(args, trailing=False)})"


def listed(head: str, items: Sequence[str], tail: str, indent: int) -> str:
    """Return items between `head` and `tail`, on one line or in filled lines below the head."""
    line = f"{head}{', '.join(items)}{tail}"
    if indent + len(line) <= _COLUMNS:
        return line
    filled = _filled(items, _COLUMNS - indent - 4)
    return f"{head.rstrip()}\n{textwrap.indent(filled, '    ')}\n{tail.lstrip()}"


def use_lines(names: dict[str, str]) -> tuple[str, ...]:
    """Return the sorted `use` lines for imported names, given the modules they come from."""
    by_path: dict[str, list[str]] = {}
    for name, path in names.items():
        by_path.setdefault(path, []).append(name)
    return tuple(_use_line(path, by_path[path]) for path in sorted(by_path, key=_path_order))


def _use_line(path: str, names: list[str]) -> str:
    if len(names) == 1:
        return f"use {path}::{names[0]};"
    ordered = sorted(names, key=_name_order)
    line = f"use {path}::{{{', '.join(ordered)}}};"
    if len(line) <= _COLUMNS:
        return line
    filled = textwrap.indent(_filled(ordered, _COLUMNS - 4), "    ")
    return f"use {path}::{{\n{filled}\n}};"


def _filled(items: Iterable[str], width: int) -> str:
    """Fill lines with items and their commas; no item is broken."""
    lines = [""]
    for item in items:
        longer = f"{lines[-1]} {item},".lstrip()
        if len(longer) > width and lines[-1]:
            lines.append(f"{item},")
        else:
            lines[-1] = longer
    return "\n".join(lines)


def _each_on_a_line(items: Sequence[str], *, trailing: bool) -> str:
    separated = ",\n".join(items) + ("," if trailing else "")
    return f"\n{textwrap.indent(separated, '    ')}\n"


def _path_order(path: str) -> tuple[tuple[bool, bool, str], ...]:
    """Order paths as rustfmt does: `super` first, then `crate`."""
    return tuple((part != "super", part != "crate", part) for part in path.split("::"))


def _name_order(name: str) -> tuple[bool, bool, str]:
    """Order names as rustfmt does: lower case, camel case, upper case."""
    is_upper = all(char.isupper() or char.isdigit() or char == "_" for char in name)
    return not name[:1].islower(), is_upper, name
