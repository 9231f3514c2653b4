"""Differences of axes without elements, indices, shapes and windows."""

from __future__ import annotations

import numpy as np

from .case import Case, array, floats, given, image, ints

__all__ = ["DEFINITIONS", "INDICES", "NO_ELEMENTS", "SHAPES"]

ONE, NONE = np.ones((1, 2), "float32"), np.ones((0, 2), "float32")

NO_ELEMENTS = [
    Case(
        input="max of no float32",
        operands=(NONE,),
        numpy="np.max(a, 0)",
        torch="torch.amax(a, 0)",
        onnx=given("0") + "y = ReduceMax<keepdims = 0>(a, k)",
        relay="relay.max(a, 0)",
        why="ONNX defines the least value of the data type; `torch.export` has refused it.",
    ),
    Case(
        input="max of no int32",
        operands=(NONE.astype("int32"),),
        numpy="np.max(a, 0)",
        torch="torch.amax(a, 0)",
        onnx=given("0") + "y = ReduceMax<keepdims = 0>(a, k)",
        relay="relay.max(a, 0)",
        why="As above.",
    ),
    Case(
        input="mean of no float32",
        operands=(NONE,),
        numpy="np.mean(a, 0)",
        torch="torch.mean(a, 0)",
        onnx=given("0") + "y = ReduceMean<keepdims = 0>(a, k)",
        relay="relay.mean(a, 0)",
        why="0 / 0.",
    ),
    Case(
        input="argmax of no float32",
        operands=(NONE,),
        numpy="np.argmax(a, 0)",
        torch="torch.argmax(a, 0)",
        onnx="y = ArgMax<axis = 0, keepdims = 0>(a)",
        relay="relay.argmax(a, 0)",
        why="There is no such index.",
    ),
    Case(
        input="sum([1, 2], axis=[])",
        operands=(floats(1, 2),),
        numpy="np.sum(a, ())",
        torch="torch.sum(a, ())",
        onnx=given("") + "y = ReduceSum<keepdims = 0>(a, k)",
        relay="relay.sum(a, [])",
        why="An empty list reduces nothing, as in NumPy; the importers do as their source.",
    ),
    Case(
        input="softmax of a scalar",
        operands=(np.array(2, "float32"),),
        torch="torch.softmax(a, 0)",
        onnx="y = Softmax(a)",
        relay="relay.softmax(a)",
        why="A scalar is a row of one element; ONNX has no axis for it.",
    ),
]

INDICES = [
    Case(
        input="index -1 of index_select, Gather",
        operands=(floats(1, 2, 3), ints(-1)),
        numpy="np.take(a, b)",
        torch="torch.index_select(a, 0, b)",
        onnx="y = Gather(a, b)",
        relay="relay.take(a, b)",
        why="Indices of `relay` count from the end, as in NumPy and ONNX.",
    ),
    Case(
        input="index -1 of embedding",
        operands=(np.ones((3, 2), "float32"), array("int64", -1)),
        torch="F.embedding(b, a)",
        relay="relay.take(a, b)",
        why="As above.",
    ),
    Case(
        input="index -1 of gather, GatherElements",
        operands=(floats(1, 2, 3), array("int64", -1)),
        numpy="np.take_along_axis(a, b, 0)",
        torch="torch.gather(a, 0, b)",
        onnx="y = GatherElements(a, b)",
        relay="relay.take_along_axis(a, b, 0)",
        why="As above.",
    ),
    Case(
        input="index -1 of scatter, ScatterElements",
        operands=(floats(0, 0), array("int64", -1), floats(5)),
        torch="torch.scatter(a, 0, b, c)",
        onnx="y = ScatterElements(a, b, c)",
        relay="relay.scatter_elements(a, b, c, axis=0)",
        why="As above.",
    ),
    Case(
        input="index -4 of 3 elements",
        operands=(floats(1, 2, 3), array("int64", -4)),
        numpy="np.take_along_axis(a, b, 0)",
        torch="torch.gather(a, 0, b)",
        onnx="y = GatherElements(a, b)",
        relay="relay.take_along_axis(a, b, 0)",
        why="An index out of range is an `IndexError` of the call.",
    ),
    Case(
        input="one_hot([3, -1], 3)",
        operands=(array("int64", 3, -1),),
        torch="F.one_hot(a, 3)",
        onnx=given("3") + "v = Constant<value_floats = [0.0, 1.0]>() y = OneHot(a, k, v)",
        why="ONNX defines a row of zeros; the importer of PyTorch does as PyTorch.",
    ),
    Case(
        input="[1, 2, 3][::-1]",
        operands=(floats(1, 2, 3),),
        numpy="a[::-1]",
        torch="a[::-1]",
        onnx=given("-1") + given("-9", "e") + given("0", "x") + "y = Slice(a, k, e, x, k)",
        relay="a[::-1]",
        why="Steps may be negative.",
    ),
    Case(
        input="[1, 2, 3, 4, 5][-6:-7:-1]",
        operands=(floats(1, 2, 3, 4, 5),),
        numpy="a[-6:-7:-1]",
        onnx=given("-6")
        + given("-7", "e")
        + given("0", "x")
        + given("-1", "s")
        + "y = Slice(a, k, e, x, s)",
        relay="a[-6:-7:-1]",
        why="ONNX says that such a begin is the first element; NumPy's is the place before it.",
    ),
    Case(
        input="scatter of the maxima of [nan] and [1]",
        operands=(floats(np.nan), ints(0), floats(1)),
        numpy="np.maximum(a, c)",
        torch='torch.scatter_reduce(a, 0, b.long(), c, "amax")',
        onnx='y = ScatterElements<reduction = "max">(a, b, c)',
        relay='relay.scatter_elements(a, b, c, reduction="max")',
        why="As `max`.",
    ),
]

