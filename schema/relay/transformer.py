"""Attention, which transformers are made of."""

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="row",
    relation="custom",
    result="T",
    decompose="""
        n = shape(query)[0];
        q = shape(query)[2];
        k = shape(key)[2];
        kv = size(key, (1,));
        groups = size(query, (1,)) // kv;
        keys = transpose(key, (0, 1, 3, 2));
        split = reshape(query, (n, kv, groups, q, shape(query)[3]), allowzero=True);
        products =
            matmul(query, keys) if groups == 1 else
            reshape(matmul(split, expand_dims(keys, (2,))), (n, kv * groups, q, k), allowzero=True);
        scaled = products * (scale if is_given(scale) else size(query, (3,)) ** -0.5);
        capped = softcap * tanh(scaled / softcap) if softcap > 0 else scaled;
        masked =
            capped if not is_given(mask) else
            where(mask, capped, -1e999) if bits(mask) < 32 else
            capped + mask;
        scores =
            where(arange(0, k) <= expand_dims(arange(0, q), (1,)), masked, -1e999) if causal else
            masked;
        weights =
            where(max(scores, (-1,), keepdims=True) == -1e999, 0.0, softmax(scores))
            if is_given(mask) and zero_unseen else softmax(scores);
        parts = reshape(weights, (n, kv, groups, q, k), allowzero=True);
        y =
            matmul(weights, value) if groups == 1 else
            reshape(matmul(parts, expand_dims(value, (2,))), (n, kv * groups, q, shape(value)[3]),
                    allowzero=True);
        y
        if bits(query) >= 32 and is_given(size(query, (1,))) and is_given(kv)
        and (is_given(scale) or is_given(size(query, (3,))))
        else attention(query, key, value, mask, causal=causal, scale=scale, softcap=softcap,
                       zero_unseen=zero_unseen)
    """,
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
    zero_unseen: ty.bool = True,
) -> RelayExprNode:
    """
    Return the scaled dot-product attention of queries over keys and values.

    `softmax(softcap(scale * query @ key^T) + mask) @ value` (Vaswani et al., 2017). Where there
    are fewer heads of keys and values, each serves `heads / kv_heads` heads of queries (Ainslie
    et al., 2023). A query sees no keys where all its scores are -inf.

    Parameters
    ----------
    query
        Queries of shape `(n, heads, q, d)`; floating-point.
    key
        Keys of shape `(n, kv_heads, k, d)`.
    value
        Values of shape `(n, kv_heads, k, e)`.
    mask
        Tensor whose shape broadcasts to `(n, heads, q, k)`: booleans that select keys, or
        summands of the scores with the data type of `query`.
    causal
        Whether query `i` sees keys 0 to `i` only.
    scale
        The factor of the scores; None for `1 / sqrt(d)`.
    softcap
        What limits the scores, by `softcap * tanh(scores / softcap)`; 0 for no limit.
    zero_unseen
        Whether a query that sees no keys gives 0; else it gives NaN, as `softmax` does.

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
