"""Types of expressions and functions."""

from schema.ir.span import SpanNode
from tschema import Object, declare, field, ty


@declare
class TypeNode(Object):
    """
    Base of all types.

    Two types are the same if they are structurally equal.

    See Also
    --------
    Type

    Attributes
    ----------
    span
        Source location of the type; structural equality ignores it.
    """

    type_key = "uir.ir.Type"
    abstract = True
    dispatch = True
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore", repr=False)


@declare
class PrimTypeNode(TypeNode):
    """
    Type of a scalar or a vector that fits a register, such as `int32` or `float32x4`.

    See Also
    --------
    PrimType

    Attributes
    ----------
    dtype
        The data type of the value.
    """

    type_key = "uir.ir.PrimType"
    script = "ir.PrimType({dtype})"
    dtype: ty.DataType


@declare
class PointerTypeNode(TypeNode):
    """
    Type of an address in a storage scope.

    See Also
    --------
    PointerType

    Attributes
    ----------
    element_type
        The type of the pointee.
    storage_scope
        The storage scope, such as `global`, `shared` or `local`; empty means `global`.
    """

    type_key = "uir.ir.PointerType"
    script = "ir.PointerType({element_type}, {storage_scope})"
    element_type: TypeNode
    storage_scope: ty.String = field(default="")


@declare
class TupleTypeNode(TypeNode):
    """
    Type of a tuple; the empty tuple type is `void`.

    See Also
    --------
    TupleType

    Attributes
    ----------
    fields
        The types of the tuple's fields, in order.
    """

    type_key = "uir.ir.TupleType"
    script = "ir.TupleType({fields})"
    fields: ty.Array[TypeNode] = field(default_factory=list)


@declare
class FuncTypeNode(TypeNode):
    """
    Type of a function.

    See Also
    --------
    FuncType

    Attributes
    ----------
    arg_types
        The types of the parameters, in order.
    ret_type
        The type of the result.
    """

    type_key = "uir.ir.FuncType"
    script = "ir.FuncType({arg_types}, {ret_type})"
    arg_types: ty.Array[TypeNode]
    ret_type: TypeNode
