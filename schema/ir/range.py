"""Ranges of integers."""

from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from tschema import Object, declare, field, ty


@declare
class RangeNode(Object):
    """
    Half-open range of integers `[min, min + extent)`.

    See Also
    --------
    Range

    Attributes
    ----------
    min
        The first value, a scalar integer.
    extent
        The number of values, of the same data type as `min`.
    span
        Source location of the range; structural equality ignores it.
    """

    type_key = "uir.ir.Range"
    script = "ir.Range({min}, {extent})"
    post_init = True
    min: PrimExprNode
    extent: PrimExprNode
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore", repr=False)
