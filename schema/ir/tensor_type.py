"""The type of tensors, whose shapes are expressions."""

from schema.ir.expr import PrimExprNode
from schema.ir.types import TypeNode
from tschema import declare, ty


@declare
class TensorTypeNode(TypeNode):
    """
    Type of a dense tensor with a known number of dimensions.

    See Also
    --------
    TensorType

    Attributes
    ----------
    shape
        Extent of each dimension, outermost first, as scalar integer expressions; empty for a
        scalar. A constant becomes an `int32`, if it fits, so that equal shapes are equal nodes.
        The product of the constant extents must be fewer than 2**63 bytes; otherwise it is a
        ValueError.
    dtype
        The data type of the elements.
    """

    type_key = "uir.ir.TensorType"
    script = "ir.TensorType({shape}, {dtype})"
    post_init = True
    shape: ty.Array[PrimExprNode]
    dtype: ty.DataType
