"""Completion in script: the names of packages, and those that the text binds.

In: the names of a text, and the line up to the cursor.  Out: items.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from lsprotocol import types as lsp

from .hover import signature_of, summary_of
from .known_names import PACKAGES, STATEMENTS, known_names, split_path
from .names import Names
from .scopes import Definition

__all__ = ["completions"]

_MEMBER = re.compile(r"([A-Za-z_]\w*(?:\.\w+)*)\.\w*$")
_KINDS = {
    "module": lsp.CompletionItemKind.Class,
    "function": lsp.CompletionItemKind.Function,
    "parameter": lsp.CompletionItemKind.Variable,
    "variable": lsp.CompletionItemKind.Variable,
}


def completions(names: Names, line: int, before: str) -> list[lsp.CompletionItem]:
    """Return the names that may end a line.

    Parameters
    ----------
    names
        Those of the text.
    line
        The line, 1-based.
    before
        The line up to the cursor.
    """
    if "#" in before or before.count('"') % 2 or before.count("'") % 2:
        return []  # In a comment or a text.
    member = _MEMBER.search(before)
    if member is None:
        found = {one.name: one for one in names.definitions if _is_seen(one, line)}
        packages = [
            lsp.CompletionItem(name, kind=lsp.CompletionItemKind.Module) for name in PACKAGES
        ]
        return [*(_item(one) for one in found.values()), *packages]
    split = split_path(names, f"{member[1]}.name")
    if split is not None:
        return [*_members(split[0])]
    owned = (one for one in names.definitions if one.owner and one.owner.kind == "module")
    return [_item(one) for one in owned if one.owner and one.owner.name == member[1]]


def _is_seen(definition: Definition, line: int) -> bool:
    """Return whether a function around a line, or no function, has the definition."""
    owner = definition.owner
    if owner is None or owner.kind == "module":
        return owner is None
    return owner.extent.line <= line <= owner.extent.end_line + 1


def _item(definition: Definition) -> lsp.CompletionItem:
    return lsp.CompletionItem(definition.name, kind=_KINDS[definition.kind])


@cache
def _members(package: str) -> tuple[lsp.CompletionItem, ...]:
    return tuple(_member_items(package))


def _member_items(package: str) -> Iterator[lsp.CompletionItem]:
    module = import_module(f"uir.{package}")
    for name in known_names(package):
        found = getattr(module, name, None)
        detail = signature_of(found) if callable(found) else ""
        text = summary_of(found) if callable(found) else STATEMENTS.get(f"{package}.{name}", "")
        kind = lsp.CompletionItemKind.Function
        yield lsp.CompletionItem(name, kind=kind, detail=detail, documentation=text)
