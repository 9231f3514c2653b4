"""Checks of documentation: missing entries, and entries for unknown names.

In: resolved files.  Out: diagnostics; missing documentation is a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import Document, Help, suggest
from tschema.ir.declarations import ClassDecl, DocItem, Docstring, FunctionDecl
from tschema.passes.resolved import Node, ResolvedFile


def check_documentation(files: Iterable[ResolvedFile], reporter: Reporter) -> None:
    """Report documented names that do not exist, and declarations without documentation."""
    for file in files:
        for node in file.nodes:
            if node.decl is not None:
                _check_class(node.decl, node, reporter)
        for decl, _ in file.enums:
            names = [one.name for one in decl.assignments]
            where = f"`Attributes` of enum `{decl.name}`"
            _check_items(decl.doc.attributes, names, "member", where, reporter)
            _require(decl.doc, f"enum `{decl.name}`", decl, reporter)
        for function in file.decl.functions:
            _check_function(function, "function", reporter)


def _check_class(decl: ClassDecl, node: Node, reporter: Reporter) -> None:
    inherited = {info.model.name for one in node.ancestors() for info in one.fields}
    names = [field.name for field in decl.fields]
    for item in decl.doc.attributes:
        if item.name in inherited and item.name not in names:
            reporter.error(
                "TS035",
                f"`Attributes` of `{decl.name}` documents `{item.name}`, which it inherits",
                item.place,
                help=f"restate `{item.name}` in `{decl.name}`, or remove the entry",
            )
    own = [*names, *inherited] if not decl.broken else [item.name for item in decl.doc.attributes]
    where = f"`Attributes` of class `{decl.name}`"
    _check_items(decl.doc.attributes, own, "field", where, reporter)
    _require(decl.doc, f"class `{decl.name}`", decl, reporter)
    _require_fields(decl, node, reporter)
    for method in decl.methods:
        _check_function(method, "method", reporter)


def _require_fields(decl: ClassDecl, node: Node, reporter: Reporter) -> None:
    for info in node.fields:
        if not info.model.doc and info.decl is not None and info.registered:
            name = info.decl.name
            reporter.warning(
                "TS036",
                f"field `{name}` of `{decl.name}` has no documentation",
                info.decl.place,
                help=Help(
                    f"describe `{name}` in the `Attributes` of `{decl.name}`",
                    Document(f"The {_words(name)}.", entry=name),
                ),
            )


def _check_function(decl: FunctionDecl, noun: str, reporter: Reporter) -> None:
    names = [param.name for param in decl.params]
    where = f"`Parameters` of {noun} `{decl.name}`"
    _check_items(decl.doc.params, names, "parameter", where, reporter)
    _require(decl.doc, f"{noun} `{decl.name}`", decl, reporter)


def _check_items(
    items: Iterable[DocItem], names: Iterable[str], noun: str, where: str, reporter: Reporter
) -> None:
    known = set(names)
    for item in items:
        if item.name not in known:
            message = f"unknown {noun} `{item.name}` in {where}"
            reporter.error("TS035", message, item.place, help=suggest(item.name, known))


def _require(doc: Docstring, what: str, decl: ClassDecl | FunctionDecl, reporter: Reporter) -> None:
    if not doc.text:
        help = Help("write a docstring", Document(_summary(decl)))
        reporter.warning("TS036", f"{what} has no documentation", decl.place, help)


def _summary(decl: ClassDecl | FunctionDecl) -> str:
    """Return the words of a declaration's name as a first summary for its author to extend."""
    if isinstance(decl, FunctionDecl):
        return f"{_words(decl.name).capitalize()}."
    words = _words(decl.name.removesuffix("Node"))
    return f"{'An' if words[:1] in 'aeiou' else 'A'} {words}."


def _words(name: str) -> str:
    """Return a name as words: `true_value` and `TrueValue` as `true value`."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)
    return " ".join(part if part[1:].isupper() else part.lower() for part in parts)
