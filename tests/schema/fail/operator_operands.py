"""Operands of operators that cannot be."""

from tschema import Object, declare, dialect, function, operand, operator, ty


@declare
class ExprNode(Object):
    """An expression."""

    type_key = "toy.Expr"


@function
def make_call(op: Object, operands: ty.Array[ty.Any], attributes: ty.Array[ty.Any]) -> ExprNode:
    """Make a call."""
    ...


@declare
class PairNode(ExprNode):
    """
    A pair.

    Attributes
    ----------
    x, y
        Its parts.
    z
        Another part.
    """

    type_key = "toy.Pair"
    x: ExprNode
    y: ExprNode
    z: ty.int64_t = 0


@dialect
class KilnDialect:
    """
    Operators.

    Attributes
    ----------
    hot
        Whether it is hot.
    """

    operand = ExprNode
    make = "toy.make_call"
    hot: ty.bool = False


@operator()
def a(x: ExprNode = operand(dtype="T: flaot")) -> ExprNode:
    """Do something."""
    ...


@operator()
def b(x: ExprNode = operand(dtype="T")) -> ExprNode:
    """Do something."""
    ...


@operator()
def c(x: ty.int64_t = operand()) -> ExprNode:
    """Do something."""
    ...


@operator()
def d(x: ExprNode = operand(default=1)) -> ExprNode:
    """Do something."""
    ...


@operator()
def e(axis: ty.int64_t, x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(result="U")
def f(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(builds=ExprNod)
def g(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(builds="ExprNode")
def h(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator()
def i(x: ExprNode = operand(kind="a")) -> ExprNode:
    """Do something."""
    ...


@operator(name="a")
def j(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator()
def k(x: ExprNode = operand(dtype=3)) -> ExprNode:
    """Do something."""
    ...


@operator(builds=PairNode)
def l(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...
