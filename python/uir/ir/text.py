"""Script as the text of nodes: `str` and notebooks show it, `repr` does not change.

The printer and the highlighter of `uir.script` are imported when the first node is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

__all__ = ["install_text"]


def install_text(classes: Sequence[type], *, declarations: bool) -> None:
    """Make `str` and notebooks show the objects of classes as script.

    Parameters
    ----------
    classes
        Their subclasses inherit the methods.
    declarations
        Whether the text declares free variables first.
    """

    def text(node: object) -> str:
        return str(import_module("uir.script").print(node, declarations=declarations))

    def html(node: object) -> str:
        return str(import_module("uir.script.highlight").as_html(text(node)))

    for cls in classes:
        setattr(cls, "__str__", text)  # noqa: B010
        setattr(cls, "_repr_html_", html)  # noqa: B010
