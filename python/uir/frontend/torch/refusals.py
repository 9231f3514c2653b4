"""The operators of core ATen that are refused, whole or in part, and why."""

from __future__ import annotations

from ..refusals import Refusals

__all__ = ["PARTLY_REFUSED", "REFUSED", "plain_name"]

# By reason; the overload `default` is not named.
REFUSED: Refusals = {
    "a number or a size that depends on elements": "_local_scalar_dense masked_select nonzero",
    "an operand that is changed": "_native_batch_norm_legit atan2.out resize_",
    "bags whose sizes are elements of a tensor": "_embedding_bag",
    "complex numbers": "_fft_c2r _fft_r2c",
    "distances of pairs": "_pdist_forward",
    "gradients": (
        "_adaptive_avg_pool2d_backward avg_pool2d_backward convolution_backward "
        "embedding_dense_backward max_pool2d_with_indices_backward native_group_norm_backward "
        "native_layer_norm_backward"
    ),
    "random numbers": "rand randn randperm",
}

# By operator.
PARTLY_REFUSED: dict[str, str] = {
    "as_strided": "strides that are not those of a view of the operand",
    "avg_pool2d": "`divisor_override` with `ceil_mode`",
    "index.Tensor": "a computed mask as an index: the size of its result depends on elements",
    "index_put": "a computed mask as an index beside others, or of several values",
    "native_dropout": "dropout in training",
}


def plain_name(operator: str) -> str:
    """Return the name of an operator of ATen as messages and pages have it."""
    return operator.removeprefix("aten.").removesuffix(".default")
