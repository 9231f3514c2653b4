"""Pages of notebooks: their text, their code, and the values of their cells.

In: a notebook without outputs.  Out: Markdown, with values as notebooks show them. The cells run
when the site is built, so that a cell that fails stops the build.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["code_cells", "notebook_page", "run_cell"]


def notebook_page(path: Path) -> str:
    """Return the Markdown of a notebook, whose cells run in an empty folder."""
    scope: dict[str, object] = {}
    with _empty_folder():
        return "\n\n".join(
            f"~~~~~~python\n{text}\n~~~~~~\n\n{_shown(run_cell(text, scope))}" if is_code else text
            for is_code, text in _cells(path)
        )


def code_cells(path: Path) -> list[str]:
    """Return the code of each cell of a notebook."""
    return [text for is_code, text in _cells(path) if is_code]


def run_cell(text: str, scope: dict[str, object]) -> object:
    """Run a cell, and return its value: that of its last expression."""
    *statements, last = ast.parse(text).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(statements, []), "<cell>", "exec"), scope)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), scope)


def _cells(path: Path) -> Iterator[tuple[bool, str]]:
    """Yield whether a cell has code, and its text."""
    for cell in json.loads(path.read_text())["cells"]:
        yield cell["cell_type"] == "code", "".join(cell["source"])


def _shown(value: object) -> str:
    """Return a value as HTML, or as a block of text."""
    to_html = getattr(value, "_repr_html_", None)
    # One block of HTML for Markdown, in which nothing else is Markdown.
    return f"~~~~~~text\n{value!r}\n~~~~~~" if to_html is None else f"<div>\n{to_html()}\n</div>"


@contextmanager
def _empty_folder() -> Iterator[None]:
    before = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)
