"""A node of another package below uir's scalar expressions."""

from tschema import declare, field, function, method, ty
from uir.schema.ir.expr import PrimExprNode


@declare
class Rounding(ty.IntEnum):
    """
    How a value between two representable ones is rounded.

    Attributes
    ----------
    DOWN
        Towards negative infinity.
    NEAREST
        To the nearest, ties to even.
    """

    DOWN = 0
    NEAREST = 1


@declare
class ClampNode(PrimExprNode):
    """
    A value, limited to a range.

    Attributes
    ----------
    dtype
        The data type of `value`.
    value
        What is limited.
    bits
        Width of the signed range, 1 to 64 bits.
    rounding
        How `value` is rounded before it is limited.
    """

    type_key = "toy.Clamp"
    post_init = True
    dtype: ty.DataType = field(init=False)
    value: PrimExprNode
    bits: ty.uint8_t
    rounding: Rounding = Rounding.NEAREST

    @method
    def upper_bound(self) -> ty.int64_t:
        """
        Find the largest value of the range.

        Returns
        -------
        bound
            2^(bits-1) - 1.
        """
        ...


@function
def clamp_all(values: ty.Array[PrimExprNode], bits: ty.uint8_t = 8) -> ty.Array[ClampNode]:
    """
    Limit several values alike.

    Parameters
    ----------
    values
        What is limited.
    bits
        Width of the signed range, 1 to 64 bits.

    Returns
    -------
    clamped
        One node for each value.
    """
    ...


@function
def is_prim_expr(value: ty.Any) -> ty.bool:
    """
    Return whether C++ takes a value for one of uir's scalar expressions.

    Parameters
    ----------
    value
        Any value.

    Returns
    -------
    answer
        Whether it is one.
    """
    ...


@function
def lies_in_range(value: ty.Object) -> ty.bool:
    """
    Return whether an object's type index is in uir's range of scalar expressions.

    Parameters
    ----------
    value
        Any object.

    Returns
    -------
    answer
        Whether it is one.
    """
    ...
