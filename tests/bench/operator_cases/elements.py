"""Operators that compute each element of the result from one element of each operand."""

from __future__ import annotations

from .case import PLANE, Case, Operand, elementwise

UNARY = (
    elementwise("sigmoid", "torch.sigmoid(x)", other="float16"),
    elementwise("relu", "torch.relu(x)", "np.maximum(x, 0)", other="float16"),
    elementwise("leaky_relu", "F.leaky_relu(x, 0.01)", arguments="0.01", other="float16"),
    elementwise("gelu", "F.gelu(x)", other="float16"),
    elementwise(
        "gelu",
        "F.gelu(x, approximate='tanh')",
        form="tanh",
        arguments="approximate=True",
        other="float16",
    ),
    elementwise("silu", "F.silu(x)", other="float16"),
    *(
        elementwise(name, f"torch.{name}(x)", f"np.{numpy}(x)", low=low, high=high, other="float16")
        for name, numpy, low, high in (
            ("sinh", "sinh", -2, 2),
            ("cosh", "cosh", -2, 2),
            ("tanh", "tanh", -2, 2),
            ("asinh", "arcsinh", -2, 2),
            ("acosh", "arccosh", 1, 4),
            ("atanh", "arctanh", -0.9, 0.9),
            ("sin", "sin", -9, 9),
            ("cos", "cos", -9, 9),
            ("tan", "tan", -1.5, 1.5),
            ("asin", "arcsin", -1, 1),
            ("acos", "arccos", -1, 1),
            ("atan", "arctan", -9, 9),
            ("exp", "exp", -9, 9),
            ("expm1", "expm1", -2, 2),
            ("log", "log", 0.1, 9),
            ("log1p", "log1p", -0.5, 9),
            ("sqrt", "sqrt", 0, 9),
            ("floor", "floor", -9, 9),
            ("ceil", "ceil", -9, 9),
            ("round", "rint", -9, 9),
        )
    ),
    elementwise("rsqrt", "torch.rsqrt(x)", low=0.1, high=9, other="float16"),
    elementwise("erf", "torch.erf(x)", other="float16"),
    elementwise("isnan", "torch.isnan(x)", "np.isnan(x)"),
    elementwise("isinf", "torch.isinf(x)", "np.isinf(x)"),
    elementwise("negative", "torch.neg(x)", "np.negative(x)", other="int64"),
    elementwise("abs", "torch.abs(x)", "np.abs(x)", other="int64"),
    elementwise("sign", "torch.sign(x)", "np.sign(x)", other="int64"),
    elementwise(
        "cast", "x.to(torch.int32)", "x.astype('int32')", arguments='"int32"', form="int32"
    ),
    elementwise(
        "cast", "x.to(torch.float16)", "x.astype('float16')", arguments='"float16"', form="float16"
    ),
    elementwise("clip", "torch.clamp(x, -1, 1)", "np.clip(x, -1, 1)", arguments="-1.0, 1.0"),
    elementwise("logical_not", "torch.logical_not(x)", "np.logical_not(x)", dtype="bool"),
    elementwise("bitwise_not", "torch.bitwise_not(x)", "np.invert(x)", dtype="int32"),
)

_WITH_INTEGERS = (
    ("add", "x + y", "x + y"),
    ("subtract", "x - y", "x - y"),
    ("multiply", "x * y", "x * y"),
    ("maximum", "torch.maximum(x, y)", "np.maximum(x, y)"),
    ("minimum", "torch.minimum(x, y)", "np.minimum(x, y)"),
    ("equal", "x == y", "x == y"),
    ("not_equal", "x != y", "x != y"),
    ("less", "x < y", "x < y"),
    ("less_equal", "x <= y", "x <= y"),
    ("greater", "x > y", "x > y"),
    ("greater_equal", "x >= y", "x >= y"),
)

BINARY = (
    *(elementwise(name, torch, numpy, other="int64") for name, torch, numpy in _WITH_INTEGERS),
    elementwise("divide", "x / y", "x / y", low=0.5),
    elementwise("floor_divide", "torch.floor_divide(x, y)", "x // y", low=1, high=9, other="int32"),
    elementwise("mod", "torch.remainder(x, y)", "np.mod(x, y)", low=1, high=9, other="int32"),
    elementwise("power", "torch.pow(x, y)", "np.power(x, y)", low=0.5),
    *(
        elementwise(f"logical_{name}", f"torch.logical_{name}(x, y)", f"np.logical_{name}(x, y)",
                    dtype="bool")
        for name in ("and", "or", "xor")
    ),
    *(
        elementwise(f"bitwise_{name}", f"torch.bitwise_{name}(x, y)", f"np.bitwise_{name}(x, y)",
                    dtype="int32")
        for name in ("and", "or", "xor")
    ),
    elementwise("left_shift", "x << y", "x << y", low=0, high=9, dtype="int32"),
    elementwise("right_shift", "x >> y", "x >> y", low=0, high=9, dtype="int32"),
    Case(
        "where",
        "c, x, y",
        {"c": Operand("n m", "bool"), "x": Operand("n m"), "y": Operand("n m")},
        "torch.where(c, x, y)",
        "np.where(c, x, y)",
        PLANE,
    ),
    Case(
        "add",
        "x, y",
        {"x": Operand("n m"), "y": Operand("m")},
        "x + y",
        "x + y",
        other="float16",
        form="row",
    ),
)  # fmt: skip

CASES = (*UNARY, *BINARY)
