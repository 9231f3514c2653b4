"""What importers know of expressions: shapes and data types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from uir_nodes import tir
from uir_nodes.ir import IntImm, PrimExpr, RelayExpr, TensorType

from .. import relay
from ..ir import post_order
from ..runtime import numpy_dtype
from .errors import Refused, SymbolicSizes

__all__ = [
    "Array",
    "Dim",
    "common_shape",
    "dims",
    "dims_of_rank",
    "dtype_of",
    "in_type",
    "is_one",
    "number",
    "positive",
    "product",
    "rank",
    "scalar",
    "size_tensor",
    "sizes",
    "symbols_of",
    "tensor_type",
    "widened",
]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Dim: TypeAlias = int | PrimExpr


def tensor_type(x: RelayExpr) -> TensorType:
    """Return the type of a tensor.

    Raises
    ------
    Refused
        If it is a tuple, as a sequence is.
    """
    if not isinstance(x.checked_type, TensorType):
        raise Refused(f"a value of the type `{x.checked_type}`, not a tensor")
    return x.checked_type


def dims(x: RelayExpr) -> list[Dim]:
    """Return the shape: integers, and expressions where a dimension is symbolic."""
    shape = tensor_type(x).shape
    return [int(dim.value) if isinstance(dim, IntImm) else dim for dim in shape]


def sizes(x: RelayExpr, what: str) -> list[int]:
    """Return the shape.

    Raises
    ------
    SymbolicSizes
        If a dimension is symbolic; `what` needs it.
    """
    shape = dims(x)
    numbers = [dim for dim in shape if isinstance(dim, int)]
    if len(numbers) < len(shape):
        raise SymbolicSizes(what, symbols_of(shape))
    return numbers


def symbols_of(shape: Sequence[Dim]) -> list[str]:
    """Return the names of the symbolic dimensions that dimensions depend on, each one once."""
    symbolic = [dim for dim in shape if isinstance(dim, PrimExpr)]
    found = (str(var.name) for dim in symbolic for var in post_order(dim, tir.SizeVar))
    return list(dict.fromkeys(found))


def rank(x: RelayExpr) -> int:
    """Return the number of dimensions."""
    return len(tensor_type(x).shape)


def dims_of_rank(x: RelayExpr, *ranks: int) -> list[Dim]:
    """Return the shape.

    Raises
    ------
    Refused
        If the rank is another one.
    """
    if rank(x) not in ranks:
        wanted = " or ".join(map(str, ranks))
        raise Refused(f"an operand of rank {rank(x)}, which must be {wanted}")
    return dims(x)


def positive(value: int, name: str) -> int:
    """Return an attribute.

    Raises
    ------
    Refused
        If it is not positive.
    """
    if value < 1:
        raise Refused(f"`{name}` is {value}, which must be positive")
    return value


def dtype_of(x: RelayExpr) -> str:
    """Return the data type of the elements."""
    return str(tensor_type(x).dtype)


def widened(x: RelayExpr) -> RelayExpr:
    """Return a tensor in the data type in which sums are taken: `float32` for narrower floats."""
    return in_type(x, "float32") if dtype_of(x) in ("float16", "bfloat16") else x


def in_type(x: RelayExpr, dtype: str) -> RelayExpr:
    """Return a tensor with its elements converted, unless they have the data type."""
    return x if dtype_of(x) == dtype else relay.cast(x, dtype)


def number(value: float, dtype: str) -> RelayExpr:
    """Return a number as a tensor of rank 0."""
    return relay.const(np.array(value).astype(numpy_dtype(dtype)))


def scalar(value: float, like: RelayExpr) -> RelayExpr:
    """Return a number as a tensor of rank 0, of the data type of another tensor."""
    return number(value, dtype_of(like))


def size_tensor(size: Dim, dtype: str = "int64") -> RelayExpr:
    """Return a dimension, or arithmetic on dimensions, as a tensor of rank 0.

    Raises
    ------
    Refused
        If the arithmetic has an operation that tensors do not have.
    """
    if isinstance(size, int):
        return number(size, dtype)
    computed = computed_size(size)
    return computed if dtype == "int64" else relay.cast(computed, dtype)


def computed_size(size: PrimExpr) -> RelayExpr:
    """Return a size as a tensor of `int64`: arithmetic on the dimensions of tensors."""
    if isinstance(size, IntImm):
        return number(int(size.value), "int64")
    if isinstance(size, tir.SizeVar):
        return relay.squeeze(relay.shape_of(relay.full(number(0, "bool"), [size])), [0])
    if isinstance(size, tir.Cast):
        return computed_size(size.value)
    function = OPERATIONS.get(type(size))
    if function is None or not isinstance(size, tir.BinaryOp):
        raise Refused(f"the size `{size}` as a tensor")
    return function(computed_size(size.a), computed_size(size.b))


OPERATIONS: dict[type, Callable[[RelayExpr, RelayExpr], RelayExpr]] = {
    tir.Add: relay.add,
    tir.FloorDiv: relay.floor_divide,
    tir.FloorMod: relay.mod,
    tir.Max: relay.maximum,
    tir.Min: relay.minimum,
    tir.Mul: relay.multiply,
    tir.Sub: relay.subtract,
}


def count(x: RelayExpr, axes: Sequence[int], dtype: str = "int64") -> RelayExpr:
    """Return the product of dimensions of a tensor, as a tensor of rank 0."""
    number = product([dims(x)[axis] for axis in axes])
    if isinstance(number, int):
        return relay.const(np.array(number, dtype))
    chosen = relay.const(np.array([axis % rank(x) for axis in axes], np.int64))
    found = relay.prod(relay.take(relay.shape_of(x), chosen, 0))
    return found if dtype == "int64" else relay.cast(found, dtype)


def is_one(dim: Dim) -> bool:
    """Return whether a dimension is known to be 1."""
    return isinstance(dim, int) and dim == 1


def common_shape(shapes: Sequence[Sequence[Dim]]) -> list[Dim]:
    """Return the shape that shapes broadcast to; a symbolic dimension is not 1."""
    length = max(map(len, shapes), default=0)
    result: list[Dim] = [1] * length
    for shape in shapes:
        for axis, dim in enumerate(shape, length - len(shape)):
            if is_one(result[axis]):
                result[axis] = dim
    return result


def greatest(a: Dim, b: Dim) -> Dim:
    """Return the greater one of two dimensions."""
    return max(a, b) if isinstance(a, int) and isinstance(b, int) else tir.max(a, b)


def least(a: Dim, b: Dim) -> Dim:
    """Return the smaller one of two dimensions."""
    return min(a, b) if isinstance(a, int) and isinstance(b, int) else tir.min(a, b)


def product(factors: Sequence[Dim]) -> Dim:
    """Return the product of dimensions."""
    result: Dim = 1
    for factor in factors:
        result = factor if isinstance(result, int) and result == 1 else result * factor
    return result
