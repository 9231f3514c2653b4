"""The operators of relay as the JSON IR declares them.

In: `generated/schema.json`.  Out: a record for each operator.  Needs nothing but Python, so that
builds can run it.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = Path(__file__).resolve().parents[2] / "generated" / "schema.json"


class Operand(NamedTuple):
    """An operand: `T: float` has the variable `T` and accepts `float`; `bool` has no variable."""

    name: str
    variable: str
    accepted: str
    optional: bool
    variadic: bool


class Parameter(NamedTuple):
    """A parameter of the function that makes a call: an operand or an attribute."""

    name: str
    type: dict[str, Any]
    has_default: bool
    default: Any
    kw_only: bool


class Operator(NamedTuple):
    """An operator; `parameters` are those of its function, without `span`."""

    name: str
    file: str
    operands: list[Operand]
    parameters: list[Parameter]
    relation: str
    require: str
    traits: dict[str, Any]
    function: dict[str, Any]

    @property
    def attributes(self) -> list[Parameter]:
        """The parameters that are no operands."""
        operands = {operand.name for operand in self.operands}
        return [one for one in self.parameters if one.name not in operands]


BINDING = ("first_rows",)
"""Operators that bind a dimension, which random calls do not; `test_operator_bounds.py` does."""


@cache
def operators() -> dict[str, Operator]:
    """Return the operators of relay that have a relation, by name, in order of the schema."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return {
        declared["name"]: _operator(declared, namespace)
        for namespace in schema["namespaces"]
        if namespace["name"] == "uir.relay"
        for declared in namespace.get("operators", [])
        if "relation" in declared and declared["name"] not in BINDING
    }


def _operator(declared: dict[str, Any], namespace: dict[str, Any]) -> Operator:
    name = declared["name"]
    function = next(one for one in namespace["functions"] if one["name"] == name)
    parameters = [
        Parameter(
            one["name"],
            one["type"],
            "default" in one,
            one.get("default", {}).get("value"),
            one.get("kw_only", False),
        )
        for one in function["params"]
        if one["name"] != "span"
    ]
    operands = _operands(declared.get("operands", []))
    relation, require = declared["relation"].strip(), declared.get("require", "")
    file = Path(namespace["source"]).stem
    return Operator(name, file, operands, parameters, relation, require, declared, function)


def _operands(declared: list[dict[str, Any]]) -> list[Operand]:
    operands: list[Operand] = []
    for one in declared:
        variable, _, accepted = one["dtype"].rpartition(":")
        if not variable and accepted[0].isupper():
            # The first operand of a variable says which data types it takes.
            variable, accepted = accepted, "any"
        optional, variadic = one.get("optional", False), one.get("variadic", False)
        operands.append(Operand(one["name"], variable, accepted.strip(), optional, variadic))
    return operands
