"""Elements of small values that the importer knows: constants, and arithmetic on shapes.

Models compute the shapes of reshapes, slices and expansions from those of their inputs. Where a
dimension is symbolic, arrays of data type `object` hold its expression, and a `Quotient` for a
float. A rule returns None, or raises `Refused`, where an element is not known.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial, reduce
from math import prod
from typing import Any, TypeAlias

import numpy as np
import onnx

from uir_nodes.ir import RelayExpr
from uir_nodes.relay import Block, Function, Tuple

from ... import relay
from ..errors import Refused
from ..tensors import Array, dims, dtype_of
from . import symbolic
from .node import Converter, Node
from .symbolic import Element, Quotient, is_symbolic
from .value import Value

__all__ = ["elements_of"]

Rule: TypeAlias = Callable[[Node], "Array | list[Array] | None"]


class OutOfRange(Refused):
    """A known index is out of range, so that the node has no result for any sizes."""


# Larger values are not computed during the import.
MOST_ELEMENTS = 4096


def elements_of(
    node: Node, convert: Converter, outputs: Sequence[RelayExpr | None]
) -> Sequence[Array | None]:
    """Return the known elements of each output of a node.

    Parameters
    ----------
    node
        The node.
    convert
        The converter of its operator.
    outputs
        The results of the converter.
    """
    dtypes = ["" if output is None else dtype_of(output) for output in outputs]
    symbolic = elements_of_shapes(node, dtypes)
    if symbolic is not None:
        return [*symbolic, *[None] * (len(outputs) - len(symbolic))]
    known = elements_of_constants(node, convert)
    return [None] * len(outputs) if known is None else known


def elements_of_constants(node: Node, convert: Converter) -> list[Array] | None:
    """Return the outputs of a node whose inputs are all known, if they are small."""
    values = [value for value in node.values if value is not None]
    if any(not is_small(value.elements) for value in values):
        return None
    literals = [None if value is None else Value(None, value.elements) for value in node.values]
    outputs = convert(node.with_values(literals))
    fields = list(outputs) if isinstance(outputs, Sequence) else [outputs]
    if any(field is None or not is_small_expr(field) for field in fields):
        return None
    whole = Tuple([field for field in fields if field is not None])
    try:
        return list(relay.evaluate(Function([], Block([], whole))))
    except (ArithmeticError, IndexError) as error:
        raise Refused(f"constants that have no result: {error}") from error


def is_small(elements: Array | None) -> bool:
    """Return whether elements are known, none symbolic, and few enough to be constants."""
    return elements is not None and elements.dtype != object and elements.size <= MOST_ELEMENTS


def is_small_expr(x: RelayExpr) -> bool:
    """Return whether a tensor has constant dimensions and few enough elements."""
    shape = [dim for dim in dims(x) if isinstance(dim, int)]
    return len(shape) == len(dims(x)) and prod(shape) <= MOST_ELEMENTS


def elements_of_shapes(node: Node, dtypes: Sequence[str]) -> list[Array | None] | None:
    """Return the outputs of a node that computes with symbolic dimensions, if they are known.

    Parameters
    ----------
    node
        The node.
    dtypes
        The data types of its outputs.

    Returns
    -------
    outputs
        The elements of each output; None where the node does not compute with dimensions.
    """
    if node.operator in ("Shape", "Size"):
        shape = as_elements(dims(node.input(0)))
        start, end = node.attribute("start", 0), node.attribute("end")
        return [shape[start:end] if node.operator == "Shape" else reduced(shape)]
    rule = RULES.get(node.operator)
    elements = [value.elements for value in node.values if value is not None]
    if rule is None or any(one is None or one.size > MOST_ELEMENTS for one in elements):
        return None
    if all(one is not None and one.dtype != object for one in elements):
        return None
    try:
        found = rule(node)
    except OutOfRange:
        raise
    except Refused:
        return None
    outputs = found if isinstance(found, list) else [found]
    return [settled(one, dtype) for one, dtype in zip(outputs, dtypes, strict=False)]


def settled(found: object, dtype: str) -> Array | None:
    """Return elements as an array, of NumPy's own data type if none of them is symbolic."""
    if found is None:
        return None
    elements = np.empty(np.shape(found) if isinstance(found, np.ndarray) else (), dtype=object)
    elements[...] = found
    if any(is_symbolic(one) for one in elements.reshape(-1)):
        return elements
    return elements.astype(np.dtype(dtype))


