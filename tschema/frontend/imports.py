"""Import statements of schema files.

In: `import` and `from ... import` statements.  Out: `ImportDecl`s with absolute modules.  It does
not know which modules exist.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tschema.diagnostics.errors import Reporter
from tschema.frontend.places import Locator
from tschema.ir.declarations import ImportDecl


def parse_import(
    statement: ast.Import | ast.ImportFrom, module: str, locator: Locator, reporter: Reporter
) -> Iterator[ImportDecl]:
    """Yield the imports of a statement of a module."""
    if isinstance(statement, ast.Import):
        yield from _import(statement, locator)
    elif statement.names[0].name == "*":
        reporter.error(
            "TS003",
            "wildcard import in a schema file",
            locator.place(statement),
            help="import each name",
        )
    else:
        yield from _import_from(statement, module, locator)


def _import(statement: ast.Import, locator: Locator) -> Iterator[ImportDecl]:
    for alias in statement.names:
        place = locator.start(alias, alias.name)
        if alias.asname:
            yield ImportDecl(alias.asname, alias.name, None, place)
        else:
            head = alias.name.partition(".")[0]
            yield ImportDecl(head, head, None, place)


def _import_from(statement: ast.ImportFrom, module: str, locator: Locator) -> Iterator[ImportDecl]:
    source = statement.module
    if statement.level:
        parents = module.split(".")[: -statement.level]
        source = ".".join([*parents, *([source] if source else [])])
    for alias in statement.names:
        place = locator.start(alias, alias.name)
        yield ImportDecl(alias.asname or alias.name, source or "", alias.name, place)