SHAPES = [
    Case(
        input="split([1, 2, 3]) in 2 parts, the first one",
        operands=(floats(1, 2, 3),),
        numpy="np.split(a, 2)[0]",
        torch="torch.split(a, 2)[0]",
        onnx="y, z = Split<num_outputs = 2>(a)",
        relay="relay.split(a, 0, sections=2)[0]",
        why="`sections` parts are equal, as in NumPy; ONNX's last part may be smaller.",
    ),
    Case(
        input="reshape(ones(1, 2), (0, -1))",
        operands=(ONE,),
        numpy="np.reshape(a, (0, -1))",
        torch="torch.reshape(a, (0, -1))",
        onnx=given("0, -1") + "y = Reshape(a, k)",
        relay="relay.reshape(a, shape=[0, -1])",
        why="0 is the dimension of the operand, as in ONNX.",
    ),
    Case(
        input="squeeze(ones(2), 0)",
        operands=(floats(1, 1),),
        numpy="np.squeeze(a, 0)",
        torch="torch.squeeze(a, 0)",
        onnx=given("0") + "y = Squeeze(a, k)",
        relay="relay.squeeze(a, axes=[0])",
        why="Only a dimension of 1 goes away.",
    ),
    Case(
        input="broadcast ones(2, 1) to (1, 3)",
        operands=(np.ones((2, 1), "float32"),),
        numpy="np.broadcast_to(a, (1, 3))",
        torch="a.expand(1, 3)",
        onnx=given("1, 3") + "y = Expand(a, k)",
        relay="relay.broadcast_to(a, shape=[1, 3])",
        why="The shape is that of the result; `Expand` broadcasts both ways.",
    ),
    Case(
        input="tile(ones(1, 2), [2])",
        operands=(ONE,),
        numpy="np.tile(a, 2)",
        torch="torch.tile(a, (2,))",
        onnx=given("2") + "y = Tile(a, k)",
        relay="relay.tile(a, [2])",
        why="One number for each axis, as ONNX says.",
    ),
    Case(
        input="pad([1, 2], 3 behind, reflect)",
        operands=(floats(1, 2),),
        numpy="np.pad(a, (0, 3), mode='reflect')",
        torch="F.pad(a[None], (0, 3), mode='reflect')[0]",
        onnx=given("0, 3") + 'y = Pad<mode = "reflect">(a, k)',
        relay="relay.pad(a, [0], [3], mode='reflect')",
        why="The reflection is reflected again, as in NumPy.",
    ),
    Case(
        input="[1, 2] @ [3, 4]",
        operands=(floats(1, 2), floats(3, 4)),
        numpy="a @ b",
        torch="a @ b",
        onnx="y = MatMul(a, b)",
        relay="a @ b",
        why="`relay.matmul` takes matrices; the importers reshape vectors.",
    ),
    Case(
        input="does reshape(a) share memory with a?",
        operands=(ONE,),
        numpy="np.reshape(a, (2, 1))",
        torch="torch.reshape(a, (2, 1))",
        onnx=given("2, 1") + "y = Reshape(a, k)",
        relay="relay.reshape(a, shape=[2, 1])",
        after="np.shares_memory(a, y)",
        why="A result is a tensor of its own, never a view of an argument.",
    ),
]

