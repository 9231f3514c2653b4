"""A dialect with operators: operands, attributes, rules and traits."""

from tschema import Object, declare, dialect, function, operand, operator, ty


@declare
class Glaze(ty.IntEnum):
    """
    What covers clay.

    Attributes
    ----------
    NONE
        Nothing.
    SALT
        Salt.
    """

    NONE = 0
    SALT = 4


@declare
class SpanNode(Object):
    """A place."""

    type_key = "harbor.Span"


@declare
class AttrsNode(Object):
    """Attributes."""

    type_key = "harbor.Attrs"
    abstract = True


@declare
class ClayNode(Object):
    """A piece of clay."""

    type_key = "harbor.Clay"


@declare
class LumpNode(ClayNode):
    """
    Two pieces.

    Attributes
    ----------
    a, b
        The pieces.
    """

    type_key = "harbor.Lump"
    a: ClayNode
    b: ClayNode


@dialect
class YardDialect:
    """
    Operators on clay.

    Attributes
    ----------
    glaze
        What the result is covered with.
    is_hot
        Whether it must cool down.
    """

    operand = ClayNode
    make = "harbor.make_call"
    number = "harbor.as_clay"
    attributes = AttrsNode
    span = SpanNode
    shapes = True
    glaze: Glaze = Glaze.NONE
    is_hot: ty.bool


@function
def make_call(
    op: Object,
    operands: ty.Array[ty.Any],
    attrs: ty.Optional[AttrsNode] = None,
    span: ty.Optional[SpanNode] = None,
) -> ClayNode:
    """Make a call."""
    ...


@function(api=True)
def as_clay(value: ty.Any, like: ty.Optional[ClayNode] = None) -> ClayNode:
    """Make a piece of a number."""
    ...


@operator(kind="elementwise", relation=" same ", scalar="max(x,  0)", is_hot=False)
def relu(x: ClayNode = operand(dtype="T: number")) -> ClayNode:
    """
    Replace negative elements by 0.

    Parameters
    ----------
    x
        A piece.
    """
    ...


@operator(
    kind="row",
    relation="same",
    decompose="relu(x - peak(x, axis=axis)) / 2.0",
    onnx="Softmax@13",
    glaze=Glaze.SALT,
    is_hot=True,
)
def softmax(
    x: ClayNode = operand(dtype="T: float"), axis: ty.int64_t = -1, *, mask: ty.Array[int] = ()
) -> ClayNode:
    """
    Softmax along one axis.

    Parameters
    ----------
    x
        A piece.
    axis
        The axis.
    mask
        What is left out.
    """
    ...


@operator(
    kind="contraction",
    compute="y[*b, m, n] += a[*b, m, k]*b_[*b, k, n]",
    is_hot=False,
    effect="read_state",
)
def matmul(a: ClayNode = operand(dtype="T: number"), b_: ClayNode = operand(dtype="T")) -> ClayNode:
    """
    Multiply.

    Parameters
    ----------
    a, b_
        Pieces.
    """
    ...


@operator(
    name="conv",
    relation="""
        (n, c, *s), (o, c // groups, *k), (o)? -> (n, o, *s)
    """,
    require="o % groups == 0",
    result="dtype",
    is_hot=False,
    custom=True,
    api=False,
)
def conv2d(
    data: ClayNode = operand(dtype="float"),
    weight: ClayNode = operand(dtype="float"),
    bias: ty.Optional[ClayNode] = operand(dtype="float32", default=None),
    *,
    groups: ty.int64_t = 1,
    dtype: ty.DataType,
) -> ClayNode:
    """
    Convolve.

    Parameters
    ----------
    data, weight, bias
        Pieces.
    groups
        Their number.
    dtype
        That of the result.
    """
    ...


@operator(relation="(*s, n)... -> (*s, n)", is_hot=False)
def peak(x: ty.Array[ClayNode] = operand(), axis: ty.Optional[ty.int64_t] = None) -> ClayNode:
    """
    Greatest element.

    Parameters
    ----------
    x
        Pieces.
    axis
        The axis.
    """
    ...


@operator(builds=LumpNode, is_hot=False)
def lump(a: ClayNode = operand(), b: ClayNode = operand()) -> ClayNode:
    """
    Put together.

    Parameters
    ----------
    a, b
        Pieces.
    """
    ...
