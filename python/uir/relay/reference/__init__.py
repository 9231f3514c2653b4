"""What the operators of relay compute: one NumPy function for each, of the same name.

A function takes arrays where the operator takes operands, and attributes of the same names and
defaults; the documentation of the operator says what they mean.  Float16 is computed in float32
and rounded once; data types are never promoted.  This package needs the extra
`uir[numpy]`; `import uir` does not import it.

`register("kiln.glaze.soften")` gives an operator of another package its function.
"""

from .activation import gelu, leaky_relu, relu, sigmoid, silu
from .arithmetic import (
    abs,
    add,
    clip,
    divide,
    maximum,
    minimum,
    mod,
    multiply,
    negative,
    power,
    sign,
    subtract,
)
from .comparison import equal, greater, greater_equal, less, less_equal, not_equal
from .contraction import matmul
from .convolution import conv, conv_transpose
from .creation import arange, full
from .indexing import gather_nd, scatter_elements, scatter_nd, take, take_along_axis
from .interpolation import resize
from .logic import (
    bitwise_and,
    bitwise_not,
    bitwise_or,
    bitwise_xor,
    left_shift,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    right_shift,
    where,
)
from .math import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atanh,
    cos,
    cosh,
    erf,
    exp,
    log,
    rsqrt,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)
from .normalization import batch_norm, group_norm, layer_norm, log_softmax, rms_norm, softmax
from .pooling import avg_pool, max_pool
from .reduction import argmax, argmin, cumprod, cumsum, max, mean, min, prod, sum, topk
from .registry import register
from .rounding import cast, ceil, floor, isinf, isnan, round
from .shape import broadcast_to, expand_dims, reshape, shape_of, squeeze, tile, transpose
from .slice import concatenate, pad, split, strided_slice
from .transformer import attention

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "arange",
    "argmax",
    "argmin",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "attention",
    "avg_pool",
    "batch_norm",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "broadcast_to",
    "cast",
    "ceil",
    "clip",
    "concatenate",
    "conv",
    "conv_transpose",
    "cos",
    "cosh",
    "cumprod",
    "cumsum",
    "divide",
    "equal",
    "erf",
    "exp",
    "expand_dims",
    "floor",
    "full",
    "gather_nd",
    "gelu",
    "greater",
    "greater_equal",
    "group_norm",
    "isinf",
    "isnan",
    "layer_norm",
    "leaky_relu",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log_softmax",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "max",
    "max_pool",
    "maximum",
    "mean",
    "min",
    "minimum",
    "mod",
    "multiply",
    "negative",
    "not_equal",
    "pad",
    "power",
    "prod",
    "register",
    "relu",
    "reshape",
    "resize",
    "right_shift",
    "rms_norm",
    "round",
    "rsqrt",
    "scatter_elements",
    "scatter_nd",
    "shape_of",
    "sigmoid",
    "sign",
    "silu",
    "sin",
    "sinh",
    "softmax",
    "split",
    "sqrt",
    "squeeze",
    "strided_slice",
    "subtract",
    "sum",
    "take",
    "take_along_axis",
    "tan",
    "tanh",
    "tile",
    "topk",
    "transpose",
    "where",
]
