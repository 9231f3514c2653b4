"""The result of an operator by the rules of its declaration: `scalar`, `compute`, `decompose`.

In: the text of a rule, arrays and attributes; out: the result.  Operators without a reference of
their own, such as those of other packages, run by these rules, and tests compare the rules of the
others with their references.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from . import arithmetic, logic, math, rounding
from .activation import sigmoid
from .tensors import Array, kind_of, wide

__all__ = ["run_compute", "run_decompose", "run_scalar"]

Call = Callable[..., Any]
Names = Mapping[str, Any]


def _of_tensors(function: Call, plain: Call) -> Call:
    """Return the reference of an operator for two tensors, and what numbers and attributes have."""

    def compute(x: Any, y: Any) -> Any:
        are_tensors = isinstance(x, np.ndarray) and isinstance(y, np.ndarray)
        return function(x, y) if are_tensors and x.dtype == y.dtype else plain(x, y)

    return compute


# The functions of tir that scalars use, on arrays.
FUNCTIONS: dict[str, Call] = {
    **{name: getattr(math, name) for name in math.__all__ if name != "evaluate"},
    "abs": np.abs,
    "bitwise_and": logic.bitwise_and,
    "bitwise_not": logic.bitwise_not,
    "bitwise_or": logic.bitwise_or,
    "bitwise_xor": logic.bitwise_xor,
    "cast": lambda x, dtype: rounding.cast(x, dtype=str(dtype)),
    "ceil": rounding.ceil,
    "floor": rounding.floor,
    "fmod": _of_tensors(partial(arithmetic.mod, truncated=True), np.fmod),
    "is_given": lambda value: value is not None,
    "isinf": rounding.isinf,
    "isnan": rounding.isnan,
    "left_shift": logic.left_shift,
    "max": np.maximum,
    "min": np.minimum,
    "multiply_add": lambda x, y, z: x * y + z,
    "pow": _of_tensors(arithmetic.power, np.power),
    "right_shift": logic.right_shift,
    "round": rounding.round,
    "select": np.where,
    "sigmoid": sigmoid,
}


BINARY: dict[type[ast.operator], Call] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: _of_tensors(arithmetic.divide, operator.truediv),
    ast.FloorDiv: _of_tensors(arithmetic.floor_divide, operator.floordiv),
    ast.Mod: _of_tensors(arithmetic.mod, operator.mod),
    ast.Pow: _of_tensors(arithmetic.power, operator.pow),
}

COMPARE: dict[type[ast.cmpop], Call] = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}


def _size(x: Array, axes: Sequence[int] | None) -> int:
    """Return the number of elements along axes, None for all of them."""
    return int(np.prod([x.shape[axis] for axis in (range(x.ndim) if axes is None else axes)]))


# What `decompose` knows of operands and attributes.
ATTRIBUTE_FUNCTIONS: dict[str, Call] = {
    "bits": lambda x: 8 * x.dtype.itemsize,
    "dtype": lambda x: str(x.dtype),
    "is_float": lambda x: kind_of(x) == "f",
    "is_given": lambda value: value is not None,
    "range": lambda start, stop: list(range(start, stop)),
    "rank": np.ndim,
    "shape": lambda x: list(x.shape),
    "size": _size,
    "wide": lambda x: str(wide(np.empty(0, x.dtype)).dtype),
}

# The operators of the signs in `decompose`.
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Mod: "mod",
    ast.Pow: "power",
}


class Formula:
    """Evaluates an expression; subclasses say what names, signs, calls and subscripts mean."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def run(self, node: ast.expr) -> Any:
        """Return the value of a part."""
        return getattr(self, f"run_{type(node).__name__}")(node)

    def run_Constant(self, node: ast.Constant) -> Any:
        """Return the value of a literal."""
        return node.value

    def run_Name(self, node: ast.Name) -> Any:
        """Return the value of a name; `KeyError` if it is unknown."""
        return self.names[node.id]

    def run_Tuple(self, node: ast.Tuple) -> Any:
        """Return the values of the elements as a list."""
        return [self.run(element) for element in node.elts]

    def run_IfExp(self, node: ast.IfExp) -> Any:
        """Return the branch that the condition chooses; the other one is not evaluated."""
        return self.run(node.body if self.run(node.test) else node.orelse)

    def run_BinOp(self, node: ast.BinOp) -> Any:
        """Apply an arithmetic operator to two values."""
        return BINARY[type(node.op)](self.run(node.left), self.run(node.right))

    def run_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """Return the negation, of a truth value for `not`."""
        value = self.run(node.operand)
        return np.logical_not(value) if isinstance(node.op, ast.Not) else np.negative(value)

    def run_BoolOp(self, node: ast.BoolOp) -> Any:
        """Combine truth values elementwise; all of them are evaluated."""
        function = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        result = self.run(node.values[0])
        for value in node.values[1:]:
            result = function(result, self.run(value))
        return result

    def run_Compare(self, node: ast.Compare) -> Any:
        """Compare two values elementwise."""
        return COMPARE[type(node.ops[0])](self.run(node.left), self.run(node.comparators[0]))

    def run_Call(self, node: ast.Call) -> Any:
        """Call the function of a name with evaluated arguments."""
        assert isinstance(node.func, ast.Name)
        keywords = {one.arg: self.run(one.value) for one in node.keywords if one.arg}
        arguments = [self.run(argument) for argument in node.args]
        return self.function(node.func.id)(*arguments, **keywords)

    def function(self, name: str) -> Call:
        """Return the function of a name."""
        return FUNCTIONS[name]


