"""Decision trees."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="opaque",
    relation="(n, f), (t), (k), (k), (k, 2), (k)?, (k)? -> (n, t)",
    require="depth >= 0",
    result="I",
)
def tree_leaves(
    x: RelayExprNode = operand(dtype="T: float"),
    roots: RelayExprNode = operand(dtype="I: int"),
    features: RelayExprNode = operand(dtype="I"),
    high: RelayExprNode = operand(dtype="T"),
    children: RelayExprNode = operand(dtype="I"),
    low: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    missing: ty.Optional[RelayExprNode] = operand(dtype="B: bool", default=None),
    *,
    depth: ty.int64_t = ...,
) -> RelayExprNode:
    """
    Return the nodes of decision trees that rows reach.

    The nodes of all trees are rows of common tables. A row begins at the root of each tree and
    takes `depth` steps: with `v = x[row, features[node]]`, the next node is `children[node, 1]` if
    `low[node] <= v <= high[node]`, else `children[node, 0]`. A leaf is a node that follows itself.
    A number of a node or a feature that is out of range counts as the last one.

    Parameters
    ----------
    x
        Rows of shape `(n, f)`; floating-point.
    roots
        The root of each tree, of shape `(t,)`; integers.
    features
        The column of `x` that each node compares, of shape `(k,)`.
    high
        The greatest value for which the comparison of each node holds, of shape `(k,)`.
    children
        The nodes that follow if the comparison does not hold, and if it does, of shape `(k, 2)`.
    low
        The least value for which each comparison holds, of shape `(k,)`; None for no bound.
    missing
        Whether each comparison holds for NaN: `bool` of shape `(k,)`. None if none does.
    depth
        The number of steps, at least that of the deepest tree; 0 or more.

    Returns
    -------
    nodes
        The node that each row reaches in each tree, of shape `(n, t)` and the data type of
        `roots`; 0 if there are no nodes or features.

    Raises
    ------
    TypeError
        If shapes or data types do not fit.
    ValueError
        If `depth` is negative.
    """
    ...
