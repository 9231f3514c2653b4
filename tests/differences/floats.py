"""Differences of floating-point numbers: NaN, infinities, zeros, rounding, order."""

from __future__ import annotations

import numpy as np

from .case import Case, array, floats, given, image

__all__ = ["ORDER", "ROUNDING", "SPECIAL"]

NAN, INF = np.nan, np.inf

SPECIAL = [
    Case(
        input="sign([nan, -0.0])",
        operands=(floats(NAN, -0.0),),
        numpy="np.sign(a)",
        torch="torch.sign(a)",
        onnx="y = Sign(a)",
        relay="relay.sign(a)",
        why="NaN stays NaN; the importer of PyTorch does as PyTorch.",
    ),
    Case(
        input="max([1, nan, 0])",
        operands=(floats(1, NAN, 0),),
        numpy="np.max(a)",
        torch="torch.amax(a)",
        onnx="y = ReduceMax<keepdims = 0>(a)",
        relay="relay.max(a)",
        why="A NaN anywhere makes the result NaN; in onnxruntime its place decides.",
    ),
    Case(
        input="argmax([1, nan, 2])",
        operands=(floats(1, NAN, 2),),
        numpy="np.argmax(a)",
        torch="torch.argmax(a)",
        onnx="y = ArgMax<keepdims = 0>(a)",
        relay="relay.argmax(a)",
        why="The index is that of what `max` gives: the first NaN.",
    ),
    Case(
        input="argmin([1, nan, 2])",
        operands=(floats(1, NAN, 2),),
        numpy="np.argmin(a)",
        torch="torch.argmin(a)",
        onnx="y = ArgMin<keepdims = 0>(a)",
        relay="relay.argmin(a)",
        why="As above.",
    ),
    Case(
        input="max_pool([1, nan, 2, 0], 2)",
        operands=(image(1, NAN, 2, 0),),
        torch="F.max_pool1d(a, 2)",
        onnx="y = MaxPool<kernel_shape = [2], strides = [2]>(a)",
        relay="relay.max_pool(a, kernel=2, strides=2)",
        why="As `max`.",
    ),
    Case(
        input="max_pool([-inf], 3, pads=1)",
        operands=(image(-INF),),
        torch="F.max_pool1d(a, 3, 1, 1)",
        onnx="y = MaxPool<kernel_shape = [3], pads = [1, 1]>(a)",
        relay="relay.max_pool(a, kernel=3, pads=[1, 1])",
        why="Padding has no elements: it does not win over -inf.",
    ),
    Case(
        input="log_softmax(float64 [1, nan, 2])",
        operands=(array("float64", 1, NAN, 2),),
        torch="torch.log_softmax(a, 0)",
        onnx="y = LogSoftmax(a)",
        relay="relay.log_softmax(a)",
        why="As `max`; in `float32` onnxruntime gives NaN.",
    ),
    Case(
        input="where(True, -0.0, 1)",
        operands=(np.array([True]), floats(-0.0), floats(1)),
        numpy="np.where(a, b, c)",
        torch="torch.where(a, b, c)",
        onnx="y = Where(a, b, c)",
        relay="relay.where(a, b, c)",
        why="The element that is chosen has its bits; onnxruntime adds 0 for the other one.",
    ),
    Case(
        input="clip([inf, -inf]), at least 0",
        operands=(floats(INF, -INF), np.array(0, "float32")),
        numpy="np.clip(a, b, None)",
        torch="torch.clamp(a, min=b)",
        onnx="y = Clip(a, b)",
        relay="relay.clip(a, b)",
        why="In ONNX a bound that is left out is the end of the data type, which is finite.",
    ),
    Case(
        input="[-4, 4] % [2, -2]",
        operands=(floats(-4, 4), floats(2, -2)),
        numpy="a % b",
        torch="a % b",
        relay="a % b",
        why="A remainder of 0 has the sign of the dividend, as in PyTorch.",
    ),
    Case(
        input="logsumexp([-inf, -inf])",
        operands=(floats(-INF, -INF),),
        numpy="np.logaddexp.reduce(a)",
        torch="torch.logsumexp(a, 0)",
        onnx="y = ReduceLogSumExp<keepdims = 0>(a)",
        why="The logarithm of 0.",
    ),
]

ROUNDING = [
    Case(
        input="float16 300 * 300 * 0.01",
        operands=(array("float16", 300), array("float16", 300), array("float16", 0.01)),
        numpy="a * b * c",
        torch="a * b * c",
        onnx="t = Mul(a, b) y = Mul(t, c)",
        relay="a * b * c",
        why="Each operator rounds to its data type, fused or not.",
    ),
    Case(
        input="mean(float16 [60000, 60000, 60000, 60000])",
        operands=(np.full(4, 60000, "float16"),),
        numpy="np.mean(a)",
        torch="torch.mean(a)",
        onnx="y = ReduceMean<keepdims = 0>(a)",
        relay="relay.mean(a)",
        why="Sums of `float16` are those of `float32`, rounded once.",
    ),
    Case(
        input="cumsum(float16 [2048, 1, 1, 1])",
        operands=(array("float16", 2048, 1, 1, 1),),
        numpy="np.cumsum(a)",
        torch="torch.cumsum(a, 0)",
        onnx="k = Constant<value_int = 0>() y = CumSum(a, k)",
        relay="relay.cumsum(a, 0)",
        why="As above.",
    ),
    Case(
        input="prod(float16 [300, 300, 0.001])",
        operands=(array("float16", 300, 300, 0.001),),
        numpy="np.prod(a)",
        torch="torch.prod(a)",
        onnx="y = ReduceProd<keepdims = 0>(a)",
        relay="relay.prod(a)",
        why="As above.",
    ),
    Case(
        input="norm(float16 [30000, 30000, 30000, 30000])",
        operands=(np.full(4, 30000, "float16"),),
        numpy="np.sqrt(np.sum(a * a))",
        torch="torch.linalg.vector_norm(a)",
        onnx="y = ReduceL2<keepdims = 0>(a)",
        why="As above: the sum of the squares is not rounded.",
    ),
]

ORDER = [
    Case(
        input="indices of topk([1, 1, 0, 1], 4)",
        operands=(floats(1, 1, 0, 1),),
        numpy="np.argsort(-a, stable=True)",
        torch="torch.topk(a, 4).indices",
        onnx=given("4") + "v, y = TopK(a, k)",
        relay="relay.topk(a, 4)[1]",
        why="[Of equal elements](../compiler/semantics.md#order-of-elements) the one of "
        "the lower index "
        "comes first, as ONNX says.",
    ),
]
