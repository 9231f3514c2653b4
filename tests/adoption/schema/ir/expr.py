"""The classes of `acme/expr.h`."""

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

    Note: The data type is set when an expression is made.

    Attributes
    ----------
    dtype
        Its data type.
    """

    type_key = "atlas.ir.Expr"
    reserve = 10
    default_constructible = True
    ref = "nullable"
    ref_init = None
    register = "hand"
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
    register = "hand"
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
    register = "hand"
    name: ty.String = field(structural="ignore", cpp_name="name_hint")


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
    register = "hand"
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
    register = "hand"
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
    register = "hand"
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
    mutable = True
    structural = "unique"
    default_constructible = True
    ref = "nullable"
    ref_init = None
    register = "hand"
    name: ty.String
    num_inputs: ty.int32_t = field(cpp_init="-1")
    effect: Effect = field(cpp_init="Effect::kPure")
    levels_: ty.foreign("std::vector<int>") = field(register=False, access="private")
    note_: ty.foreign("std::string") = field(register=False, access="private")

    @method(cpp="&OpNode::SetLevel")
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
    register = "hand"
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
    default_constructible = True
    ref = "nullable"
    ref_init = None
    polymorphic = True
    register = "hand"
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
    default_constructible = True
    ref = "nullable"
    ref_init = "hand"
    polymorphic = True
    register = "hand"
    rounds: ty.int32_t = field(cpp_init="1")
