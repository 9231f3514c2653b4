"""A small language of expressions."""

from tschema import Object, declare, field, method, ty


@declare
class Effect(ty.IntEnum):
    """
    What a call does besides giving a value.

    Attributes
    ----------
    PURE
        None.
    READS
        It reads memory.
    WRITES
        It writes memory.
    """

    PURE = 0
    READS = 1
    WRITES = 2


@declare
class ExprNode(Object):
    """
    Base of all expressions.

    Attributes
    ----------
    dtype
        Its data type.
    """

    type_key = "atlas.ir.Expr"
    default_constructible = True
    ref = "nullable"
    ref_init = None
    dtype: ty.DataType = field(cpp_init="DLDataType{kDLInt, 32, 1}")


@declare
class IntImmNode(ExprNode):
    """
    An integer that is known.

    Attributes
    ----------
    value
        Its value.
    """

    type_key = "atlas.ir.IntImm"
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    value: ty.int64_t = field(cpp_type="Index")


@declare
class VarNode(ExprNode):
    """
    A variable.

    Attributes
    ----------
    name
        Its name, which need not be its own.
    """

    type_key = "atlas.ir.Var"
    structural = "var"
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    name: ty.String = field(cpp_name="name_hint", structural="ignore")


@declare
class AddNode(ExprNode):
    """
    `a + b`.

    Attributes
    ----------
    a
        The left operand.
    b
        The right operand.
    """

    type_key = "atlas.ir.Add"
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    a: ExprNode
    b: ExprNode


@declare
class MulNode(ExprNode):
    """
    `a * b`.

    Attributes
    ----------
    a
        The left operand.
    b
        The right operand.
    """

    type_key = "atlas.ir.Mul"
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    a: ExprNode
    b: ExprNode


@declare
class LetNode(ExprNode):
    """
    A value that has a name in an expression.

    Attributes
    ----------
    var
        The name.
    value
        What it stands for.
    body
        Where it may be used.
    """

    type_key = "atlas.ir.Let"
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    var: VarNode = field(structural="def")
    value: ExprNode
    body: ExprNode


@declare
class OpNode(Object):
    """
    What can be called.

    Attributes
    ----------
    name
        Its name.
    num_inputs
        Number of operands, or -1 for any.
    effect
        What a call of it does.
    """

    type_key = "atlas.ir.Op"
    structural = "unique"
    mutable = True
    default_constructible = True
    ref = "nullable"
    ref_init = None
    name: ty.String
    num_inputs: ty.int32_t = -1
    effect: Effect = Effect.PURE
    levels: ty.foreign("std::vector<int>") = field(cpp_name="levels_", access="private")
    note: ty.foreign("std::string") = field(cpp_name="note_", access="private")

    @method
    def set_level(self, level: ty.int32_t) -> None:
        """Note a level of support; not part of what is registered."""
        ...


@declare
class CallNode(ExprNode):
    """
    A call.

    Attributes
    ----------
    op
        What is called.
    args
        Its operands.
    attrs
        What else is said about it.
    """

    type_key = "atlas.ir.Call"
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    op: OpNode
    args: ty.Array[ExprNode]
    attrs: ty.Map[ty.String, ty.Any] = field(cpp_type="Attrs")


@declare
class PassNode(Object):
    """
    Something that changes expressions.

    Attributes
    ----------
    name
        Its name.
    """

    type_key = "atlas.ir.Pass"
    structural = None
    polymorphic = True
    default_constructible = True
    ref = "nullable"
    ref_init = None
    name: ty.String


@declare
class FoldNode(PassNode):
    """
    Computes what is known.

    Attributes
    ----------
    rounds
        Number of times that it goes over an expression.
    """

    type_key = "atlas.ir.Fold"
    structural = None
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    rounds: ty.int32_t = 1
