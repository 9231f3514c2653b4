"""The reference of operators: a page for each, and a table of the features of each one.

In: the JSON IR and the target's folder.  Out: Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from tschema.backends.base import OutputFile, View, source_roots
from tschema.backends.docs.markdown import cell, code
from tschema.backends.docs.names import INDEX, References, page_file
from tschema.backends.docs.shape_pictures import shape_picture
from tschema.backends.docs.view import function_view
from tschema.emit.render import Renderer
from tschema.ir.model import Function, Namespace, Operator, Schema

TABLE = "operators.md"
_FOLDER = "operators"
_IMPORTERS = ("onnx", "torch")
_COMPUTES = ("scalar", "compute", "decompose")


class _FromFolder(References, frozen=True, dict=True):
    """The names and links of declarations on a page in the folder of operators."""

    def target(self, key: str) -> str | None:
        """Return the target of a link to a declaration."""
        found = super().target(key)
        return None if found is None else f"../{found}"


def operator_files(schema: Schema, folder: PurePosixPath, renderer: Renderer) -> list[OutputFile]:
    """Return the pages of a package's operators, and their table."""
    found = [(space, one) for space in schema.namespaces for one in space.operators]
    if not found:
        return []
    rows = sorted((_row(space, one, schema) for space, one in found), key=lambda row: row.name)
    table = renderer.render("docs/operators.md.jinja", rows=rows, sources=source_roots(schema))
    files = [OutputFile(folder / TABLE, "docs", table)]
    refs = _FromFolder(schema)
    for space, operator in found:
        page = renderer.render(
            "docs/operator.md.jinja", operator=_page(space, operator, refs), source=space.source
        )
        files.append(OutputFile(folder / _path(space, operator), "docs", page))
    return files


def _path(space: Namespace, operator: Operator) -> str:
    return f"{_FOLDER}/{space.name}.{operator.name}.md"


def _function(space: Namespace, operator: Operator, schema: Schema) -> Function:
    return schema.function(f"{space.name}.{operator.name}")


def _row(space: Namespace, operator: Operator, schema: Schema) -> View:
    rules = operator.rules
    computes = [name for name in _COMPUTES if name in rules]
    by_hand = "C++" if operator.custom or operator.relation == "custom" else ""
    dialect = schema.dialect(space.name)
    tests = (dialect.tests or "").replace("{operator}", operator.name) if dialect else ""
    summary = _function(space, operator, schema).doc.partition("\n\n")[0]
    return View(
        name=operator.key or f"{space.name}.{operator.name}",
        link=f"[{code(operator.key or operator.name)}]({_path(space, operator)})",
        summary=cell(summary, lambda _: None),
        kind=operator.kind or "",
        rule=code(operator.relation) if operator.relation else "",
        computes=", ".join(computes),
        importers=", ".join(code(rules[name]) for name in _IMPORTERS if name in rules),
        tests=code(tests) if tests else "",
        by_hand=by_hand,
    )


def _page(space: Namespace, operator: Operator, refs: _FromFolder) -> View:
    function = _function(space, operator, refs.schema)
    return View(
        title=operator.key or function.key,
        function=function_view(function, refs),
        home=f"[`{space.name}`](../{page_file(space.name)}#{function.key})",
        index=f"../{INDEX}",
        table=f"../{TABLE}",
        picture=shape_picture(operator, function),
        facts=list(_facts(operator)),
    )


def _facts(operator: Operator) -> Iterator[tuple[str, str]]:
    """Yield the facts of the declaration, each with its name."""
    for operand in operator.operands:
        many = ", any number" if operand.variadic else ", optional" if operand.optional else ""
        yield f"Operand {code(operand.name)}", f"{code(operand.dtype)}{many}"
    names = {
        "relation": "Shapes", "require": "Requires", "result": "Data type of the result",
        "scalar": "Element", "compute": "Element with its indices", "decompose": "Made of",
        "kind": "Kind", "effect": "Effect", "onnx": "ONNX", "torch": "PyTorch", "since": "Since",
    }  # fmt: skip
    for name, title in names.items():
        if name in operator.rules:
            yield title, "<br>".join(map(code, operator.rules[name].split("; ")))
    if operator.attrs is not None:
        yield "Attributes", code(operator.attrs)
    if operator.builds is not None:
        yield "Builds", code(operator.builds)
    for trait in operator.traits:
        yield code(trait.name), code(str(trait.value))
