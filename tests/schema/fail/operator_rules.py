"""Rules of operators that do not parse, or name what is not there."""

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


@operator(relation="(m, k")
def a(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(relation="samee")
def b(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(relation="(m) -> (n)")
def c(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(scalar="max(x, limit)")
def d(x: ExprNode = operand(dtype="T: float"), lower: ty.float64 = 0.0) -> ExprNode:
    """Do something."""
    ...


@operator(scalar="x.y")
def e(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(compute="x + 1")
def f(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(compute="y[i] = x[i] * z[i] + j")
def g(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(decompose="a(x) + aa(x)")
def h(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(require="m > 0")
def i(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(relation="(m), (m) -> (m)")
def j(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(relation="(m) -> (m)")
def k(x: ty.Optional[ExprNode] = operand(default=None)) -> ExprNode:
    """Do something."""
    ...


@operator(relation="(m) -> (fold(m))")
def l(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(compute="x[i] = x[i]")
def m(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(decompose="y = a(x); x = a(z); y")
def n(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...


@operator(decompose="y = a(x); y = a(y); y")
def o(x: ExprNode = operand(dtype="T: float")) -> ExprNode:
    """Do something."""
    ...
