"""Random calls of the operators of relay, as nodes and as arrays for their references."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np

from uir import relay
from uir.ir import GlobalVar, IRModule, RelayExpr

from ....operators.declarations import Operator, operators
from ....operators.draws import Draw, Tensor, draw

OPERATORS = operators()
NAMES = sorted(OPERATORS)
# How many cases a test draws for an operator; `make test-deep` draws more.
DEPTH = int(os.environ.get("TSCHEMA_DEPTH", "1"))


class Case(NamedTuple):
    """Arrays for the operands, and the attributes of a call."""

    operands: list[Any]
    attributes: dict[str, Any]


def case(name: str, random: Random) -> Case:
    """Draw a call of an operator, with arrays."""
    drawn = draw(OPERATORS[name], random)
    return Case(arrays(OPERATORS[name], drawn), drawn.attributes)


def arrays(operator: Operator, drawn: Draw) -> list[Any]:
    """Return small numbers in arrays for the operands of a call; 0 where they are indices."""
    generator = np.random.default_rng(zlib.crc32(repr(drawn).encode()))
    return [
        _array(operand, info.name, generator)
        for operand, info in zip(drawn.operands, operator.operands, strict=True)
    ]


def _array(operand: Any, name: str, generator: np.random.Generator) -> Any:
    if operand is None:
        return None
    if isinstance(operand, list):
        return [_array(one, name, generator) for one in operand]
    if name == "indices":
        return np.zeros(operand.shape, operand.dtype)
    low, high = (0, 2) if operand.dtype == "bool" else (1, 5)
    return np.asarray(generator.integers(low, high, operand.shape), operand.dtype)


def variables(operator: Operator, operands: list[Any]) -> list[Any]:
    """Return a variable for each operand of a call, named after it."""
    return [
        _variable(operand, info.name)
        for operand, info in zip(operands, operator.operands, strict=True)
    ]


def _variable(operand: Any, name: str) -> Any:
    if operand is None:
        return None
    if isinstance(operand, list):
        return [_variable(one, f"{name}{place}") for place, one in enumerate(operand)]
    return relay.Var(name, relay.Tensor(operand.shape, str(operand.dtype)))


def by_name(name: str, operands: Sequence[Any]) -> dict[str, Any]:
    """Return operands by the names that an operator gives them."""
    return {info.name: one for info, one in zip(OPERATORS[name].operands, operands, strict=False)}


def make(operator: Operator, operands: list[Any], attributes: dict[str, Any]) -> RelayExpr:
    """Call an operator with operands and attributes, each by its name."""
    function = getattr(relay, operator.name)
    call: RelayExpr = function(**by_name(operator.name, operands), **attributes)
    return call


def call_of(name: str, operands: list[Any], attributes: dict[str, Any]) -> RelayExpr:
    """Call an operator on variables of the types of operands, which are arrays or types."""
    operator = OPERATORS[name]
    return make(operator, variables(operator, operands), attributes)


def module_of(params: list[Any], call: RelayExpr) -> IRModule:
    """Return a module whose `main` returns a call on parameters, some of them lists or None."""
    flat = [one for param in params for one in (param if isinstance(param, list) else [param])]
    y = relay.Var("y", call.checked_type)
    block = relay.Block([relay.Binding(y, call)], y)
    function = relay.Function([one for one in flat if one is not None], block)
    return IRModule({GlobalVar("main"): function})


def draw_module(name: str, random: Random) -> IRModule:
    """Draw a call of an operator, on the parameters of a function."""
    drawn = draw(OPERATORS[name], random)
    params = variables(OPERATORS[name], drawn.operands)
    return module_of(params, make(OPERATORS[name], params, drawn.attributes))


__all__ = [
    "DEPTH",
    "NAMES",
    "OPERATORS",
    "Case",
    "Draw",
    "Tensor",
    "arrays",
    "call_of",
    "case",
    "draw",
    "draw_module",
    "make",
    "module_of",
    "variables",
]
