"""Operators with complex operands or results: pairs of real and imaginary parts."""

from __future__ import annotations

from collections.abc import Callable

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import common_shape, dims, in_type, rank, scalar
from ..complex_pairs import Complex
from ..node import Converter, Node, Outputs, data_type
from ..refusals import COMPLEX
from . import fourier
from .elementwise import CONVERTERS as ELEMENTWISE
from .elementwise import angle_of
from .indexing import CONVERTERS as INDEXING
from .reductions import CONVERTERS as REDUCTIONS
from .shapes import CONVERTERS as SHAPES
from .special import length_of

__all__ = ["ON_COMPLEX"]


def each_part(converter: Converter) -> Converter:
    """Return the converter that treats real and imaginary parts alike."""

    def convert(node: Node) -> Outputs:
        first, second = (converter(node.part(part)) for part in (real, imaginary))
        if isinstance(first, RelayExpr) and isinstance(second, RelayExpr):
            return Complex(first, second)
        assert not isinstance(first, (RelayExpr, Complex))
        assert not isinstance(second, (RelayExpr, Complex))
        return [paired(*both) for both in zip(first, second, strict=True)]

    return convert


def real(x: Complex) -> RelayExpr:
    """Return the real part."""
    return x.real


def imaginary(x: Complex) -> RelayExpr:
    """Return the imaginary part."""
    return x.imaginary


def paired(first: RelayExpr | Complex | None, second: RelayExpr | Complex | None) -> Complex:
    """Return two real tensors as a complex one."""
    assert isinstance(first, RelayExpr) and isinstance(second, RelayExpr)
    return Complex(first, second)


def joined(node: Node) -> Outputs:
    """Join tensors, all of which must be complex."""
    if not all(isinstance(one, Complex) for one in node.tensors("tensors")):
        raise Refused(COMPLEX)
    return each_part(SHAPES["cat.default"])(node)


def operand(node: Node, name: str) -> Complex:
    """Return an operand as a complex tensor in the precision of the result; it may be real."""
    value, dtype = node.get(name), node.part(real).dtype
    if isinstance(value, Complex):
        return Complex(in_type(value.real, dtype), in_type(value.imaginary, dtype))
    if isinstance(value, complex):
        raise Refused(COMPLEX)
    return with_zeros(node.converted(name, dtype))


def with_zeros(x: RelayExpr) -> Complex:
    """Return a real tensor as a complex one."""
    return Complex(x, relay.full(scalar(0, x), dims(x)))


def total(function: Callable[[RelayExpr, RelayExpr], RelayExpr]) -> Converter:
    """Return the converter of a sum or a difference."""

    def convert(node: Node) -> Complex:
        if node.get("alpha") not in (None, 1):
            raise Refused(COMPLEX)
        a, b = operand(node, "self"), operand(node, "other")
        return Complex(function(a.real, b.real), function(a.imaginary, b.imaginary))

    return convert


def product(node: Node) -> Complex:
    """Multiply; a real factor multiplies both parts."""
    for factor, other in (("self", "other"), ("other", "self")):
        if not isinstance(node.get(factor), Complex | complex):
            real_factor = node.converted(factor, node.part(real).dtype)
            x = operand(node, other)
            return Complex(
                relay.multiply(x.real, real_factor), relay.multiply(x.imaginary, real_factor)
            )
    a, b = operand(node, "self"), operand(node, "other")
    return Complex(
        relay.subtract(relay.multiply(a.real, b.real), relay.multiply(a.imaginary, b.imaginary)),
        relay.add(relay.multiply(a.real, b.imaginary), relay.multiply(a.imaginary, b.real)),
    )


def quotient(node: Node) -> Complex:
    """Divide by a real number or tensor."""
    if isinstance(node.get("other"), Complex | complex):
        raise Refused("the quotient of complex numbers")
    x, divisor = operand(node, "self"), node.converted("other", node.part(real).dtype)
    return Complex(relay.divide(x.real, divisor), relay.divide(x.imaginary, divisor))


def conjugate(node: Node) -> Complex:
    """Change the sign of imaginary parts."""
    x = node.complex()
    return Complex(x.real, relay.negative(x.imaginary))


