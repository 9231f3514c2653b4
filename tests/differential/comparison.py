"""Compares results of compiled graphs with those of references.

Integers, truth values, NaN, infinities and the signs of zeros must be equal.  A floating-point
number may differ by the tolerance of its data type, relative to it.  What differs more is held
against how much errors of rounding matter in this graph: the references run it several times, with
operands and results that are off by a few units in the last place (Monte Carlo arithmetic, Parker
1997), sums in a wider type, and zeros of any sign where `semantics.md` leaves it open.  An
element that is NaN, infinite or another integer in some of these runs says nothing; the others may
differ by a multiple of what they do there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from uir import ir, relay
from uir.ir import RelayExpr
from uir.relay.dimensions import Dimensions

from ..python.support.tolerance import TOLERANCE
from .evaluation import (
    Array,
    Undefined,
    WrongType,
    evaluate,
    run_call,
    run_reference,
    run_wide_call,
    value_of,
)
from .open_values import CANCELLING, SCALING, error_size, has_open_signs, is_open
from .values import is_float

__all__ = ["Difference", "difference", "explained", "operands_of", "shown", "unexplained"]

Difference = Array | str | None
"""Which elements differ; a text if the types do; None if nothing does."""
Reader = Callable[[relay.Call, dict[RelayExpr, Any]], Callable[[RelayExpr], Any]]
"""Returns what gives a call its operands, of the values so far."""
NORMALIZING = (
    "batch_norm_training",
    "group_norm",
    "layer_norm",
    "layer_norm_with_statistics",
    "rms_norm",
)
NORMALIZED = 8.0
"""How many times the errors of their operands count: a mean has those of all its terms."""
RUNS = 16
ANY = (np.nan, 0.0, np.inf, -np.inf, 1.5, -2.5)
"""What each of the first runs uses as the value of all undefined elements, later ones at random."""
ROUNDING = 4.0
"""By how many units in the last place operands and results are off, at most."""
ALLOWED = 8.0
"""How many times what runs with errors differ results may differ."""
UNSTABLE = 1000.0
"""The same where they differ by more than the number itself, as tangents of large numbers do."""
LIMITS = {**TOLERANCE, "bfloat16": 16 * 2.0**-7}
EPSILON = {"bfloat16": 2.0**-7, "float16": 2.0**-10, "float32": 2.0**-23, "float64": 2.0**-52}


def difference(found: Array, expected: Array) -> Difference:
    """Compare a result with that of the references.

    Returns
    -------
    difference
        None if they are equal; a text if they are of different types; else, for each element,
        whether it differs.
    """
    if (found.shape, found.dtype) != (expected.shape, expected.dtype):
        return f"{found.shape} of {found.dtype}, expected {expected.shape} of {expected.dtype}"
    if not is_float(expected.dtype):
        differs = np.asarray(found != expected)
        return differs if differs.any() else None
    x, y = _numbers(found), _numbers(expected)
    limit = LIMITS[str(expected.dtype)]
    with np.errstate(all="ignore"):
        near = np.abs(x - y) <= limit * np.abs(y) + _least(str(expected.dtype))
    differs = np.asarray(~np.where(_is_finite(x, y), near, True) | ~_same_kinds(x, y))
    return differs if differs.any() else None


def explained(
    function: relay.Function, arguments: list[Array], found: list[Array], expected: list[Array]
) -> bool:
    """Tell whether results differ by no more than errors of rounding may make them differ."""
    differences = unexplained(function, arguments, found, expected)
    return all(one is None for one in differences)


def operands_of(call: relay.Call, values: dict[RelayExpr, Any]) -> Callable[[RelayExpr], Any]:
    """Return what gives a call its operands as they are."""
    return partial(value_of, values=values)


def unexplained(
    function: relay.Function,
    arguments: list[Array],
    found: list[Array],
    expected: list[Array],
    reader: Reader = operands_of,
) -> list[Difference]:
    """Return the differences of results, as `difference` does, that errors do not explain.

    Parameters
    ----------
    function, arguments
        What was called.
    found, expected
        The results, and those of the references.
    reader
        What gives calls their operands, in the runs with errors of rounding too.
    """
    differences = [difference(*pair) for pair in zip(found, expected, strict=True)]
    if all(one is None for one in differences):
        return differences
    runs = _runs(function, arguments, reader)
    if not runs:
        return differences
    return [
        _left([run[place] for run in runs], one, found[place], expected[place])
        if isinstance(one, np.ndarray)
        else one
        for place, one in enumerate(differences)
    ]


def shown(differences: list[Difference], found: list[Array], expected: list[Array]) -> str:
    """Return a line for each pair of results that differ: the first element that does."""
    lines = []
    for place, differs in enumerate(differences):
        if isinstance(differs, str):
            lines.append(f"result {place}: {differs}")
        elif differs is not None:
            x, y = found[place], expected[place]
            at = tuple(int(one) for one in np.argwhere(differs)[0]) if differs.ndim else ()
            count = int(np.count_nonzero(differs))
            lines.append(
                f"result {place} {y.dtype}{list(y.shape)}: {count} differ, "
                f"{list(at)}: found {x[at]!r}, expected {y[at]!r}"
            )
    return "\n".join(lines)


def _left(runs: list[Array], differs: Array, found: Array, expected: Array) -> Array | None:
    """Return which elements of those that differ are no errors of rounding; None for none."""
    if is_float(expected.dtype):
        differs = differs & ~_is_near(runs, found, expected)
    else:
        differs = differs & ~np.any([run != expected for run in runs], axis=0)
    return np.asarray(differs) if differs.any() else None


def _is_near(runs: list[Array], found: Array, expected: Array) -> Array:
    """Return which floating-point numbers may be others in runs with errors."""
    numbers, x, y = [_numbers(run) for run in runs], _numbers(found), _numbers(expected)
    open_ = np.any([_kinds(run) != _kinds(y) for run in numbers], axis=0)
    signs = np.any([np.signbit(run) != np.signbit(y) for run in numbers], axis=0)
    with np.errstate(all="ignore"):
        spread = np.max([np.abs(run - y) for run in numbers], axis=0)
        allowed = np.where(spread > np.abs(y), UNSTABLE, ALLOWED)
        near = np.abs(x - y) <= allowed * spread
    # Zeros that errors make other numbers, or zeros of the other sign, may have either sign.
    zeros = (x == 0) & (y == 0) & ((spread > 0) | signs)
    return np.asarray(open_ | near & (_same_kinds(x, y) | zeros))


def _runs(function: relay.Function, arguments: list[Array], reader: Reader) -> list[list[Array]]:
    """Return results of runs with errors of rounding; those that are undefined are left out."""
    runs = []
    for number in range(RUNS):
        try:
            runs.append(evaluate(function, arguments, _Rounding(number, reader)))
        except (Undefined, WrongType):
            continue
    return runs


class _Rounding:
    """Runs calls with errors of rounding; every other run in a wider type, as order matters."""

    def __init__(self, number: int, reader: Reader) -> None:
        self.reader = reader
        self.random = np.random.default_rng(number)
        self.number, self.is_wide = number, number % 2 == 1
        # The last runs have the largest errors of each sign for certain.
        self.errors = {RUNS - 2: (-1, -1), RUNS - 1: (1, 1)}.get(number, (-1, 1))

    def __call__(self, call: relay.Call, values: dict[RelayExpr, Any], at: Dimensions) -> Any:
        times = NORMALIZED if call.op.name.removeprefix("relay.") in NORMALIZING else 1
        read = self.reader(call, values)

        def lookup(expr: RelayExpr) -> Any:
            return self.off(read(expr), times)

        if ir.op_attr(call.op, "kind") in ("view", "injective") and call.op.name != "relay.resize":
            return run_call(call, read, at)
        if call.op.name == "relay.resize":
            return self.resized(call, values, at)
        run = run_wide_call if self.is_wide else run_call
        result = run(call, lookup, at)
        if isinstance(result, tuple):
            return tuple(self.result(call, values, one) for one in result)
        return self.result(call, values, result)

    def resized(self, call: relay.Call, values: dict[RelayExpr, Any], at: Dimensions) -> Array:
        """Return a resized tensor; integers are rounded of numbers with errors, unless copied."""
        x = value_of(call.args[0], values)
        if is_float(x.dtype) or call.attrs.mode == "nearest":
            return self.result(call, values, run_call(call, lambda _: self.off(x), at))
        y = self.off(run_reference(call, lambda _: self.off(x.astype(np.float64)), at))
        limits = np.iinfo(x.dtype)
        # The greatest number of `float64` that 64 bits have is less than their own.
        greatest = np.nextafter(float(limits.max), 0) if x.itemsize == 8 else limits.max
        return np.rint(np.clip(y, limits.min, greatest)).astype(x.dtype)

    def result(self, call: relay.Call, values: dict[RelayExpr, Any], exact: Array) -> Array:
        """Return a result with errors of rounding, and other numbers where any would be right."""
        name, result = call.op.name.removeprefix("relay."), self.off(exact)
        if name in (*CANCELLING, *SCALING):
            size = ROUNDING * EPSILON[str(result.dtype)] * error_size(call, values)
            error = size * self.random.uniform(*self.errors, result.shape)
            with np.errstate(all="ignore"):
                sums = np.asarray((_numbers(result) + error).astype(result.dtype))
            # A sum with an error of 0 would make -0.0 another zero; no error scales a zero.
            is_same = (error == 0) | ((result == 0) & (name in SCALING))
            result = np.where(is_same, result, sums)
        open_ = is_open(call, values, result)
        if open_.any():
            result = np.where(open_, self.any_numbers(result), result)
        return self.signs(result) if has_open_signs(call) else result

    def any_numbers(self, array: Array) -> Array:
        """Return what this run uses as the values of undefined elements of an array.

        In the last runs they ascend and descend, so that of two each is the greater one once.
        """
        if self.number < len(ANY):
            return np.array(ANY[self.number], array.dtype)
        if self.number < RUNS - 2:
            return self.random.choice(ANY, array.shape).astype(array.dtype)
        ascending = np.arange(array.size).reshape(array.shape) - array.size / 2
        return (ascending if self.number == RUNS - 2 else -ascending).astype(array.dtype)

    def off(self, array: Array, times: float = 1) -> Array:
        """Return an array with errors of rounding, `times` as large as others."""
        if not is_float(array.dtype):
            return array
        size = times * ROUNDING * EPSILON[str(array.dtype)]
        factors = 1 + size * self.random.uniform(*self.errors, array.shape)
        with np.errstate(all="ignore"):
            changed = np.asarray((_numbers(array) * factors).astype(array.dtype))
        # The greatest number must not become infinite.
        return np.where(np.isfinite(_numbers(changed)), changed, array)

    def signs(self, array: Array) -> Array:
        """Return an array whose zeros have any signs: the last runs have each sign for certain."""
        if not is_float(array.dtype):
            return array
        part = {RUNS - 2: 0.0, RUNS - 1: 1.0}.get(self.number, 0.5)
        signs = np.where(self.random.random(array.shape) < part, -1, 1).astype(array.dtype)
        return np.where(array == 0, signs * np.zeros_like(array), array)


def _numbers(array: Array) -> Array:
    """Return floating-point numbers in a type that NumPy computes with, and no narrower one."""
    return array if array.dtype == np.float64 else array.astype(np.float64)


def _is_finite(x: Array, y: Array) -> Array:
    return np.isfinite(x) & np.isfinite(y)


def _least(dtype: str) -> float:
    return 4 * (2.0**-133 if dtype == "bfloat16" else float(np.finfo(dtype).smallest_subnormal))


def _kinds(x: Array) -> Array:
    """Return a number for each of NaN, the infinities, and finite numbers."""
    negative = np.signbit(x)
    kinds = np.where(np.isnan(x), 1, 0)
    return np.where(np.isinf(x), np.where(negative, 3, 2), kinds)


def _same_kinds(x: Array, y: Array) -> Array:
    """Return where numbers are both NaN, infinite or finite, with the same sign if both are 0."""
    zeros = (x == 0) & (y == 0) & (np.signbit(x) != np.signbit(y))
    return np.asarray((_kinds(x) == _kinds(y)) & ~zeros)
