"""Attention, which transformers are made of."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="opaque",
    relation="custom",
    result="T",
    onnx="Attention@23",
    torch="aten.scaled_dot_product_attention.default",
)
def attention(
    query: RelayExprNode = operand(dtype="T: float"),
    key: RelayExprNode = operand(dtype="T"),
    value: RelayExprNode = operand(dtype="T"),
    mask: ty.Optional[RelayExprNode] = operand(dtype="M: any", default=None),
    *,
    causal: ty.bool = False,
    scale: ty.Optional[ty.float64] = None,
    softcap: ty.float64 = 0.0,
) -> RelayExprNode:
    """
    Return the scaled dot-product attention of queries over keys and values.

    `softmax(softcap(scale * query @ key^T) + mask) @ value` (Vaswani et al., 2017). Where there
    are fewer heads of keys and values, each serves `heads / kv_heads` heads of queries (Ainslie
    et al., 2023). A query that sees no keys gives 0.

    Parameters
    ----------
    query
        Queries of shape `(n, heads, q, d)`; floating-point.
    key
        Keys of shape `(n, kv_heads, k, d)`.
    value
        Values of shape `(n, kv_heads, k, e)`.
    mask
        Tensor whose shape broadcasts to `(n, heads, q, k)`: booleans that say which keys take
        part, or numbers of the data type of `query` that are added to the scores.
    causal
        Whether query `i` sees keys 0 to `i` only.
    scale
        The factor of the scores; None for `1 / sqrt(d)`.
    softcap
        What limits the scores, by `softcap * tanh(scores / softcap)`; 0 for no limit.

    Returns
    -------
    y
        Tensor of shape `(n, heads, q, e)` and the data type of `query`.

    Raises
    ------
    TypeError
        If data types, ranks or dimensions do not fit, or `mask` does not broadcast.
    ValueError
        If `heads` is not a multiple of `kv_heads`.
    """
    ...
