"""The order of constructor arguments, and restated fields."""

from tschema import Object, declare, field, ty


@declare
class BaseNode(Object):
    """
    A base.

    Attributes
    ----------
    span
        Where it was written.
    dtype
        The data type.
    """

    type_key = "toy.Base"
    abstract = True
    span: ty.Optional[ty.Object] = field(
        default=None, kw_only=True, structural="ignore", repr=False
    )
    dtype: ty.DataType


@declare
class VarNode(BaseNode):
    """
    Takes the name before the data type.

    Attributes
    ----------
    name
        The name.
    """

    type_key = "toy.Var"
    name: ty.String
    dtype: ty.DataType = "int32"


@declare
class AddNode(BaseNode):
    """
    Derives its data type.

    Attributes
    ----------
    dtype
        That of the operands.
    a
        The left operand.
    b
        The right operand.
    strict
        Whether overflow is an error.
    level
        How hard to try.
    """

    type_key = "toy.Add"
    post_init = True
    dtype: ty.DataType = field(init=False)
    strict: bool = field(kw_only=True)
    level: int = 3
    a: BaseNode
    b: BaseNode


@declare
class DoubleNode(AddNode):
    """Restates a restated field, and needs no `post_init` of its own."""

    type_key = "toy.Double"
    level: int
    b: BaseNode = field(init=False)