def as_elements(values: Sequence[Element] | Element) -> Array:
    """Return an array of integers, or of objects if some are symbolic."""
    numbers = np.array(values, dtype=object)
    whole = all(isinstance(one, int | np.integer) for one in numbers.reshape(-1))
    return numbers.astype(np.int64) if whole else numbers


def reduced(x: Array) -> Array:
    """Return the product of all elements."""
    result: Any = 1
    for one in x.reshape(-1):
        result = one * result
    return as_elements(result)


def reduced_product(node: Node) -> Array | None:
    """Return the product of a vector, of shape (1,) or (); None for quotients and matrices."""
    x = node.elements(0)
    if x.ndim > 1 or any(isinstance(one, Quotient) for one in x.reshape(-1)):
        return None
    return reduced(x).reshape([1] * x.ndim if node.flag("keepdims", True) else [])


def gathered(node: Node) -> Array | None:
    """Return the elements at known indices; an index beyond the axis raises `OutOfRange`."""
    indices = node.elements(1)
    if indices.dtype == object:
        return None
    try:
        return np.take(node.elements(0), indices, node.attribute("axis", 0))
    except IndexError as error:
        raise OutOfRange(str(error)) from None


def sliced(node: Node) -> Array:
    """Return a slice; a missing step is 1, and missing axes are the first ones."""
    x = node.elements(0)
    starts, ends = node.integers(1, "starts") or [], node.integers(2, "ends") or []
    axes = node.integers(3, "axes") or range(len(starts))
    steps = node.integers(4) or [1] * len(starts)
    index = [slice(None)] * x.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        # An end before the first element is -1 to NumPy.
        stop = None if step < 0 and end < -x.shape[axis] else end
        index[axis] = slice(start, stop, step)
    return x[tuple(index)]


def joined(node: Node) -> Array:
    """Return the inputs side by side along the axis of the node."""
    parts = [node.elements(place).astype(object) for place in range(len(node.values))]
    return np.concatenate(parts, node.attribute("axis"))


def unsqueezed(node: Node) -> Array:
    """Return the elements with axes of length 1, whose places count in the result."""
    return np.expand_dims(node.elements(0), tuple(node.integers(1, "axes") or ()))


def squeezed(node: Node) -> Array:
    """Return the elements without the given axes of length 1; without all if none are given."""
    axes = node.integers(1, "axes")
    return np.squeeze(node.elements(0), None if axes is None else tuple(axes))


def expanded(node: Node) -> Array:
    """Return the elements broadcast with a shape, which may have dimensions of 1."""
    x, shape = node.elements(0), node.integers(1) or []
    return np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(shape)))


