"""Scaled dot-product attention with grouped heads (Vaswani et al., 2017; Ainslie et al., 2023)."""

from __future__ import annotations

import numpy as np

from .tensors import Array, check, tensor, wide

__all__ = ["attention"]


@np.errstate(all="ignore")
def attention(
    query: Array,
    key: Array,
    value: Array,
    mask: Array | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
    softcap: float = 0.0,
    zero_unseen: bool = True,
) -> Array:
    """Return `softmax(softcap(scale * query @ key^T) + mask) @ value`.

    The query has shape (n, heads, q, d), the key (n, kv_heads, k, d), the value
    (n, kv_heads, k, e).  A mask of bool says what takes part, any other is added.  A row
    whose scores are all -inf is 0, or NaN without `zero_unseen`.
    """
    check("float", query=query, key=key, value=value)
    # No head is a multiple of no head.
    repeats, rest = divmod(query.shape[1], key.shape[1]) if key.shape[1] else (1, query.shape[1])
    if rest:
        raise ValueError(f"{query.shape[1]} heads are not a multiple of {key.shape[1]}")
    keys = np.repeat(wide(key), repeats, axis=1)
    factor = np.float64(query.shape[-1]) ** -0.5 if scale is None else scale
    scores = np.matmul(wide(query), np.swapaxes(keys, -1, -2))
    scores = scores * scores.dtype.type(factor)
    if softcap > 0:
        scores = np.tanh(scores / scores.dtype.type(softcap)) * scores.dtype.type(softcap)
    scores = _masked(query, scores, mask, causal)
    weights = _softmax(scores)
    if zero_unseen and (causal or mask is not None):
        weights = np.where(np.isneginf(scores.max(axis=-1, keepdims=True)), 0, weights)
    values = np.repeat(wide(value), repeats, axis=1)
    return tensor(np.matmul(weights.astype(values.dtype), values), query)


def _masked(query: Array, scores: Array, mask: Array | None, causal: bool) -> Array:
    """Return the scores with the mask added; those of keys that take no part are -inf."""
    if mask is not None and mask.dtype == np.bool_:
        scores = np.where(mask, scores, -np.inf).astype(scores.dtype)
    elif mask is not None:
        check("float", query=query, mask=mask)
        scores = (scores + wide(mask)).astype(scores.dtype)
    if causal:
        rows, columns = np.indices(scores.shape[-2:], sparse=True)
        scores = np.where(columns <= rows, scores, -np.inf).astype(scores.dtype)
    return scores


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