def to_copy(node: Node) -> Outputs:
    """Convert to another data type; real numbers lose their imaginary parts."""
    x = node.get("self")
    if isinstance(x, Complex) and not node.is_complex:
        dtype = data_type(node.get("dtype"))
        if dtype == "bool":
            return relay.logical_or(relay.cast(x.real, "bool"), relay.cast(x.imaginary, "bool"))
        return in_type(x.real, dtype)
    return operand(node, "self")


def from_parts(node: Node) -> Complex:
    """Return pairs of real and imaginary parts, which `real` and `imag` are; they broadcast."""
    parts = [node.tensor("real"), node.tensor("imag")]
    shape = common_shape([dims(one) for one in parts])
    return Complex(*(relay.broadcast_to(one, shape) for one in parts))


def from_polar(node: Node) -> Complex:
    """Return numbers by their absolute values and angles."""
    length, angle = node.tensor("abs"), node.tensor("angle")
    return Complex(
        relay.multiply(length, relay.cos(angle)), relay.multiply(length, relay.sin(angle))
    )


def from_pairs(node: Node) -> Complex:
    """Return pairs along the last axis as complex numbers."""
    x = node.tensor()
    parts = [
        relay.squeeze(relay.strided_slice(x, [place], [place + 1], axes=[-1]), [rank(x) - 1])
        for place in (0, 1)
    ]
    return Complex(*parts)


def to_pairs(node: Node) -> RelayExpr:
    """Return complex numbers as pairs along a new last axis."""
    x = node.complex()
    parts = [relay.expand_dims(part, [rank(part)]) for part in (x.real, x.imaginary)]
    return relay.concatenate(parts, -1)


def absolute(node: Node) -> RelayExpr:
    """Return absolute values."""
    x = node.complex()
    return length_of(x.real, x.imaginary)


def angle(node: Node) -> RelayExpr:
    """Return the angles of numbers."""
    x = node.complex()
    return angle_of(x.imaginary, x.real)


def exponential(node: Node) -> Complex:
    """Return `exp(real) * (cos(imag) + i * sin(imag))`."""
    x = node.complex()
    length = relay.exp(x.real)
    return Complex(
        relay.multiply(length, relay.cos(x.imaginary)),
        relay.multiply(length, relay.sin(x.imaginary)),
    )


# Operators that treat both parts alike: they move elements, add them up or change their signs.
ALIKE = {
    **{
        name: ELEMENTWISE[f"{name}.default"]
        for name in ("alias", "clone", "contiguous", "detach", "lift_fresh_copy", "neg")
    },
    **{name: INDEXING[name] for name in ("gather.default", "index.Tensor", "index_select.default")},
    **{name: REDUCTIONS[name] for name in ("mean.dim", "sum.default", "sum.dim_IntList")},
    **{
        name: converter
        for name, converter in SHAPES.items()
        if "pad" not in name and name != "cat.default"
    },
}

ON_COMPLEX: dict[str, Converter] = {
    **{
        f"aten.{name}" if "." in name else f"aten.{name}.default": each_part(converter)
        for name, converter in ALIKE.items()
    },
    "aten._conj.default": conjugate,
    "aten._conj_physical.default": conjugate,
    "aten._fft_c2c.default": fourier.complex_to_complex,
    "aten._fft_c2r.default": fourier.complex_to_real,
    "aten._fft_r2c.default": fourier.real_to_complex,
    "aten._to_copy.default": to_copy,
    "aten.abs.default": absolute,
    "aten.add.Tensor": total(relay.add),
    "aten.angle.default": angle,
    "aten.cat.default": joined,
    "aten.complex.default": from_parts,
    "aten.div.Scalar": quotient,
    "aten.div.Tensor": quotient,
    "aten.exp.default": exponential,
    "aten.mul.Scalar": product,
    "aten.mul.Tensor": product,
    "aten.polar.default": from_polar,
    "aten.sub.Tensor": total(relay.subtract),
    "aten.view_as_complex.default": from_pairs,
    "aten.view_as_real.default": to_pairs,
}
