"""Options and traits of operators that do not exist or have wrong values."""

from tschema import Object, declare, dialect, function, operand, operator, ty


@declare
class ExprNode(Object):
    """An expression."""

    type_key = "toy.Expr"


@function
def make_call(op: Object, operands: ty.Array[ty.Any], attributes: ty.Array[ty.Any]) -> ExprNode:
    """Make a call."""
    ...


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


@operator(kind="elementwize")
def a(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(trait=True)
def b(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(hot=1)
def c(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(custom="yes")
def d(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator("row")
def e(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(effect=None, relation=3)
def f(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(name="a b", hott=True)
def g(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@function(apy=True)
def h(x: ExprNode) -> None:
    """Do something."""
    ...


@function(makes_pass=True)
def j() -> ExprNode:
    """Do something."""
    ...


@function(api=1)
def i(x: ExprNode) -> None:
    """Do something."""
    ...
