"""Pages of the sources that other pages link to: tests, recipes, notebooks and folders.

In: the text of pages.  Out: a page for each linked file that is no page itself, with a heading for
each function of Python, so that a link to a test leads to it. The page of a notebook shows its run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from os.path import normpath
from pathlib import Path, PurePosixPath

from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

from .addresses import ROOT
from .notebooks import notebook_page

__all__ = ["NO_SEARCH", "linked_sources", "links", "source_page"]

_CODE = re.compile(r"^( *)(`{3,}|~{3,}).*?^\1\2$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
_LEFT_OUT = frozenset({"__pycache__", "build", "target", "generated"})
NO_SEARCH = "---\nsearch:\n  exclude: true\n---\n"
"""The head of pages without search. Sources would hide the others among the results."""


def linked_sources(texts: Iterable[tuple[str, str]], pages: Iterable[str]) -> list[str]:
    """
    Return the files and folders that pages link to, and what these folders hold.

    Parameters
    ----------
    texts
        The path and the Markdown of each page.
    pages
        The paths that are pages.
    """
    known = set(pages)
    waiting = [link for path, text in texts for link in links(path, text)]
    found: list[str] = []
    while waiting:
        path = waiting.pop()
        if path not in known and (ROOT / path).exists():
            known.add(path)
            found.append(path)
            waiting += [f"{path}/{name}" for name in _entries(ROOT / path)]
    return sorted(found)


def links(path: str, text: str) -> list[str]:
    """Return the paths in the repository that a page links to."""
    found = _LINK.findall(_CODE.sub("", text))
    return [normpath(PurePosixPath(path).parent / link) for link in found if "://" not in link]


def _entries(path: Path) -> list[str]:
    """Return the names of what a folder holds; none for a file."""
    if not path.is_dir():
        return []
    return sorted(one.name for one in path.iterdir() if one.name not in _LEFT_OUT)


def source_page(path: str) -> str:
    """Return the Markdown of the page that shows a file or a folder of the repository."""
    name = PurePosixPath(path).name
    if (ROOT / path).is_dir():
        lines = (f"- [`{entry}`]({name}/{entry})\n" for entry in _entries(ROOT / path))
        return f"{NO_SEARCH}# `{path}`\n\n{''.join(lines)}"
    if path.endswith(".ipynb"):
        return f"{NO_SEARCH}{notebook_page(ROOT / path)}"
    text = (ROOT / path).read_text()
    if path.endswith(".py"):
        return f"{NO_SEARCH}# `{path}`\n\n{_definitions(text)}"
    return f"{NO_SEARCH}# `{path}`\n\n{_block(text, _language(name), 1)}"


def _language(name: str) -> str:
    try:
        return str(get_lexer_for_filename(name).aliases[0])
    except ClassNotFound:
        return "text"


def _definitions(text: str) -> str:
    """Return the parts of a Python file, those that define a function or a class with a heading."""
    lines = text.splitlines(keepends=True)
    starts = [(0, "")]
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            starts.append((first - 1, f"## `{node.name}`\n\n"))
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    return "".join(
        heading + _block("".join(lines[start:end]), "python", start + 1)
        for (start, heading), end in zip(starts, ends, strict=True)
        if start < end
    )


def _block(text: str, language: str, first: int) -> str:
    return f'~~~~~~{language} linenums="{first}"\n{text.rstrip()}\n~~~~~~\n\n'
