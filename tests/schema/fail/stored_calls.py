"""Stored calls that no rule can bring to the form of now."""

from tschema import Object, declare, dialect, function, operand, operator, ty


@declare
class ExprNode(Object):
    """An expression."""

    type_key = "toy.Expr"
    final = False


@declare
class AttrsNode(Object):
    """Attributes."""

    type_key = "toy.Attrs"
    final = False


@function
def make_call(op: Object, operands: ty.Array[ty.Any], attrs: AttrsNode | None) -> ExprNode:
    """Make a call."""
    ...


@dialect
class ToyDialect:
    """Operators on expressions."""

    operand = ExprNode
    make = "toy.make_call"
    attributes = AttrsNode


@operator(upgrade="a(x)", renamed_from="b c")
def a(x: ExprNode = operand()) -> ExprNode:
    """Do something."""
    ...


@operator(upgrade=["b(x, y) -> b(y)", "b(x) -> c(x)", "b(x) -> b(x, low=z)", "b(x) -> b(x, w=1)"])
def b(x: ExprNode = operand(), low: int = 1) -> ExprNode:
    """Do something."""
    ...


@operator(
    upgrade=[
        "c(x, y) -> c(y, x, low=1)",
        "old(x) -> c(x, low=1)",
        "old(x, y) -> c(x, 2, low=1)",
        "old(x, *, k) -> c(x, k, low=1)",
        "old(x, y, z) -> c(x, y, low=z)",
        "old(x, y, *, low) -> c(x, y, low=1)",
        "old(x, y) -> c(x, y)",
        "old(x, y=1) -> c(x, y)",
        "old(x, y) -> c(x, y, low=[1])",
    ]
)
def c(x: ExprNode = operand(), y: ExprNode = operand(), *, low: int) -> ExprNode:
    """Do something."""
    ...


@operator(upgrade=3, renamed_from=["d"])
def d(x: ExprNode = operand()) -> ExprNode:
    """Do something."""
    ...
