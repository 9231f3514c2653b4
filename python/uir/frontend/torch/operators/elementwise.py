"""Elementwise operators."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from math import log, pi

from uir_nodes.ir import Op, RelayExpr, list_op_names

from .... import relay
from ...errors import Refused
from ...tensors import dims, dtype_of, in_type, scalar
from ..node import Converter, Node, data_type
from ..refusals import PARTLY_REFUSED

__all__ = ["CONVERTERS", "angle_of", "convert_element_type"]

Unary = Callable[[RelayExpr], RelayExpr]
Binary = Callable[[RelayExpr, RelayExpr], RelayExpr]


def unary(function: Unary) -> Converter:
    """Return the converter of a function of one tensor, whose integers become floats if need be."""
    return lambda node: function(node.converted("self"))


def rounding(function: Unary) -> Converter:
    """Return the converter of a function that leaves integers as they are."""

    def convert(node: Node) -> RelayExpr:
        x = node.tensor()
        return function(x) if is_float(x) else x

    return convert


def predicate(function: Unary) -> Converter:
    """Return the converter of a function of one tensor in its own data type."""
    return lambda node: function(node.tensor())


def binary(function: Binary, logical: Binary | None = None) -> Converter:
    """Return the converter of arithmetic, in the data type of the result.

    Truth values have the logical function.
    """

    def convert(node: Node) -> RelayExpr:
        chosen = logical if logical is not None and node.dtype == "bool" else function
        x, y = node.converted("self"), node.converted("other")
        if node.get("alpha") not in (None, 1):
            multiply = relay.multiply if chosen is function else relay.logical_and
            y = multiply(y, node.converted("alpha"))
        return chosen(x, y)

    return convert


def comparison(function: Binary) -> Converter:
    """Return the converter of a comparison, whose operands take their common data type.

    Truth values are compared as 0 and 1.
    """

    def convert(node: Node) -> RelayExpr:
        operands = node.common("self", "other")
        is_truth = dtype_of(operands[0]) == "bool"
        return function(*(in_type(one, "uint8") for one in operands) if is_truth else operands)

    return convert


def declared() -> dict[str, Converter]:
    """Return converters of functions of one tensor, which declarations of operators name."""
    table = {}
    for name in list_op_names():
        operator = Op.get(name).get_attr("torch") if name.startswith("relay.") else None
        if operator is None or not str(operator).endswith(".default"):
            continue
        function: Unary = getattr(relay, name.removeprefix("relay."))
        if len(set(inspect.signature(function).parameters) - {"span"}) == 1:
            table[str(operator).removeprefix("aten.")] = unary(function)
    return table


def divide(node: Node) -> RelayExpr:
    """Divide; `rounding_mode` rounds toward negative infinity (`floor`) or zero (`trunc`)."""
    x, y, mode = node.converted("self"), node.converted("other"), node.get("rounding_mode")
    if mode is None:
        return relay.divide(x, y)
    if mode == "floor":
        return relay.floor_divide(x, y)
    quotient = relay.divide(x, y)
    # Those of integers are cut off already.
    return truncated(quotient) if is_float(x) else quotient


def is_float(x: RelayExpr) -> bool:
    """Return whether a tensor has floating-point elements."""
    return "float" in dtype_of(x)


def reverse_subtract(node: Node) -> RelayExpr:
    """Return `other - self`."""
    return relay.subtract(node.converted("other"), node.converted("self"))


def scaled_log(base: float) -> Unary:
    """Return the logarithm to a base, as the natural one times a factor."""
    return lambda x: relay.multiply(relay.log(x), scalar(1 / log(base), x))


def gelu(node: Node) -> RelayExpr:
    """Return the Gaussian error linear unit, by `tanh` if `approximate` says so."""
    return relay.gelu(node.tensor(), approximate=node.get("approximate") == "tanh")


def elu(node: Node) -> RelayExpr:
    """Return `scale * x` where positive, else `scale * alpha * (exp(input_scale * x) - 1)`."""
    x, scale = node.tensor(), node.converted("scale")
    below = relay.expm1(relay.multiply(x, node.converted("input_scale")))
    chosen = relay.where(
        relay.less(x, scalar(0, x)), relay.multiply(below, node.converted("alpha")), x
    )
    return relay.multiply(chosen, scale)


def clamp(low: str, high: str) -> Converter:
    """Return the converter that limits elements by two arguments, each of which may be None."""

    def convert(node: Node) -> RelayExpr:
        bounds = [None if node.get(name) is None else node.converted(name) for name in (low, high)]
        return relay.clip(node.converted("self"), bounds[0], bounds[1])

    return convert


def clamp_tensors(node: Node) -> RelayExpr:
    """Limit elements by tensors, which broadcast; each bound may be None."""
    x, is_truth = node.converted("self"), node.dtype == "bool"
    if node.get("min") is not None:
        x = (relay.logical_or if is_truth else relay.maximum)(x, node.converted("min"))
    if node.get("max") is None:
        return x
    return (relay.logical_and if is_truth else relay.minimum)(x, node.converted("max"))


def dropout(node: Node) -> list[RelayExpr | None]:
    """Return the input; dropout in training is refused."""
    if node.get("train") and node.get("p"):
        raise Refused(PARTLY_REFUSED["native_dropout"])
    return [node.tensor("input"), None]


def to_copy(node: Node) -> RelayExpr:
    """Convert to another data type, if one is given."""
    x, dtype = node.tensor(), node.get("dtype")
    return x if dtype is None else relay.cast(x, data_type(dtype))


def convert_element_type(node: Node) -> RelayExpr:
    """Convert to another data type."""
    return relay.cast(node.tensor("a"), node.dtype)


def copy(node: Node) -> RelayExpr:
    """Return a tensor in the shape and the data type of another one."""
    x, source = node.tensor(), node.tensor("src")
    cast = source if dtype_of(source) == dtype_of(x) else relay.cast(source, dtype_of(x))
    return relay.broadcast_to(cast, dims(x))


def truncated(x: RelayExpr) -> RelayExpr:
    """Round floats toward zero."""
    return relay.multiply(relay.sign(x), relay.floor(relay.abs(x)))


def sign(node: Node) -> RelayExpr:
    """Return -1, 0 or 1; of NaN 0, as PyTorch does."""
    x = node.converted("self")
    found = relay.sign(x)
    return relay.where(relay.isnan(x), scalar(0, x), found) if is_float(x) else found


def power(node: Node) -> RelayExpr:
    """Raise to a power in the data type of the result."""
    return relay.power(node.converted("self"), node.converted("exponent"))


def arc_tangent(node: Node) -> RelayExpr:
    """Return the angle of points `(other, self)`; the signs of zeros count."""
    return angle_of(node.converted("self"), node.converted("other"))


def angle_of(y: RelayExpr, x: RelayExpr) -> RelayExpr:
    """Return the angle of points `(x, y)`, tensors of floats; the signs of zeros count."""
    high, wide = relay.abs(y), relay.abs(x)
    zero, one = scalar(0, x), scalar(1, x)
    # Along a diagonal a quotient may be that of zeros or of infinities.
    diagonal = relay.where(relay.equal(wide, zero), zero, one)
    ratio = relay.divide(relay.minimum(high, wide), relay.maximum(high, wide))
    angle = relay.atan(relay.where(relay.equal(high, wide), diagonal, ratio))
    steep = relay.subtract(scalar(pi / 2, x), angle)
    angle = relay.where(relay.greater(high, wide), steep, angle)
    angle = relay.where(has_sign(x), relay.subtract(scalar(pi, x), angle), angle)
    return relay.where(has_sign(y), relay.negative(angle), angle)


def has_sign(x: RelayExpr) -> RelayExpr:
    """Return whether numbers are negative, or the negative zero."""
    zero = scalar(0, x)
    return relay.less(relay.where(relay.equal(x, zero), relay.divide(scalar(1, x), x), x), zero)


def copy_sign(node: Node) -> RelayExpr:
    """Return magnitudes of `self` with signs of `other`, in which those of zeros count."""
    x = relay.abs(node.converted("self"))
    return relay.where(has_sign(node.converted("other")), relay.negative(x), x)


def sign_bit(node: Node) -> RelayExpr:
    """Return whether elements are negative, the negative zero included; truth values never are."""
    x = node.tensor()
    if dtype_of(x) == "bool":
        return relay.logical_and(x, relay.logical_not(x))
    return has_sign(x) if is_float(x) else relay.less(x, scalar(0, x))


def without_nan(function: Binary, logical: Binary) -> Converter:
    """Return the converter of an extremum that is NaN only where both operands are.

    That of truth values is the logical function.
    """

    def convert(node: Node) -> RelayExpr:
        x, y = node.converted("self"), node.converted("other")
        chosen = (logical if node.dtype == "bool" else function)(x, y)
        if not is_float(x):
            return chosen
        return relay.where(relay.isnan(x), y, relay.where(relay.isnan(y), x, chosen))

    return convert


def remainder_of_sign(node: Node) -> RelayExpr:
    """Return the remainder that has the sign of the dividend."""
    return relay.mod(node.converted("self"), node.converted("other"), truncated=True)


def leaky_relu(node: Node) -> RelayExpr:
    """Multiply negative elements by `negative_slope`."""
    return relay.leaky_relu(node.tensor(), alpha=float(node.get("negative_slope")))


def isinf(node: Node) -> RelayExpr:
    """Return whether elements are infinite; integers never are."""
    x = node.tensor()
    return relay.isinf(x) if is_float(x) else relay.not_equal(x, x)


def isnan(x: RelayExpr) -> RelayExpr:
    """Return whether elements are NaN; integers never are."""
    return relay.isnan(x) if is_float(x) else relay.not_equal(x, x)


def where(node: Node) -> RelayExpr:
    """Return elements of `self` where the condition holds, else of `other`."""
    return relay.where(node.tensor("condition"), node.converted("self"), node.converted("other"))


def masked_fill(node: Node) -> RelayExpr:
    """Write one value where the mask is true."""
    return relay.where(node.tensor("mask"), node.converted("value"), node.tensor())


ARITHMETIC: dict[str, Binary] = {
    "add": relay.add,
    "mul": relay.multiply,
    "remainder": relay.mod,
    "sub": relay.subtract,
}
ON_TRUTH: dict[str, Binary] = {
    "add": relay.logical_or,
    "mul": relay.logical_and,
}
COMPARISONS: dict[str, Binary] = {
    "eq": relay.equal,
    "ge": relay.greater_equal,
    "gt": relay.greater,
    "le": relay.less_equal,
    "lt": relay.less,
    "ne": relay.not_equal,
}
BITS: dict[str, Binary] = {
    "bitwise_and": relay.bitwise_and,
    "bitwise_or": relay.bitwise_or,
    "bitwise_xor": relay.bitwise_xor,
}
LOGIC: dict[str, Binary] = {
    "logical_and": relay.logical_and,
    "logical_or": relay.logical_or,
    "logical_xor": relay.logical_xor,
}


def bits(whole: Binary, logical: Binary) -> Converter:
    """Return the converter of an operator on bits, which is logical on truth values."""

    def convert(node: Node) -> RelayExpr:
        x, y = node.converted("self"), node.converted("other")
        return (logical if node.dtype == "bool" else whole)(x, y)

    return convert


def logical(function: Binary) -> Converter:
    """Return the converter of a function of truth values: elements other than 0 are true."""
    return lambda node: function(node.converted("self", "bool"), node.converted("other", "bool"))


def bitwise_not(node: Node) -> RelayExpr:
    """Return the complement of bits; that of truth values is their negation."""
    x = node.tensor()
    return relay.logical_not(x) if node.dtype == "bool" else relay.bitwise_not(x)


SUFFIXES = ("Tensor", "Scalar")
SHIFTS: dict[str, Binary] = {"left": relay.left_shift, "right": relay.right_shift}
# The overloads of shifts.
OF_SHIFTS = ("Tensor", "Tensor_Scalar", "Scalar_Tensor")

CONVERTERS: dict[str, Converter] = {
    **declared(),
    **{
        f"{name}.{end}": binary(f, ON_TRUTH.get(name))
        for name, f in ARITHMETIC.items()
        for end in SUFFIXES
    },
    **{f"{name}.{end}": comparison(f) for name, f in COMPARISONS.items() for end in SUFFIXES},
    **{
        f"{name}.{end}": bits(f, on_truth)
        for (name, f), on_truth in zip(BITS.items(), LOGIC.values(), strict=True)
        for end in SUFFIXES
    },
    **{
        f"{name}.Scalar_Tensor": bits(f, on_truth)
        for (name, f), on_truth in zip(BITS.items(), LOGIC.values(), strict=True)
    },
    **{f"bitwise_{name}_shift.{end}": binary(f) for name, f in SHIFTS.items() for end in OF_SHIFTS},
    **{f"__{name[0]}shift__.{end}": binary(f) for name, f in SHIFTS.items() for end in SUFFIXES},
    **{f"{name}.default": logical(f) for name, f in LOGIC.items()},
    **{f"div.{end}": divide for end in SUFFIXES},
    **{f"div.{end}_mode": divide for end in SUFFIXES},
    "alias.default": predicate(lambda x: x),
    "atan2.default": arc_tangent,
    "bitwise_not.default": bitwise_not,
    "clamp.Tensor": clamp_tensors,
    "clamp.default": clamp("min", "max"),
    "clone.default": predicate(lambda x: x),
    "contiguous.default": predicate(lambda x: x),
    "copy.default": copy,
    "copysign.Scalar": copy_sign,
    "copysign.Tensor": copy_sign,
    "detach.default": predicate(lambda x: x),
    "elu.default": elu,
    "exp2.default": unary(lambda x: relay.power(scalar(2, x), x)),
    "fmax.default": without_nan(relay.maximum, relay.logical_or),
    "fmin.default": without_nan(relay.minimum, relay.logical_and),
    "floor_divide.default": binary(relay.floor_divide),
    "fmod.Scalar": remainder_of_sign,
    "fmod.Tensor": remainder_of_sign,
    "gelu.default": gelu,
    "hardtanh.default": clamp("min_val", "max_val"),
    "isinf.default": isinf,
    "isnan.default": predicate(isnan),
    "leaky_relu.default": leaky_relu,
    "lift_fresh_copy.default": predicate(lambda x: x),
    "log10.default": unary(scaled_log(10)),
    "log2.default": unary(scaled_log(2)),
    "logical_not.default": lambda node: relay.logical_not(node.converted("self", "bool")),
    "masked_fill.Scalar": masked_fill,
    "masked_fill.Tensor": masked_fill,
    "maximum.default": binary(relay.maximum, relay.logical_or),
    "minimum.default": binary(relay.minimum, relay.logical_and),
    "native_dropout.default": dropout,
    "pow.Scalar": power,
    "pow.Tensor_Scalar": power,
    "pow.Tensor_Tensor": power,
    "reciprocal.default": unary(lambda x: relay.divide(scalar(1, x), x)),
    "remainder.Scalar_Tensor": binary(relay.mod),
    "rsub.Scalar": reverse_subtract,
    "sign.default": sign,
    "signbit.default": sign_bit,
    "square.default": unary(lambda x: relay.multiply(x, x)),
    "_to_copy.default": to_copy,
    "true_divide.Tensor": divide,
    "trunc.default": rounding(truncated),
    **{f"{f.__name__}.default": rounding(f) for f in (relay.ceil, relay.floor, relay.round)},
    "where.self": where,
}