DEFINITIONS = [
    Case(
        input="avg_pool([1, 1], 3, pads=1)",
        operands=(image(1, 1),),
        torch="F.avg_pool1d(a, 3, 1, 1)",
        onnx="y = AveragePool<kernel_shape = [3], pads = [1, 1]>(a)",
        relay="relay.avg_pool(a, kernel=3, pads=[1, 1])",
        why="`count_include_pad` is False by default, as in ONNX.",
    ),
    Case(
        input="avg_pool([nan, 1, 2], 2)",
        operands=(image(np.nan, 1, 2),),
        torch="F.avg_pool1d(a, 2, 1)",
        onnx="y = AveragePool<kernel_shape = [2]>(a)",
        relay="relay.avg_pool(a, kernel=2)",
        why="A NaN is an element, not padding.",
    ),
    Case(
        input="avg_pool([1, 2, 3, 4], 3, strides=3), ceil_mode",
        operands=(image(1, 2, 3, 4),),
        torch="F.avg_pool1d(a, 3, 3, ceil_mode=True)",
        onnx="y = AveragePool<kernel_shape = [3], strides = [3], ceil_mode = 1>(a)",
        relay="relay.avg_pool(a, kernel=3, strides=3, ceil_mode=True)",
        why="The first window begins at the first element; the last one is padded at its end.",
    ),
    Case(
        input="avg_pool([1, 2, 3, 4, 5, 6, 7], 1, strides=4), same_upper",
        operands=(image(1, 2, 3, 4, 5, 6, 7),),
        onnx='y = AveragePool<kernel_shape = [1], strides = [4], auto_pad = "SAME_UPPER">(a)',
        relay='relay.avg_pool(a, kernel=1, strides=4, auto_pad="same_upper")',
        why="Padding is never negative, as where ONNX infers shapes.",
    ),
    Case(
        input="max_pool([1, 2, 3, 4], 2, strides=3), valid, ceil_mode",
        operands=(image(1, 2, 3, 4),),
        onnx='y = MaxPool<kernel_shape = [2], strides = [3], ceil_mode = 1, auto_pad = "VALID">(a)',
        relay='relay.max_pool(a, kernel=2, strides=3, ceil_mode=True, auto_pad="valid")',
        why="`ceil_mode` counts for `VALID` too, as where ONNX infers shapes; the formula of its "
        "text gives one element.",
    ),
    Case(
        input="indices of max_pool of two channels",
        operands=(np.arange(8, dtype="float32").reshape(1, 2, 4),),
        torch="F.max_pool1d(a, 2, return_indices=True)[1]",
        onnx="z, y = MaxPool<kernel_shape = [2], strides = [2]>(a)",
        relay="relay.max_pool_with_indices(a, kernel=2, strides=2)[1]",
        why="ONNX counts in the whole tensor, PyTorch in the channel.",
    ),
    Case(
        input="correlate([1, 2, 3], [1, 0])",
        operands=(floats(1, 2, 3).reshape(1, 1, 3), floats(1, 0).reshape(1, 1, 2)),
        numpy="np.convolve(a[0, 0], b[0, 0], 'valid')[None, None]",
        torch="F.conv1d(a, b)",
        onnx="y = Conv(a, b)",
        relay="relay.conv(a, b)",
        why="A convolution of networks does not turn its kernel around.",
    ),
    Case(
        input="resize([0, 1, 2], 2), nearest",
        operands=(image(0, 1, 2),),
        torch="F.interpolate(a, 2)",
        onnx=given("1, 1, 2") + 'y = Resize(a, "", "", k)',
        why="Each importer keeps its source's rule: by default PyTorch rounds the place of the "
        "left edge down, ONNX that of the centre to the nearest.",
    ),
    Case(
        input="resize([0, 1, 2], 5), nearest",
        operands=(image(0, 1, 2),),
        torch="F.interpolate(a, 5)",
        onnx=given("1, 1, 5") + 'y = Resize(a, "", "", k)',
        why="As above.",
    ),
    Case(
        input="hard_sigmoid(1)",
        operands=(floats(1),),
        torch="F.hardsigmoid(a)",
        onnx="y = HardSigmoid(a)",
        why="The slope is 1/6 in PyTorch, and 0.2 by default in ONNX.",
    ),
    Case(
        input="std([1, 3])",
        operands=(floats(1, 3),),
        numpy="np.std(a)",
        torch="torch.std(a)",
        why="PyTorch divides by the number of elements less 1.",
    ),
]
