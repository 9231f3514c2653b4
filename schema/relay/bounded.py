"""Results whose size is known only when they are computed.

An operator returns as many rows as there may be, and how many of them count; `first_rows` returns
these, and its type binds their number.
"""

from schema.ir.expr import PrimExprNode, RelayExprNode
from tschema import operand, operator, ty


@operator(kind="opaque", relation="custom")
def first_rows(
    x: RelayExprNode = operand(dtype="any"),
    count: RelayExprNode = operand(dtype="int"),
    *,
    size: PrimExprNode = ...,
) -> RelayExprNode:
    """
    Return the first rows of a tensor, whose number another tensor has.

    The call binds a variable to this number: later types, and attributes of later calls, in the
    rest of the block may use it as a dimension. The rows are not copied, unless they are a result
    of the function, which is returned in its own memory at this size.

    Parameters
    ----------
    x
        Tensor of shape `(n, *rest)`.
    count
        The number of rows, of shape `()`; an integer.
    size
        The variable, an integer that nothing else binds.

    Returns
    -------
    y
        Tensor of shape `(size, *rest)` and the data type of `x`.

    Raises
    ------
    TypeError
        If `x` has rank 0, or `count` is not an integer of shape `()`.
    ValueError
        If `size` is not a variable. When it runs, if `count` is negative or more than `n`.
    """
    ...


@operator(kind="opaque", relation="custom", onnx="NonZero@9", torch="aten.nonzero.default")
def nonzero(x: RelayExprNode = operand(dtype="any")) -> RelayExprNode:
    """
    Return the indices of elements that are not 0, in row-major order, and their number.

    NaN is not 0.

    Parameters
    ----------
    x
        Tensor of shape `(*s)`.

    Returns
    -------
    outputs
        Tuple of the indices, of shape `(size, rank)` for the number of elements `size`, and of the
        number of those that are not 0, of shape `()`; both `int64`. The indices in rows from this
        number on are 0.

    Raises
    ------
    TypeError
        If `x` is not a tensor.
    """
    ...


@operator(kind="opaque", relation="custom", onnx="NonMaxSuppression@10")
def non_max_suppression(
    boxes: RelayExprNode = operand(dtype="T: float"),
    scores: RelayExprNode = operand(dtype="T"),
    iou_threshold: RelayExprNode = operand(dtype="T"),
    score_threshold: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    *,
    max_output: ty.int64_t = ...,
    center_point_box: ty.bool = False,
) -> RelayExprNode:
    """
    Return boxes of high scores of which no two overlap much, and their number.

    Each class of each image is treated separately. Boxes are taken in the order of falling scores;
    of equal scores the one of the lower index comes first. A box is suppressed if its intersection
    over union with a selected one exceeds a threshold; boxes without an area suppress none.

    Parameters
    ----------
    boxes
        Boxes of shape `(n, k, 4)`; floating-point. A box is `(y1, x1, y2, x2)`, any two opposite
        corners.
    scores
        Scores of shape `(n, c, k)`.
    iou_threshold
        The greatest intersection over union of two selected boxes, of shape `()`.
    score_threshold
        Boxes of scores up to this one, of shape `()`, are not selected; None selects all others.
    max_output
        The number of boxes that are selected at most of a class of an image; 0 or more.
    center_point_box
        Whether a box is `(x, y, width, height)`, with the point in its center.

    Returns
    -------
    outputs
        Tuple of rows `(image, class, box)` of shape `(n * c * min(max_output, k), 3)`, by images,
        classes and falling scores, and of the number of selected boxes, of shape `()`; both
        `int64`. The elements of rows from this number on are 0.

    Raises
    ------
    TypeError
        If shapes or data types do not fit.
    ValueError
        If `max_output` is negative.
    """
    ...
