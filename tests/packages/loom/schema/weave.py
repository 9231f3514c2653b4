"""Operators on tensors that are data: no C++ of this package is needed."""

from tschema import dialect, operand, operator, ty
from uir.schema.ir.attrs import AttrsNode
from uir.schema.ir.expr import RelayExprNode
from uir.schema.ir.span import SpanNode


@dialect
class WeaveDialect:
    """Operators on cloth."""

    operand = RelayExprNode
    make = "uir.relay.make_call"
    number = "uir.relay.as_operand"
    attributes = AttrsNode
    span = SpanNode
    shapes = True


@operator(kind="elementwise", relation="same", scalar="x / (1 + scale * abs(x))")
def soften(x: RelayExprNode = operand(dtype="T: float"), scale: ty.double = 1.0) -> RelayExprNode:
    """
    Soften cloth.

    Parameters
    ----------
    x
        Cloth of any shape.
    scale
        How much.
    """
    ...


@operator(kind="contraction", compute="y[*b, m, n] += warp[*b, m, k] * weft[*b, n, k]")
def weave(
    warp: RelayExprNode = operand(dtype="T: number"), weft: RelayExprNode = operand(dtype="T")
) -> RelayExprNode:
    """
    Weave threads into cloth.

    Parameters
    ----------
    warp
        Threads of shape `(*b, m, k)`.
    weft
        Threads of shape `(*b, n, k)`.
    """
    ...


@operator(kind="broadcast", relation="broadcast", decompose="soften(x, scale=0.5) * y + 1")
def dye(
    x: RelayExprNode = operand(dtype="T: float"), y: RelayExprNode = operand(dtype="T")
) -> RelayExprNode:
    """Dye cloth with a color, which broadcasts to it."""
    ...


@operator(
    kind="injective", relation="(n, *s) -> (n * times, *s)", require="times >= 1 and n % 2 == 0"
)
def stretch(x: RelayExprNode = operand(), *, times: ty.int64_t) -> RelayExprNode:
    """
    Stretch cloth along the first axis.

    Parameters
    ----------
    x
        Cloth of an even length.
    times
        How many times as long the result is.
    """
    ...


@operator(
    kind="broadcast",
    relation="(*s), (*s)? -> (*s)",
    decompose="x * width + (lining if is_given(lining) else 0.0)",
)
def hem(
    x: RelayExprNode = operand(dtype="T: float"),
    width: ty.float64 = ...,
    lining: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
) -> RelayExprNode:
    """
    Hem cloth.

    Parameters
    ----------
    x
        Cloth of any shape.
    width
        How wide the hem is.
    lining
        What is added, of a shape that broadcasts to that of `x`.
    """
    ...
