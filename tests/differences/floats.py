"""Differences of floating-point numbers: NaN, infinities, zeros, rounding, order."""

from __future__ import annotations

import numpy as np

from .case import array, case, floats, given, image

__all__ = ["ORDER", "ROUNDING", "SPECIAL"]

NAN, INF = np.nan, np.inf

SPECIAL = [
    case("sign([nan, -0.0])", floats(NAN, -0.0))
    .runs("np.sign(a)", "torch.sign(a)", "y = Sign(a)", "relay.sign(a)")
    .because("NaN stays NaN; the importer of PyTorch does as PyTorch."),
    case("max([1, nan, 0])", floats(1, NAN, 0))
    .runs("np.max(a)", "torch.amax(a)", "y = ReduceMax<keepdims = 0>(a)", "relay.max(a)")
    .because("A NaN anywhere makes the result NaN; in onnxruntime its place decides."),
    case("argmax([1, nan, 2])", floats(1, NAN, 2))
    .runs("np.argmax(a)", "torch.argmax(a)", "y = ArgMax<keepdims = 0>(a)", "relay.argmax(a)")
    .because("The index is that of what `max` gives: the first NaN."),
    case("argmin([1, nan, 2])", floats(1, NAN, 2))
    .runs("np.argmin(a)", "torch.argmin(a)", "y = ArgMin<keepdims = 0>(a)", "relay.argmin(a)")
    .because("As above."),
    case("max_pool([1, nan, 2, 0], 2)", image(1, NAN, 2, 0))
    .runs(
        None,
        "F.max_pool1d(a, 2)",
        "y = MaxPool<kernel_shape = [2], strides = [2]>(a)",
        "relay.max_pool(a, kernel=2, strides=2)",
    )
    .because("As `max`."),
    case("max_pool([-inf], 3, pads=1)", image(-INF))
    .runs(
        None,
        "F.max_pool1d(a, 3, 1, 1)",
        "y = MaxPool<kernel_shape = [3], pads = [1, 1]>(a)",
        "relay.max_pool(a, kernel=3, pads=[1, 1])",
    )
    .because("Padding has no elements: it does not win over -inf."),
    case("log_softmax(float64 [1, nan, 2])", array("float64", 1, NAN, 2))
    .runs(None, "torch.log_softmax(a, 0)", "y = LogSoftmax(a)", "relay.log_softmax(a)")
    .because("As `max`; in `float32` onnxruntime gives NaN."),
    case("where(True, -0.0, 1)", np.array([True]), floats(-0.0), floats(1))
    .runs("np.where(a, b, c)", "torch.where(a, b, c)", "y = Where(a, b, c)", "relay.where(a, b, c)")
    .because("The element that is chosen has its bits; onnxruntime adds 0 for the other one."),
    case("clip([inf, -inf]), at least 0", floats(INF, -INF), np.array(0, "float32"))
    .runs("np.clip(a, b, None)", "torch.clamp(a, min=b)", "y = Clip(a, b)", "relay.clip(a, b)")
    .because("In ONNX a bound that is left out is the end of the data type, which is finite."),
    case("[-4, 4] % [2, -2]", floats(-4, 4), floats(2, -2))
    .runs("a % b", "a % b", None, "a % b")
    .because("A remainder of 0 has the sign of the dividend, as in PyTorch."),
    case("logsumexp([-inf, -inf])", floats(-INF, -INF))
    .runs("np.logaddexp.reduce(a)", "torch.logsumexp(a, 0)", "y = ReduceLogSumExp<keepdims = 0>(a)")
    .because("The logarithm of 0."),
]

ROUNDING = [
    case("scale of dynamic quantization of [0]", floats(0))
    .runs(None, None, "q, y, z = DynamicQuantizeLinear(a)")
    .because("Any scale gives zeros; it is that of onnxruntime."),
    case(
        "float16 300 * 300 * 0.01",
        array("float16", 300),
        array("float16", 300),
        array("float16", 0.01),
    )
    .runs("a * b * c", "a * b * c", "t = Mul(a, b) y = Mul(t, c)", "a * b * c")
    .because("Each operator rounds to its data type, fused or not."),
    case("mean(float16 [60000, 60000, 60000, 60000])", np.full(4, 60000, "float16"))
    .runs("np.mean(a)", "torch.mean(a)", "y = ReduceMean<keepdims = 0>(a)", "relay.mean(a)")
    .because("Sums of `float16` are those of `float32`, rounded once."),
    case("cumsum(float16 [2048, 1, 1, 1])", array("float16", 2048, 1, 1, 1))
    .runs(
        "np.cumsum(a)",
        "torch.cumsum(a, 0)",
        "k = Constant<value_int = 0>() y = CumSum(a, k)",
        "relay.cumsum(a, 0)",
    )
    .because("As above."),
    case("prod(float16 [300, 300, 0.001])", array("float16", 300, 300, 0.001))
    .runs("np.prod(a)", "torch.prod(a)", "y = ReduceProd<keepdims = 0>(a)", "relay.prod(a)")
    .because("As above."),
    case("norm(float16 [30000, 30000, 30000, 30000])", np.full(4, 30000, "float16"))
    .runs("np.sqrt(np.sum(a * a))", "torch.linalg.vector_norm(a)", "y = ReduceL2<keepdims = 0>(a)")
    .because("As above: the sum of the squares is not rounded."),
]

ORDER = [
    case("indices of topk([1, 1, 0, 1], 4)", floats(1, 1, 0, 1))
    .runs(
        "np.argsort(-a, stable=True)",
        "torch.topk(a, 4).indices",
        given("4") + "v, y = TopK(a, k)",
        "relay.topk(a, 4)[1]",
    )
    .because(
        "[Of equal elements](../compiler/semantics.md#order-of-elements) the one of "
        "the lower index "
        "comes first, as ONNX says."
    ),
]
