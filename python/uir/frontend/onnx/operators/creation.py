"""Operators that make tensors."""

from __future__ import annotations

from math import ceil

import numpy as np
from onnx import numpy_helper

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Dim, dims, dims_of_rank, dtype_of, rank, scalar
from .. import symbolic
from ..node import Converter, Node, data_type
from ..symbolic import divide, greatest, is_symbolic, subtract, to_float, to_integer

__all__ = ["CONVERTERS"]


def constant(node: Node) -> RelayExpr:
    """Return the value of the attribute that is given; strings and sparse values are refused."""
    for name, dtype in (("value_float", "float32"), ("value_int", "int64")):
        if node.attribute(name) is not None:
            return relay.const(np.array(node.attribute(name), dtype))
    for name, dtype in (("value_floats", "float32"), ("value_ints", "int64")):
        if node.attribute(name) is not None:
            return relay.const(np.array(list(node.attribute(name)), dtype))
    if node.attribute("value") is None:
        raise Refused("a constant of strings or a sparse one")
    data_type(node.attribute("value").data_type)
    return relay.const(numpy_helper.to_array(node.attribute("value")))


def constant_of_shape(node: Node) -> RelayExpr:
    """Fill a shape with the one element of `value`, by default 0 of float32."""
    shape, value = node.dimensions(0), node.attribute("value")
    assert shape is not None
    if value is None:
        return relay.full(relay.const(np.array(0, np.float32)), shape)
    data_type(value.data_type)
    element = numpy_helper.to_array(value)
    if element.size != 1:
        raise Refused(f"`value` has {element.size} elements, which must be 1")
    return relay.full(relay.const(element.reshape(())), shape)


def range_(node: Node) -> RelayExpr:
    """Count from the first input by steps, up to the second one, which is excluded."""
    x, step = node.input(0), node.number(2)
    if dtype_of(x).startswith("int") and step == 1:
        return relay.arange(node.dimension(0), node.dimension(1), dtype=dtype_of(x))
    counter = relay.arange(0, range_length(node), dtype=dtype_of(x))
    if step != 1:
        counter = relay.multiply(counter, scalar(step, x))
    return relay.add(counter, relay.reshape(x, []))


def range_length(node: Node) -> Dim:
    """Return the number of elements between bounds, which may be symbolic."""
    first, last = node.element(0), node.element(1)
    step = node.number(2)
    if step == 0:
        raise Refused("a step of 0")
    if not is_symbolic(first) and not is_symbolic(last):
        return int(max(0, ceil((last - first) / step)))
    reach = to_float(subtract(last, first))
    return to_integer(greatest(symbolic.ceil(divide(reach, step)), 0))


def diagonal(rows: Dim, columns: Dim, offset: RelayExpr) -> tuple[RelayExpr, RelayExpr]:
    """Return counters of rows, shifted by the offset of a diagonal, and of columns."""
    down = relay.add(relay.arange(0, rows, dtype="int64"), offset)
    return relay.expand_dims(down, [1]), relay.arange(0, columns, dtype="int64")


def eye_like(node: Node) -> RelayExpr:
    """Return ones on the diagonal `k` of a matrix, in the type of `dtype` or of the input."""
    x, to = node.input(0), node.attribute("dtype")
    rows, columns = dims_of_rank(x, 2)
    down, across = diagonal(rows, columns, relay.const(np.array(node.attribute("k", 0))))
    return relay.cast(relay.equal(down, across), dtype_of(x) if to is None else data_type(to))


def trilu(node: Node) -> RelayExpr:
    """Zero the elements above or below a diagonal of the last two dimensions."""
    x = node.input(0)
    given = node.optional(1)
    offset = relay.const(np.array(0)) if given is None else relay.reshape(given, [])
    if rank(x) < 2:
        raise Refused(f"a tensor of rank {rank(x)}, which must be at least 2")
    rows, columns = dims(x)[-2:]
    down, across = diagonal(rows, columns, offset)
    is_kept = relay.less_equal if node.flag("upper", True) else relay.greater_equal
    return relay.where(is_kept(down, across), x, scalar(0, x))


def one_hot(node: Node) -> RelayExpr:
    """Put `on` where the counter of classes is the index, else `off`; negative ones wrap once."""
    indices, count, values = node.input(0), int(node.number(1)), node.bind(node.input(2))
    dims_of_rank(values, 1)
    whole = relay.cast(indices, "int64")
    wanted = relay.mod(whole, scalar(count, whole))
    in_range = relay.logical_and(
        relay.less(indices, scalar(count, indices)),
        relay.greater_equal(indices, scalar(-count, indices)),
    )
    axis = node.attribute("axis", -1) % (rank(indices) + 1)
    classes = [1] * rank(indices)
    classes.insert(axis, count)
    counter = relay.reshape(relay.arange(0, count, dtype="int64"), classes)
    hot = relay.logical_and(
        relay.equal(relay.expand_dims(wanted, [axis]), counter),
        relay.expand_dims(in_range, [axis]),
    )
    off, on = (relay.squeeze(values[place : place + 1], [0]) for place in (0, 1))
    return relay.where(hot, on, off)


def shape_of(node: Node) -> RelayExpr:
    """Return the dimensions from `start` to `end` as int64."""
    return relay.shape_of(
        node.input(0), start=node.attribute("start", 0), end=node.attribute("end")
    )


CONVERTERS: dict[str, Converter] = {
    "Constant": constant,
    "ConstantOfShape": constant_of_shape,
    "EyeLike": eye_like,
    "OneHot": one_hot,
    "Range": range_,
    "Shape": shape_of,
    "Size": lambda node: relay.prod(relay.shape_of(node.input(0))),
    "Trilu": trilu,
}
