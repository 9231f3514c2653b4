"""Further calls of a graph, which its operators were not drawn for.

In: a graph.  Out: the graph with more arguments: symbolic dimensions of other sizes, 0 among them,
for which windows have no place and operators refuse; NaN, infinities and borders of integers in
every operand; divisors of 0, and the least number by -1.  What the references refuse is a result as
well: compiled code must refuse it.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

from uir import ir, relay
from uir.ir import RelayExpr
from uir.relay.dimensions import Dimensions

from ..operators.domain import INDICES, is_defined
from .evaluation import Array, Undefined, live, run_call, value_of, values_by_variable
from .values import is_float, special_numbers

__all__ = ["Refusal", "Skipped", "further_arguments", "result_of"]

SIZES = (0, 0, 0, 1, 1, 2, 3, 4, 5, 7, 9, 16)
LARGEST = 1 << 14
"""How many elements a value may have."""
DENSITIES = (0.0, 0.1, 0.5, 1.0)
"""Which part of a tensor is of special numbers."""
BORDERS = (127.5, 128, 255.5, 256, 32767.5, 32768, 65535.5, 2.0**31, 2.0**32, 2.0**63, 2.0**64)
"""Where integers end, for casts; all are also tried with a minus."""
ATTEMPTS = 3


class Refusal(NamedTuple):
    """The references refuse arguments: the text of their error."""

    text: str


class Skipped(Exception):
    """Arguments are of no use: a result is undefined or too large, or its refusal is open."""


def further_arguments(function: relay.Function, first: list[Array], seed: str) -> list[list[Array]]:
    """Return arguments for three more calls, or fewer: two if all sizes are known.

    Parameters
    ----------
    function
        A graph.
    first
        The arguments of its first call: indices are taken from it.
    seed
        What is random follows from it.
    """
    found: list[list[Array]] = []
    random = Random(seed)
    dims = [dim for param in function.params for dim in param.type_annotation.shape]
    is_symbolic = not all(isinstance(dim, ir.IntImm) for dim in dims)
    for _ in range(3 if is_symbolic else 2):
        for _ in range(ATTEMPTS):
            arguments = _Arguments(function, first, random).made()
            if arguments is None:
                continue
            try:
                result_of(function, arguments)
            except Skipped:
                continue
            found.append(arguments)
            break
    return found


def result_of(function: relay.Function, arguments: list[Array]) -> list[Array] | Refusal:
    """Return the results of a graph, or why the references refuse the arguments.

    Raises
    ------
    Skipped
        If no one result is right: one is undefined, or what refuses is of no use for the results.
    """
    needed = live(function)

    def run(call: relay.Call, values: dict[RelayExpr, Any], at: Dimensions) -> Any:
        _check_defined(call, values)
        try:
            result = run_call(call, partial(value_of, values=values), at)
        except Undefined as error:
            if call in needed:
                raise
            raise Skipped(str(error)) from error
        parts = result if isinstance(result, tuple) else [result]
        if any(one.size > LARGEST for one in parts):
            raise Skipped("a result is too large")
        return result

    try:
        values, _ = values_by_variable(function, arguments, run)
    except Undefined as error:
        return Refusal(str(error))
    result = function.body.result
    fields = result.fields if isinstance(result, relay.Tuple) else [result]
    return [value_of(one, values) for one in fields]


def _check_defined(call: relay.Call, values: dict[RelayExpr, Any]) -> None:
    name = call.op.name.removeprefix("relay.")
    if name not in ("left_shift", "right_shift"):
        return
    operands = np.broadcast_arrays(*(value_of(one, values) for one in call.args))
    if not np.all(is_defined(name, list(operands))):
        raise Skipped("a shift is undefined")


class _Arguments:
    """Draws arguments for one call."""

    def __init__(self, function: relay.Function, first: list[Array], random: Random) -> None:
        self.function, self.first, self.random = function, first, random
        self.numpy = np.random.default_rng(random.randrange(2**62))
        self.density = random.choice(DENSITIES)
        self.has_zeros = random.random() < 0.3
        self.indices, self.places = set[RelayExpr](), set[RelayExpr]()
        for binding in function.body.bindings:
            if isinstance(binding.value, relay.Call):
                self._note_indices(binding.value)

    def _note_indices(self, call: relay.Call) -> None:
        name = call.op.name.removeprefix("relay.")
        if name not in INDICES:
            return
        for operand, info in zip(call.args, call.op.arguments, strict=True):
            if info.name == "indices":
                is_place = "scatter" in name and call.attrs.reduction == "none"
                (self.places if is_place else self.indices).add(operand)

    def made(self) -> list[Array] | None:
        """Return an array for each parameter; None if there are none of these sizes."""
        dimensions = self._dimensions()
        arguments = []
        for param, before in zip(self.function.params, self.first, strict=True):
            shape = tuple(dimensions.value(dim) for dim in param.type_annotation.shape)
            if min(shape, default=0) < 0 or np.prod(shape) > LARGEST:
                return None
            if param in self.places and shape != before.shape:
                # No place may be there twice: writes have no order.
                return None
            arguments.append(self._array(param, shape, before))
        return arguments

    def _dimensions(self) -> Dimensions:
        found = Dimensions()
        keeps = self.random.random() < 0.3
        for param, array in zip(self.function.params, self.first, strict=True):
            for size, dim in zip(array.shape, param.type_annotation.shape, strict=True):
                found.bind([size if keeps else self.random.choice(SIZES)], [dim], "")
        return found

    def _array(self, param: relay.Var, shape: tuple[int, ...], before: Array) -> Array:
        if param in self.places:
            return before
        if param in self.indices:
            return self._indices(shape, before)
        dtype = str(before.dtype)
        if dtype == "bool":
            return np.asarray(self.numpy.random(shape) < 0.5)
        if not is_float(dtype):
            return self._integers(shape, before.dtype)
        values = (self.numpy.normal(size=shape) * self.random.choice((0.3, 1, 30))).astype(dtype)
        return self._with(values, special_floats(before.dtype))

    def _integers(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        values = self.numpy.integers(0 if dtype.kind == "u" else -9, 10, shape).astype(dtype)
        values = self._with(values, special_numbers(str(dtype)))
        if not self.has_zeros:
            # The least number by -1 rather than one by 0.
            values = np.where(values == 0, np.array(-1).astype(dtype), values)
        return np.asarray(values, dtype)

    def _with(self, values: Array, special: Array) -> Array:
        chosen = self.numpy.random(values.shape) < self.density
        return np.asarray(np.where(chosen, self.numpy.choice(special, values.shape), values))

    def _indices(self, shape: tuple[int, ...], before: Array) -> Array:
        """Return indices of the first call again, one of them out of range at times."""
        if before.size == 0:
            return np.zeros(shape, before.dtype)
        values = np.resize(before, shape)
        if values.size and self.random.random() < 0.1:
            outside = np.array(self.random.choice((-100, 100))).astype(before.dtype)
            values.reshape(-1)[self.random.randrange(values.size)] = outside
        return values


@np.errstate(all="ignore")
def special_floats(dtype: np.dtype[Any]) -> Array:
    """Return the special numbers of a data type, and the borders of integers that it has."""
    borders = np.array(BORDERS).astype(dtype)
    return np.concatenate([special_numbers(str(dtype)), borders, -borders])
