"""What another package declares."""

from tschema import Object, declare, field, function, method, ty


@declare
class SpanNode(Object):
    """A span, which the package reaches through a field only."""

    type_key = "base.ir.Span"


@declare
class UnusedNode(Object):
    """Not used."""

    type_key = "base.ir.Unused"


@declare
class Kind(ty.IntEnum):
    """A kind."""

    ONE = 1


@declare
class OtherKind(ty.IntEnum):
    """Not used."""

    TWO = 2


@declare
class ExprNode(Object):
    """An expression with room for two."""

    type_key = "base.ir.Expr"
    abstract = True
    reserve = 2
    post_init = True
    structural = "dag"
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, doc="Where.")
    width: ty.int8_t = field(default=1, doc="How wide.")

    @method
    def what(self) -> Kind:
        """Return the kind."""
        ...


@function
def simplify(expr: ExprNode) -> ExprNode:
    """Simplify."""
    ...