class Decomposition(Formula):
    """Evaluates an expression of operators: numbers take the data type of the other operand."""

    def __init__(self, names: Names, call: Call, steps: Mapping[str, ast.expr]) -> None:
        super().__init__(dict(names))
        self.call = call
        self.steps = steps

    def run_Name(self, node: ast.Name) -> Any:
        """Return an argument, or the value of a step, which runs when it is first needed."""
        if node.id in self.steps and node.id not in self.names:
            self.names = {**self.names, node.id: self.run(self.steps[node.id])}
        return self.names[node.id]

    def function(self, name: str) -> Call:
        """Return what calls an operator, or computes an attribute."""
        if name in ATTRIBUTE_FUNCTIONS:
            return ATTRIBUTE_FUNCTIONS[name]
        return lambda *arguments, **keywords: self.call(name, *arguments, **keywords)

    def run_BinOp(self, node: ast.BinOp) -> Any:
        """Apply an operator; a number takes the data type of the other operand."""
        x, y = self.run(node.left), self.run(node.right)
        if not isinstance(x, np.ndarray) and not isinstance(y, np.ndarray):
            return BINARY[type(node.op)](x, y)
        like = x if isinstance(x, np.ndarray) else y
        operands = [np.asarray(one, dtype=like.dtype) for one in (x, y)]
        return self.call(OPERATORS[type(node.op)], *operands)

    def run_Subscript(self, node: ast.Subscript) -> Any:
        """Return an element of a tuple."""
        return self.run(node.value)[self.run(node.slice)]

    def run_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """Apply an operator to a tensor, or negate a number of Python."""
        value = self.run(node.operand)
        if not isinstance(value, np.ndarray):
            return -value if isinstance(node.op, ast.USub) else not value
        name = "logical_not" if isinstance(node.op, ast.Not) else "negative"
        return self.call(name, value)


