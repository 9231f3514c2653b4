"""What is refused: operators of core ATen as a whole, and parts of operators, with the reasons."""

from __future__ import annotations

__all__ = ["PARTLY_REFUSED", "REFUSED"]

REFUSED: dict[str, str] = {
    **dict.fromkeys(
        [
            "aten._adaptive_avg_pool2d_backward.default",
            "aten.avg_pool2d_backward.default",
            "aten.convolution_backward.default",
            "aten.embedding_dense_backward.default",
            "aten.max_pool2d_with_indices_backward.default",
            "aten.native_group_norm_backward.default",
            "aten.native_layer_norm_backward.default",
        ],
        "gradients",
    ),
    **dict.fromkeys(["aten._fft_c2r.default", "aten._fft_r2c.default"], "complex numbers"),
    **dict.fromkeys(
        ["aten.rand.default", "aten.randn.default", "aten.randperm.default"], "random numbers"
    ),
    **dict.fromkeys(
        ["aten._local_scalar_dense.default", "aten.masked_select.default", "aten.nonzero.default"],
        "a number or a size that depends on elements",
    ),
    **dict.fromkeys(
        [
            "aten._native_batch_norm_legit.default",
            "aten.atan2.out",
            "aten.resize_.default",
        ],
        "an operand that is changed",
    ),
    "aten._embedding_bag.default": "bags whose sizes are elements of a tensor",
    "aten._pdist_forward.default": "distances of pairs",
}

PARTLY_REFUSED: dict[str, str] = {
    "aten.as_strided.default": "strides that are not those of a view of the operand",
    "aten.avg_pool2d.default": "`divisor_override` with `ceil_mode`",
    "aten.index.Tensor": "a computed mask as an index: the size of its result depends on elements",
    "aten.index_put.default": "a computed mask as an index beside others, or of several values",
    "aten.native_dropout.default": "dropout in training",
}
