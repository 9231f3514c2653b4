"""Differences of integers and of data types."""

from __future__ import annotations

import numpy as np

from .case import array, case, floats, ints

__all__ = ["DATA_TYPES", "INTEGERS"]

NAN, INF = np.nan, np.inf

INTEGERS = [
    case("-7 / 2", ints(-7), ints(2))
    .runs("a / b", "a / b", "y = Div(a, b)", "a / b")
    .because("A quotient has the data type of its operands, as in ONNX and in C."),
    case("-7 // 2", ints(-7), ints(2))
    .runs("a // b", "a // b", "y = Div(a, b)", "a / b")
    .because(
        "`relay.divide` and `Div` round towards zero; PyTorch's operator is imported as it is."
    ),
    case("-2147483648 // -1", ints(-(2**31)), ints(-1))
    .runs("a // b", "a // b", "y = Div(a, b)", "a / b")
    .because("Integers wrap around."),
    case("7 // 0", ints(7), ints(0))
    .runs("a // b", "a // b", "y = Div(a, b)", "a // b")
    .because(
        "An error of the call, or NumPy's result if [`Target.division`]"
        "(../compiler/semantics.md#divisors-of-0) says so."
    ),
    case("7 % 0", ints(7), ints(0))
    .runs("a % b", "a % b", "y = Mod(a, b)", "a % b")
    .because("As above."),
    case("[1, 2, -1, 3] ** [-1, -1, -1, -2]", ints(1, 2, -1, 3), ints(-1, -1, -1, -2))
    .runs("a ** b", "a ** b", "y = Pow(a, b)", "a ** b")
    .because("The power is truncated towards zero, as in PyTorch and onnxruntime."),
    case("0 ** -1", ints(0), ints(-1))
    .runs("a ** b", "a ** b", "y = Pow(a, b)", "a ** b")
    .because("As PyTorch."),
    case("int64 [3, 7] ** [39, 23]", array("int64", 3, 7), array("int64", 39, 23))
    .runs("a ** b", "a ** b", "y = Pow(a, b)", "a ** b")
    .because("Powers of integers are exact and wrap around; onnxruntime computes in `float64`."),
    case("sum(int8 [100, 100])", array("int8", 100, 100))
    .runs("np.sum(a)", "torch.sum(a)", "y = ReduceSum<keepdims = 0>(a)", "relay.sum(a)")
    .because("A sum has the data type of its operand, as ONNX says; `relay.cast` widens it."),
    case("sum([2147483647, 1])", ints(2**31 - 1, 1))
    .runs("np.sum(a)", "torch.sum(a)", "y = ReduceSum<keepdims = 0>(a)", "relay.sum(a)")
    .because("As above: integers wrap around."),
    case("sum(int64 [9007199254740993, 0])", array("int64", 2**53 + 1, 0))
    .runs("np.sum(a)", "torch.sum(a)", "y = ReduceSum<keepdims = 0>(a)", "relay.sum(a)")
    .because("Sums of integers are exact; onnxruntime computes in `float64`."),
    case("mean([-1, -2])", ints(-1, -2))
    .runs("np.mean(a)", "torch.mean(a)", "y = ReduceMean<keepdims = 0>(a)", "relay.mean(a)")
    .because("A mean has the data type of its operand, and is truncated towards zero."),
    case("mean([2147483647, 2147483647])", ints(2**31 - 1, 2**31 - 1))
    .runs("np.mean(a)", None, "y = ReduceMean<keepdims = 0>(a)", "relay.mean(a)")
    .because("The sum has 64 bits."),
    case("cumsum([2147483647, 1])", ints(2**31 - 1, 1))
    .runs(
        "np.cumsum(a)",
        "torch.cumsum(a, 0)",
        "k = Constant<value_int = 0>() y = CumSum(a, k)",
        "relay.cumsum(a, 0)",
    )
    .because("As for sums."),
    case("[2, 3] ** float32 [0.5, -1]", ints(2, 3), floats(0.5, -1))
    .runs("a ** b", "a ** b", "y = Pow(a, b)", "a ** b")
    .because("`Pow` of ONNX has the data type of the base; `relay` converts nothing by itself."),
]

DATA_TYPES = [
    case("[nan, inf, 3e9, -3e9] to int32", floats(NAN, INF, 3e9, -3e9))
    .runs("a.astype('int32')", "a.to(torch.int32)", "y = Cast<to = 6>(a)", "relay.cast(a, 'int32')")
    .because("[One table](../compiler/semantics.md#casts) for all paths."),
    case("[nan, inf, 1e19, -1e19] to int64", floats(NAN, INF, 1e19, -1e19))
    .runs("a.astype('int64')", "a.to(torch.int64)", "y = Cast<to = 7>(a)", "relay.cast(a, 'int64')")
    .because("As above."),
    case("int32 1 + float32 0.5", ints(1), floats(0.5))
    .runs("a + b", "a + b", "y = Add(a, b)", "a + b")
    .because("Operands have one data type, as in ONNX; PyTorch's rules are imported."),
    case("int32 1 + 1.5", ints(1))
    .runs("a + 1.5", "a + 1.5", None, "a + 1.5")
    .because("A number has the data type of the tensor, which must hold it."),
    case("uint8 1 + 300", array("uint8", 1))
    .runs("a + 300", "a + 300", None, "a + 300")
    .because("As above."),
    case("True + True", array("bool", True), array("bool", True))
    .runs("a + b", "a + b", "y = Add(a, b)", "a + b")
    .because("Truth values are not numbers; PyTorch's are imported as numbers."),
    case("sum([True, True])", array("bool", True, True))
    .runs("np.sum(a)", "torch.sum(a)", "y = ReduceSum<keepdims = 0>(a)", "relay.sum(a)")
    .because("As above."),
    case("[2, 0] and [1, 1]", ints(2, 0), ints(1, 1))
    .runs(
        "np.logical_and(a, b)",
        "torch.logical_and(a, b)",
        "y = And(a, b)",
        "relay.logical_and(a, b)",
    )
    .because("Numbers are not truth values, as in ONNX."),
    case("floor(int32 1)", ints(1))
    .runs("np.floor(a)", "torch.floor(a)", "y = Floor(a)", "relay.floor(a)")
    .because("Functions of real numbers take floating-point numbers alone, as in ONNX."),
]
