"""The operators of core ATen that are refused, whole or in part, and why."""

from __future__ import annotations

from ..refusals import Refusals

__all__ = ["COMPLEX", "HELP", "PARTLY_REFUSED", "REFUSED", "UNKNOWN", "plain_name"]

# The reason of an operator that is not in the table.
UNKNOWN = "no such operator in relay"

# The reason of an operator that is imported for real numbers alone.
COMPLEX = "complex numbers"

# By reason; the overload `default` is not named.
REFUSED: Refusals = {
    "an operand that is changed": "_native_batch_norm_legit atan2.out resize_",
    "gradients": (
        "_adaptive_avg_pool2d_backward avg_pool2d_backward convolution_backward "
        "embedding_dense_backward max_pool2d_with_indices_backward native_group_norm_backward "
        "native_layer_norm_backward"
    ),
    "random numbers": (
        "bernoulli bernoulli.p exponential multinomial normal.Tensor_Tensor normal_functional "
        "poisson rand rand_like randint randint.low randint_like randint_like.low_dtype randn "
        "randn_like randperm uniform"
    ),
}

# By operator.
PARTLY_REFUSED: dict[str, str] = {
    "as_strided": "strides that are not those of a view of the operand",
    "native_dropout": "dropout in training",
}

# What users can do, by reason.
HELP: dict[str, str] = {
    "an operand that is changed": "use the function that returns a new tensor",
    COMPLEX: "compute real and imaginary parts as two tensors",
    "gradients": "export the forward pass alone",
    "random numbers": "make them before the model and give them as an input",
    PARTLY_REFUSED["native_dropout"]: "export `module.eval()`",
    UNKNOWN: "take the operator apart into others by the parameter `decompositions`",
}


def plain_name(operator: str) -> str:
    """Return the name of an operator of ATen as messages and pages have it."""
    return operator.removeprefix("aten.").removesuffix(".default")
