"""Calls of operators in files of older versions: the tables that bring them to the form of now.

In: the operators of a schema file in the JSON IR.  Out: a view of ready-made rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.backends.base import View
from tschema.backends.cpp import names
from tschema.backends.cpp.rows import row
from tschema.backends.cpp.scope import Scope
from tschema.ir.casing import camel_case
from tschema.ir.model import Namespace, Operator, StoredArgument, StoredCall

_TABLE = "uir.ir."
"""Where the compiler core declares the rows."""


def stored_calls_view(space: Namespace, scope: Scope) -> View:
    """Return the view of the forms that the operators of a file had."""
    tables: list[View] = []
    rows = [cells for one in space.operators for cells in _rows(one, scope, tables)]
    return View(
        type=scope.name(f"{_TABLE}StoredCallRow"),
        variable=f"{names.tables_prefix(space)}StoredCalls",
        rows=rows,
        arguments=tables,
        add=scope.name(f"{_TABLE}AddStoredCalls"),
    )


def _rows(operator: Operator, scope: Scope, tables: list[View]) -> Iterator[str]:
    """Yield the rows of an operator, and add the tables that they name."""
    for index, form in enumerate(operator.stored_calls):
        cells = [names.string_literal(name) for name in (operator.key or operator.name, form.name)]
        if form.num_arguments is not None:
            table = _arguments(form, f"k{camel_case(operator.name)}Upgrade{index}", scope)
            tables.append(table)
            cells += [str(form.num_arguments), table.variable]
        yield row(*cells)


def _arguments(form: StoredCall, variable: str, scope: Scope) -> View:
    type_ = scope.name(f"{_TABLE}UpgradedArgument")
    rows = [_argument(one, f"{type_}::Kind") for one in form.arguments]
    return View(type=type_, variable=variable, rows=rows)


def _argument(argument: StoredArgument, kind: str) -> str:
    value = argument.constant
    if argument.stored is not None:
        return f"{kind}::kStored, int64_t{{{argument.stored}}}"
    if isinstance(value, bool):
        return f"{kind}::kBool, int64_t{{{int(value)}}}"
    if isinstance(value, int):
        return f"{kind}::kInt, int64_t{{{value}}}"
    if isinstance(value, float):
        return f"{kind}::kFloat, {value!r}"
    return f"{kind}::kText, {names.string_literal(value)}" if value is not None else ""
