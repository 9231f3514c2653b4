"""Operators whose rules are data, registered at run time from the JSON IR.

In: the JSON IR of a package.  Out: rows in the compiler core's registry, and a global function for
each operator that makes its calls.  Numbers among operands are converted in C++, as for compiled
operators.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import tvm_ffi

__all__ = ["OperatorFunction", "operator_functions"]

_Json = Mapping[str, Any]
_RULES = (
    "kind", "effect", "relation", "require", "result", "scalar", "compute", "decompose",
    "onnx", "torch", "since",
)  # fmt: skip


class OperatorFunction:
    """Makes calls of one operator; called with all its arguments, in order."""

    def __init__(self, operator: _Json, function: _Json, dialect: _Json) -> None:
        self.key: str = function["key"]
        self._declaration = _declaration(operator, function, dialect)
        self._op: Any = None
        places = {param["name"]: place for place, param in enumerate(function.get("params", ()))}
        self._operands = [places[one["name"]] for one in operator.get("operands", ())]
        self._attributes = [places[name] for name in operator.get("attributes", ())]
        self._lists = [_is_list(function["params"][place]["type"]) for place in self._attributes]
        self._attrs = operator.get("attrs")
        self._has_nodes = "attributes" in dialect
        self._has_span = "span" in dialect
        self._make = tvm_ffi.get_global_func(dialect["make"])
        self._convert = tvm_ffi.get_global_func("uir.ir.convert_numbers")

    def register(self, place: str) -> None:
        """Enter the operator in the registry."""
        register = tvm_ffi.get_global_func("uir.ir.register_operator")
        self._op = register(self._declaration, place)

    def __call__(self, *args: Any) -> Any:
        """Return the call that the dialect makes of the arguments."""
        operands = self._convert(self._op, [args[place] for place in self._operands])
        end = len(self._operands) + len(self._attributes)
        span = args[end : end + 1] or (None,)
        given = zip(self._attributes, self._lists, strict=True)
        attributes = self._made(
            tuple(_list_of_one(args[place]) if is_list else args[place] for place, is_list in given)
        )
        return self._make(self._op, operands, attributes, *(span if self._has_span else ()))

    def _made(self, attributes: tuple[Any, ...]) -> Any:
        if not self._has_nodes:
            return attributes
        if self._attrs is None:
            return None
        return tvm_ffi.get_global_func(self._attrs)(*attributes)


def operator_functions(text: str | bytes) -> tuple[OperatorFunction, ...]:
    """Return a function for each operator of a package that no compiled code takes part in."""
    return tuple(_data_operators(json.loads(text)))


def _data_operators(document: _Json) -> Iterator[OperatorFunction]:
    spaces = document.get("namespaces", ())
    dialects = {space["name"]: space["dialect"] for space in spaces if "dialect" in space}
    for space in spaces:
        functions = {function["name"]: function for function in space.get("functions", ())}
        for operator in space.get("operators", ()):
            function, dialect = functions[operator["name"]], dialects[space["name"]]
            is_free = not _is_registered(function["key"])
            if is_free and _is_data(operator) and _is_registered(dialect["make"]):
                yield OperatorFunction(operator, function, dialect)


def _is_registered(key: str) -> bool:
    return tvm_ffi.get_global_func(key, allow_missing=True) is not None


def _is_list(ref: _Json) -> bool:
    return ref["kind"] == "Array" or (ref["kind"] == "Optional" and _is_list(ref["args"][0]))


def _list_of_one(value: Any) -> Any:
    """Return `[1]` for 1, else the value unchanged."""
    return [value] if isinstance(value, int) and not isinstance(value, bool) else value


def _is_data(operator: _Json) -> bool:
    """Return whether an operator needs no compiled code."""
    needs_code = operator.get("custom", False) or operator.get("relation") == "custom"
    return not needs_code and "key" in operator


def _operand(operand: _Json, index: int, params: dict[str, Any]) -> dict[str, Any]:
    position = list(params).index(operand["name"])
    row = {"dtype": "any", **operand, "doc": params[operand["name"]].get("doc", "")}
    return row if position == index else {**row, "position": position}


def _declaration(operator: _Json, function: _Json, dialect: _Json) -> dict[str, Any]:
    """Return an operator as the registry takes it."""
    params = {param["name"]: param for param in function.get("params", ())}
    traits = {name: operator[name] for name in _RULES if name in operator}
    traits.setdefault("effect", "pure")
    traits.update((trait["name"], trait["value"]) for trait in operator.get("traits", ()))
    declaration: dict[str, Any] = {
        "name": operator["key"],
        "doc": " ".join(function.get("doc", "").partition("\n\n")[0].split()),
        "operands": [
            _operand(operand, index, params)
            for index, operand in enumerate(operator.get("operands", ()))
        ],
        "attributes": [
            {"name": name, "type": params[name]["type"]["kind"], "doc": params[name].get("doc", "")}
            for name in operator.get("attributes", ())
        ],
        "traits": traits,
    }
    if "attrs" in operator:
        declaration["attrs_key"] = operator["attrs"]
    if "number" in dialect:
        declaration["number"] = dialect["number"]
    if "stored_calls" in operator:
        declaration["stored_calls"] = operator["stored_calls"]
    return declaration