def _widened(values: Names) -> dict[str, Any]:
    return {
        name: wide(value) if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


@np.errstate(all="ignore")
def run_scalar(rule: str, arguments: Names) -> Array:
    """Return the elements that a `scalar` computes of operands, which broadcast."""
    formula = ast.parse(rule, mode="eval").body
    return np.asarray(Formula(_widened(arguments)).run(formula))


def run_decompose(rule: str, arguments: Names, call: Call) -> Any:
    """Return the result of a `decompose`; `call(name, *operands, **attributes)` calls operators."""
    *assignments, result = ast.parse(" ".join(rule.split())).body
    steps: dict[str, ast.expr] = {}
    for one in assignments:
        assert isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
        steps[one.targets[0].id] = one.value
    assert isinstance(result, ast.Expr)
    found = Decomposition(arguments, call, steps).run(result.value)
    return tuple(found) if isinstance(found, list) else found


_COMPUTE = re.compile(r"(\w+)\[(.*?)\]\s*(=|\+=|\*=|max=|min=)(?!=)(.*)", re.S)
# Python 3.10 cannot parse `a[*b, m]`.
_STARRED = re.compile(r"\[([^\[\]]*\*\w[^\[\]]*)\]")
_REDUCE: dict[str, Call] = {
    "=": lambda values, axis: values,
    "+=": np.sum,
    "*=": np.prod,
    "max=": np.max,
    "min=": np.min,
}


@np.errstate(all="ignore")
def run_compute(rule: str, arguments: Names) -> Array:
    """Return the tensor whose elements a `compute` assigns.

    Every index becomes an axis: those of the result first, then those that are reduced over.

    Raises
    ------
    ValueError
        If `rule` is not an assignment.
    """
    found = _COMPUTE.fullmatch(rule.strip())
    if found is None:
        raise ValueError(f"`{rule}` is not an assignment")
    _, target, sign, value = found.groups()
    formula = ast.parse(_STARRED.sub(r"[(\1,)]", value.strip()), mode="eval").body
    arrays = _widened(arguments)
    computation = Computation(arrays, formula, target)
    values = np.asarray(computation.run(formula))
    kept = len(computation.result)
    full = np.broadcast_to(values, tuple(computation.extents.values()))
    return np.asarray(_REDUCE[sign](full, axis=tuple(range(kept, full.ndim))))


class Computation(Formula):
    """Evaluates an expression of elements over all values of the indices at once."""

    def __init__(self, names: Names, formula: ast.expr, target: str) -> None:
        super().__init__(names)
        self.packs: dict[str, int] = {}
        extents: dict[str, int] = {}
        self.labels = extents.keys()
        for read in ast.walk(formula):
            if isinstance(read, ast.Subscript):
                self._bind(read, extents)
        marked = ast.parse(f"y[({target},)]", mode="eval").body
        assert isinstance(marked, ast.Subscript)
        self.result = [label for _, labels in self._labels(marked) for label in labels or ()]
        rest = [label for label in extents if label not in self.result]
        # Axes of the whole space, in order.
        self.extents = {label: extents[label] for label in (*self.result, *rest)}
        axes = {label: axis for axis, label in enumerate(self.extents)}
        rank = len(axes)
        self.names = {
            **names,
            **{
                label: np.arange(extent).reshape((-1,) + (1,) * (rank - 1 - axes[label]))
                for label, extent in self.extents.items()
            },
        }

    def run_Subscript(self, node: ast.Subscript) -> Any:
        """Return the elements of an operand at its indices."""
        array = self.run(node.value)
        if not isinstance(array, np.ndarray):
            return array[int(self.run(node.slice))]
        places: list[Any] = []
        for index, labels in self._labels(node, _packed(array, node)):
            places += [self.run(index)] if labels is None else [self.names[one] for one in labels]
        # An axis of extent 1 broadcasts: its only element counts everywhere.
        clipped = [
            np.minimum(place, 0) if dim == 1 else place
            for place, dim in zip(places, array.shape, strict=True)
        ]
        return array[tuple(clipped)]

    def _labels(
        self, node: ast.Subscript, packed: int | None = None
    ) -> Iterator[tuple[ast.expr, list[str] | None]]:
        """Yield each index with its labels: one of a name, those of a pack, else None."""
        for index in _indices(node):
            if isinstance(index, ast.Starred) and isinstance(index.value, ast.Name):
                pack = index.value.id
                count = self.packs.get(pack, 0) if packed is None else packed
                yield index, [f"{pack}.{place}" for place in range(count, 0, -1)]
            elif isinstance(index, ast.Name) and index.id in self.labels:
                yield index, [index.id]
            else:
                yield index, None

    def _bind(self, node: ast.Subscript, extents: dict[str, int]) -> None:
        """Learn the extents of indices from an operand; those of a pack count from the end."""
        assert isinstance(node.value, ast.Name)
        array = self.names[node.value.id]
        indices = _indices(node)
        if not isinstance(array, np.ndarray):
            return
        packed = _packed(array, node)
        axis = 0
        for index in indices:
            if isinstance(index, ast.Starred) and isinstance(index.value, ast.Name):
                pack = index.value.id
                self.packs[pack] = max(self.packs.get(pack, 0), packed)
                for place in range(packed, 0, -1):
                    label, dim = f"{pack}.{place}", array.shape[axis]
                    extents[label] = max(extents.get(label, 1), dim)
                    axis += 1
                continue
            if isinstance(index, ast.Name) and index.id not in self.names:
                extents.setdefault(index.id, array.shape[axis])
            axis += 1


def _packed(array: Array, node: ast.Subscript) -> int:
    """Return how many axes of an operand a pack covers."""
    return array.ndim - sum(not isinstance(index, ast.Starred) for index in _indices(node))


def _indices(node: ast.Subscript) -> Sequence[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
