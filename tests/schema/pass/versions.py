"""What files of older versions hold."""

from tschema import Object, declare, dialect, field, function, operand, operator, ty


@declare
class ColorEnum(ty.IntEnum):
    """A color."""

    RED = 0
    BLUE = 4


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


@declare
class PlaceNode(ExprNode):
    """A place."""

    type_key = "toy.Place"
    renamed_from = ["SpotNode", "toy.draft.Point", "PlaceNode"]
    removed_fields = ("weight", "height")
    at: ty.int64_t = field(renamed_from=["position", "x"], doc="Its position.")
    color: ColorEnum = field(stored_default=ColorEnum.BLUE, doc="Its color.")
    mode: str = field(default="fast", stored_default="exact", doc="How it is measured.")


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


@operator(
    since="2.0",
    renamed_from="smooth",
    upgrade=[
        "soft(x, *, beta, kind) -> soften(x, low=beta, mode='exact')",
        "soften(x, mask, *, low) -> soften(mask, low=low)",
    ],
)
def soften(
    x: ExprNode = operand(), low: ty.double = 0.0, mode: str = "fast", *, deep: bool = True
) -> ExprNode:
    """Do something."""
    ...
