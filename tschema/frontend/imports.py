"""Import statements of schema files.

In: `import` and `from ... import` statements.  Out: `ImportDecl`s with absolute modules.  It does
not know which modules exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tschema.declarations import ImportDecl
from tschema.errors import Reporter
from tschema.frontend.positions import Locator
from tschema.frontend.types import dotted_name

__all__ = ["parse_import"]


def parse_import(
    statement: cst.Import | cst.ImportFrom, module: str, locator: Locator, reporter: Reporter
) -> Iterator[ImportDecl]:
    """Yield what a statement of a module imports."""
    if isinstance(statement, cst.Import):
        yield from _import(statement, locator)
    elif isinstance(statement.names, cst.ImportStar):
        reporter.error(
            "TS003",
            "wildcard import in a schema file",
            locator.place(statement),
            help="import each name",
        )
    else:
        yield from _import_from(statement, statement.names, module, locator)


def _import(statement: cst.Import, locator: Locator) -> Iterator[ImportDecl]:
    for alias in statement.names:
        name = dotted_name(alias.name) or ""
        place = locator.place(alias.name)
        local = _local(alias)
        if local:
            yield ImportDecl(local, name, None, place)
        else:
            head = name.partition(".")[0]
            yield ImportDecl(head, head, None, place)


def _import_from(
    statement: cst.ImportFrom,
    aliases: Sequence[cst.ImportAlias],
    module: str,
    locator: Locator,
) -> Iterator[ImportDecl]:
    source = dotted_name(statement.module) if statement.module else None
    if statement.relative:
        parents = module.split(".")[: -len(statement.relative)]
        source = ".".join([*parents, *([source] if source else [])])
    for alias in aliases:
        name = dotted_name(alias.name) or ""
        yield ImportDecl(_local(alias) or name, source or "", name, locator.place(alias.name))


def _local(alias: cst.ImportAlias) -> str | None:
    return dotted_name(alias.asname.name) if alias.asname else None
