"""The order of the pages: the chapters of docs/SUMMARY.md, the reference, the project.

In: the summary, the names of generated pages.  Out: what MkDocs calls `nav`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from .addresses import ROOT, SUMMARY, pages

__all__ = ["navigation", "paths_in"]

Nav: TypeAlias = "list[str | dict[str, Nav]]"

_ENTRY = re.compile(r"^( *)- \[(.+)\]\((.+)\)$", re.MULTILINE)
_PROJECT = ("ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md", "CHANGELOG.md")


def navigation(modules: Iterable[str]) -> Nav:
    """Return the tree of the navigation.

    Parameters
    ----------
    modules
        The modules of the Python API.
    """
    chapters = _chapters()
    namespaces = [path for path in pages() if path.startswith("generated/docs/uir.")]
    chapters["Reference"] += [
        {"Nodes": ["generated/docs/index.md", *namespaces]},
        "generated/docs/operators.md",
        "reference/registry.md",
        "reference/passes.md",
        "reference/commands.md",
        {"Python": [f"reference/python/{name}.md" for name in modules]},
        "reference/rust.md",
    ]
    return [
        "README.md",
        *({title: nav} for title, nav in chapters.items()),
        {"Project": [*_PROJECT]},
    ]


def _chapters() -> dict[str, Nav]:
    """Return the pages of each chapter, the index first."""
    found: dict[str, Nav] = {}
    for indent, title, path in _ENTRY.findall((ROOT / SUMMARY).read_text()):
        if not indent:
            chapter = found.setdefault(title, [])
        chapter.append(f"docs/{path}")
    return found


def paths_in(nav: Nav) -> Iterator[str]:
    """Yield the path of each page of a navigation."""
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        else:
            for below in entry.values():
                yield from paths_in(below)
