"""The example of the schema RFC, with its bare keys."""

from tschema import Object, declare, ty


@declare
class BaseExprNode(Object):
    """
    Base type of all the expression.

    See Also
    --------
    BaseExpr
    """
    type_key = "BaseExpr"
    default_visit_attrs = False
    default_sequal_reduce = False
    default_shash_reduce = False

@declare
class PrimExprNode(BaseExprNode):
    """Base of scalars.

    Attributes
    ----------
    dtype
        The data type.
    """
    type_key = "PrimExpr"
    dtype: ty.DataType

@declare
class IntImmNode(PrimExprNode):
    """
    Constant integer literals in the program.

    See Also
    --------
    IntImm

    Attributes
    ----------
    value
        The internal value.
    """
    type_key = "IntImm"
    value: ty.int64_t