def divided(node: Node) -> list[Array] | None:
    """Return the parts of a split vector."""
    x, sizes = node.elements(0), node.integers(1, "split")
    if x.ndim != 1:
        return None
    if sizes is None:
        whole = -(-len(x) // node.attribute("num_outputs", node.output_count))
        sizes = [whole] * (node.output_count - 1)
    else:
        sizes = sizes[:-1]
    return list(np.split(x, np.cumsum(sizes)))


# The types whose numbers hold every size.
WIDE = ("float32", "float64", "int32", "int64")


def cast(node: Node) -> Array | None:
    """Return the elements as another type; None if the type cannot hold every size."""
    target = onnx.helper.tensor_dtype_to_np_dtype(node.attribute("to"))
    if str(target) == dtype_of(node.input(0)):
        return node.elements(0)
    if str(target) not in WIDE:
        return None
    convert = symbolic.to_float if target.kind == "f" else symbolic.to_integer
    return elementwise(node, convert, lambda x: x.astype(target))


def chosen(node: Node) -> Array | None:
    """Return elements of the second input where the known condition holds, else of the third."""
    flags = node.elements(0)
    if flags.dtype == object:
        return None
    flags, a, b = np.broadcast_arrays(flags, node.elements(1), node.elements(2))
    picked = np.empty(flags.shape, dtype=object)
    picked[flags], picked[~flags] = a[flags], b[~flags]
    return picked


def elementwise(
    node: Node,
    function: Callable[..., Element],
    of_numbers: Callable[..., object],
    takes_conditions: bool = False,
) -> Array:
    """Return a function of elements; those that are numbers have their data type.

    Parameters
    ----------
    node
        The node.
    function
        The function of elements of which one is symbolic.
    of_numbers
        The same for NumPy's scalars.
    takes_conditions
        Whether a symbolic element may be a condition on sizes.

    Raises
    ------
    Refused
        If an element is a condition on sizes, and the function takes none.
    """
    dtype = np.dtype(dtype_of(node.input(0)))

    def apply(*operands: Element) -> Element:
        if not takes_conditions and any(symbolic.is_condition(one) for one in operands):
            raise Refused("a condition on symbolic sizes")
        if any(is_symbolic(one) for one in operands):
            return function(*operands)
        with np.errstate(all="ignore"):
            return plain(of_numbers(*(dtype.type(one) for one in operands)))

    arrays = np.broadcast_arrays(*(node.elements(place) for place in range(len(node.values))))
    result = np.empty(arrays[0].shape, dtype=object)
    flat = [array.astype(object).reshape(-1) for array in arrays]
    for place in range(result.size):
        result.reshape(-1)[place] = apply(*(one[place] for one in flat))
    return result


def rule(function: Callable[..., Element], of_numbers: Callable[..., object]) -> Rule:
    """Return the rule of a function of elements."""
    return lambda node: elementwise(node, function, of_numbers)


def connective(function: Callable[..., Element], of_numbers: Callable[..., object]) -> Rule:
    """Return the rule of a function of conditions."""
    return lambda node: elementwise(node, function, of_numbers, takes_conditions=True)


def folded(
    function: Callable[[object, object], Element], of_numbers: Callable[..., object]
) -> Rule:
    """Return the rule of a function of two elements that takes any number of operands."""

    def of_two(a: Element, b: Element) -> Element:
        return function(a, b) if is_symbolic(a) or is_symbolic(b) else plain(of_numbers(a, b))

    def apply(*operands: Element) -> Element:
        return reduce(of_two, operands)

    return rule(apply, apply)


def plain(x: object) -> Element:
    """Return a number of Python, which expressions take."""
    return x.item() if isinstance(x, np.generic) else x


def comparison(function: Callable[[Any, Any], Any]) -> Rule:
    """Return the rule of a comparison; a result that depends on sizes is a condition on them."""
    return rule(partial(symbolic.compare, function), function)


def quotient_of_numbers(a: Any, b: Any) -> Any:
    """Divide; integers round toward zero."""
    if isinstance(a, np.floating):
        return a / b
    if b == 0:
        raise Refused("a division by zero")
    return abs(int(a)) // abs(int(b)) * (1 if (a < 0) == (b < 0) else -1)


def remainder_of_numbers(a: Any, b: Any) -> Any:
    """Return the remainder with the sign of the divisor; `Refused` for a divisor of 0."""
    if b == 0:
        raise Refused("a remainder of a division by zero")
    return a % b


def remainder(node: Node) -> Array | None:
    """Return the remainders with the sign of the divisor; None for `fmod`."""
    return None if node.flag("fmod") else elementwise(node, symbolic.modulo, remainder_of_numbers)


RULES: dict[str, Rule] = {
    "Abs": rule(symbolic.absolute, abs),
    "Add": rule(symbolic.add, operator.add),
    "And": connective(symbolic.both, operator.and_),
    "Cast": cast,
    "Ceil": rule(symbolic.ceil, np.ceil),
    "Concat": joined,
    "Div": rule(symbolic.divide, quotient_of_numbers),
    "Equal": comparison(symbolic.equal),
    "Expand": expanded,
    "Floor": rule(symbolic.floor, np.floor),
    "Gather": gathered,
    "Greater": comparison(operator.gt),
    "GreaterOrEqual": comparison(operator.ge),
    "Identity": lambda node: node.elements(0),
    "Less": comparison(operator.lt),
    "LessOrEqual": comparison(operator.le),
    "Max": folded(symbolic.greatest, np.maximum),
    "Min": folded(symbolic.least, np.minimum),
    "Mod": remainder,
    "Mul": rule(symbolic.multiply, operator.mul),
    "Neg": rule(symbolic.negate, operator.neg),
    "Not": connective(symbolic.negation, np.logical_not),
    "Or": connective(symbolic.either, operator.or_),
    "ReduceProd": reduced_product,
    "Reshape": lambda node: node.elements(0).reshape(node.integers(1)),
    "Slice": sliced,
    "Split": divided,
    "Squeeze": squeezed,
    "Sub": rule(symbolic.subtract, operator.sub),
    "Unsqueeze": unsqueezed,
    "Where": chosen,
}
