"""Checks of documentation: missing entries, and entries for unknown names.

In: resolved files.  Out: diagnostics; missing documentation is a warning.
"""

from __future__ import annotations

from collections.abc import Iterable

from tschema.diagnostics.errors import Reporter, suggest
from tschema.ir.declarations import ClassDecl, Docstring, FunctionDecl
from tschema.passes.program import Node, ResolvedFile


def check_documentation(files: Iterable[ResolvedFile], reporter: Reporter) -> None:
    """Report documented names that do not exist, and declarations without documentation."""
    for file in files:
        for node in file.nodes:
            if node.decl is not None:
                _check_class(node.decl, node, reporter)
        for decl, _ in file.enums:
            names = [one.name for one in decl.assignments]
            _check_items(decl.doc, names, "enum", decl.name, "member", reporter)
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
    _check_items(decl.doc, own, "class", decl.name, "field", reporter)
    _require(decl.doc, f"class `{decl.name}`", decl, reporter)
    _require_fields(decl, node, reporter)
    for method in decl.methods:
        _check_function(method, "method", reporter)


def _require_fields(decl: ClassDecl, node: Node, reporter: Reporter) -> None:
    for info in node.fields:
        if not info.model.doc and info.decl is not None:
            name = info.model.name
            reporter.warning(
                "TS036",
                f"field `{name}` of `{decl.name}` has no documentation",
                info.decl.place,
                help=f"describe `{name}` in the `Attributes` of `{decl.name}`",
            )


def _check_function(decl: FunctionDecl, noun: str, reporter: Reporter) -> None:
    names = [param.name for param in decl.params]
    for item in decl.doc.params:
        if item.name not in names:
            reporter.error(
                "TS035",
                f"unknown parameter `{item.name}` in `Parameters` of {noun} `{decl.name}`",
                item.place,
                help=suggest(item.name, names),
            )
    _require(decl.doc, f"{noun} `{decl.name}`", decl, reporter)


def _check_items(
    doc: Docstring, names: Iterable[str], noun: str, owner: str, what: str, reporter: Reporter
) -> None:
    known = set(names)
    for item in doc.attributes:
        if item.name not in known:
            reporter.error(
                "TS035",
                f"unknown {what} `{item.name}` in `Attributes` of {noun} `{owner}`",
                item.place,
                help=suggest(item.name, known),
            )


def _require(doc: Docstring, what: str, decl: ClassDecl | FunctionDecl, reporter: Reporter) -> None:
    if not doc.text:
        reporter.warning(
            "TS036", f"{what} has no documentation", decl.place, help="write a docstring"
        )
