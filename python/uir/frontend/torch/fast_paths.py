"""PyTorch's operators for whole layers of transformers, taken apart into others.

Modules in evaluation call them where no gradient is needed, and core ATen does not have them.
"""

from __future__ import annotations

import importlib
from math import sqrt
from typing import Any, TypeAlias

__all__ = ["fast_paths"]

# A tensor of PyTorch.
Tensor: TypeAlias = Any

# The `mask_type` of a mask of shape (batch, key).
OF_KEYS = 1


def fast_paths() -> dict[Any, Any]:
    """Return the functions that take these operators apart, by their overloads."""
    aten = importlib.import_module("torch").ops.aten
    return {
        aten._native_multi_head_attention.default: multi_head_attention,
        aten._transformer_encoder_layer_fwd.default: encoder_layer,
    }


def encoder_layer(
    src: Tensor,
    embed_dim: int,
    num_heads: int,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: Tensor,
    norm_bias_1: Tensor,
    norm_weight_2: Tensor,
    norm_bias_2: Tensor,
    ffn_weight_1: Tensor,
    ffn_bias_1: Tensor,
    ffn_weight_2: Tensor,
    ffn_bias_2: Tensor,
    mask: Tensor | None = None,
    mask_type: int | None = None,
) -> Tensor:
    """Return the result of `torch.nn.TransformerEncoderLayer`; the parameters are ATen's."""
    functional = importlib.import_module("torch.nn.functional")

    def first_norm(x: Tensor) -> Tensor:
        return functional.layer_norm(x, (embed_dim,), norm_weight_1, norm_bias_1, eps)

    def second_norm(x: Tensor) -> Tensor:
        return functional.layer_norm(x, (embed_dim,), norm_weight_2, norm_bias_2, eps)

    def attention(x: Tensor) -> Tensor:
        weights = (qkv_weight, qkv_bias, proj_weight, proj_bias)
        same = (x, x, x, embed_dim, num_heads, *weights, mask)
        return multi_head_attention(*same, need_weights=False, mask_type=mask_type)[0]

    def feed_forward(x: Tensor) -> Tensor:
        hidden = functional.linear(x, ffn_weight_1, ffn_bias_1)
        active = functional.gelu(hidden) if use_gelu else functional.relu(hidden)
        return functional.linear(active, ffn_weight_2, ffn_bias_2)

    if norm_first:
        x = src + attention(first_norm(src))
        return x + feed_forward(second_norm(x))
    x = first_norm(src + attention(src))
    return second_norm(x + feed_forward(x))


def multi_head_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim: int,
    num_head: int,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
    mask: Tensor | None = None,
    need_weights: bool = True,
    average_attn_weights: bool = True,
    mask_type: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the results of `torch.nn.MultiheadAttention`; the parameters are ATen's.

    Without `need_weights`, the second one is empty.
    """
    functional = importlib.import_module("torch.nn.functional")
    given = zip((query, key, value), qkv_weight.chunk(3), qkv_bias.chunk(3), strict=True)
    q, k, v = (
        functional.linear(x, weight, bias).unflatten(-1, (num_head, -1)).transpose(1, 2)
        for x, weight, bias in given
    )
    scores = (q / sqrt(embed_dim // num_head)) @ k.transpose(-2, -1)
    if mask is not None:
        hidden = mask.bool()[:, None, None, :] if mask_type == OF_KEYS else mask.bool()
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = scores.softmax(-1)
    result = functional.linear((weights @ v).transpose(1, 2).flatten(2), proj_weight, proj_bias)
    if not need_weights:
        return result, query.new_empty((0,))
    return result, weights.mean(1) if average_attn_weights else weights
