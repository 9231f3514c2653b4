"""Script as the text of nodes, in `str`, `repr` and notebooks.

The printer and the highlighter of `uir.script` are imported when the first node is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from tschema.runtime.protocols import field_text

__all__ = ["install_text"]

_MOST_LINES = 30
"""The number of lines that `repr` shows of a script."""

_MOST_CHARACTERS = 200
"""The number of characters that `repr` shows of a line."""


def install_text(classes: Sequence[type], *, declarations: bool) -> None:
    """Make `str`, `repr` and notebooks show the objects of classes as script.

    `repr` shows a part of a long script, and the fields of an object that has none.

    Parameters
    ----------
    classes
        Their subclasses inherit the methods.
    declarations
        Whether the text declares free variables first.
    """

    def text(node: object, *, meta: bool = True) -> str:
        script = import_module("uir.script")
        return str(script.print(node, meta=meta, declarations=declarations))

    def html(node: object) -> str:
        return str(import_module("uir.script.highlight").as_html(text(node)))

    def short_text(node: object) -> str:
        try:
            found = text(node, meta=False)
        except Exception:  # A form of a user may raise anything; debuggers need some text.
            found = field_text(node)
        return shortened(found)

    for cls in classes:
        setattr(cls, "__str__", text)  # noqa: B010
        setattr(cls, "__short_repr__", short_text)  # noqa: B010
        setattr(cls, "_repr_html_", html)  # noqa: B010


def shortened(text: str) -> str:
    """Return the start of a text: 30 lines of up to 200 characters, with marks where it is cut."""
    lines = text.split("\n")
    shown = [
        line if len(line) <= _MOST_CHARACTERS else f"{line[:_MOST_CHARACTERS]}..."
        for line in lines[:_MOST_LINES]
    ]
    if len(lines) > _MOST_LINES:
        shown.append(f"# {len(lines) - _MOST_LINES} more lines, which `print` shows")
    return "\n".join(shown)
