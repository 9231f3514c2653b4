"""Differences of axes without elements, indices, shapes and windows."""

from __future__ import annotations

import numpy as np

from .case import array, case, floats, given, image, ints

__all__ = ["DEFINITIONS", "INDICES", "NO_ELEMENTS", "SHAPES"]

ONE, NONE = np.ones((1, 2), "float32"), np.ones((0, 2), "float32")

NO_ELEMENTS = [
    case("max of no float32", NONE)
    .runs(
        "np.max(a, 0)",
        "torch.amax(a, 0)",
        given("0") + "y = ReduceMax<keepdims = 0>(a, k)",
        "relay.max(a, 0)",
    )
    .because("ONNX defines the least value of the data type; `torch.export` has refused it."),
    case("max of no int32", NONE.astype("int32"))
    .runs(
        "np.max(a, 0)",
        "torch.amax(a, 0)",
        given("0") + "y = ReduceMax<keepdims = 0>(a, k)",
        "relay.max(a, 0)",
    )
    .because("As above."),
    case("mean of no float32", NONE)
    .runs(
        "np.mean(a, 0)",
        "torch.mean(a, 0)",
        given("0") + "y = ReduceMean<keepdims = 0>(a, k)",
        "relay.mean(a, 0)",
    )
    .because("0 / 0."),
    case("argmax of no float32", NONE)
    .runs(
        "np.argmax(a, 0)",
        "torch.argmax(a, 0)",
        "y = ArgMax<axis = 0, keepdims = 0>(a)",
        "relay.argmax(a, 0)",
    )
    .because("There is no such index."),
    case("sum([1, 2], axis=[])", floats(1, 2))
    .runs(
        "np.sum(a, ())",
        "torch.sum(a, ())",
        given("") + "y = ReduceSum<keepdims = 0>(a, k)",
        "relay.sum(a, [])",
    )
    .because("An empty list reduces nothing, as in NumPy; the importers do as their source."),
    case("softmax of a scalar", np.array(2, "float32"))
    .runs(None, "torch.softmax(a, 0)", "y = Softmax(a)", "relay.softmax(a)")
    .because("A scalar is a row of one element; ONNX has no axis for it."),
]

INDICES = [
    case("index -1 of index_select, Gather", floats(1, 2, 3), ints(-1))
    .runs("np.take(a, b)", "torch.index_select(a, 0, b)", "y = Gather(a, b)", "relay.take(a, b)")
    .because("Indices of `relay` count from the end, as in NumPy and ONNX."),
    case("index -1 of embedding", np.ones((3, 2), "float32"), array("int64", -1))
    .runs(None, "F.embedding(b, a)", None, "relay.take(a, b)")
    .because("As above."),
    case("index -1 of gather, GatherElements", floats(1, 2, 3), array("int64", -1))
    .runs(
        "np.take_along_axis(a, b, 0)",
        "torch.gather(a, 0, b)",
        "y = GatherElements(a, b)",
        "relay.take_along_axis(a, b, 0)",
    )
    .because("As above."),
    case("index -1 of scatter, ScatterElements", floats(0, 0), array("int64", -1), floats(5))
    .runs(
        None,
        "torch.scatter(a, 0, b, c)",
        "y = ScatterElements(a, b, c)",
        "relay.scatter_elements(a, b, c, axis=0)",
    )
    .because("As above."),
    case("index -4 of 3 elements", floats(1, 2, 3), array("int64", -4))
    .runs(
        "np.take_along_axis(a, b, 0)",
        "torch.gather(a, 0, b)",
        "y = GatherElements(a, b)",
        "relay.take_along_axis(a, b, 0)",
    )
    .because("An index out of range is an `IndexError` of the call."),
    case("one_hot([3, -1], 3)", array("int64", 3, -1))
    .runs(
        None,
        "F.one_hot(a, 3)",
        given("3") + "v = Constant<value_floats = [0.0, 1.0]>() y = OneHot(a, k, v)",
    )
    .because("ONNX defines a row of zeros; the importer of PyTorch does as PyTorch."),
    case("[1, 2, 3][::-1]", floats(1, 2, 3))
    .runs(
        "a[::-1]",
        "a[::-1]",
        given("-1") + given("-9", "e") + given("0", "x") + "y = Slice(a, k, e, x, k)",
        "a[::-1]",
    )
    .because("Steps may be negative."),
    case("[1, 2, 3, 4, 5][-6:-7:-1]", floats(1, 2, 3, 4, 5))
    .runs(
        "a[-6:-7:-1]",
        None,
        given("-6")
        + given("-7", "e")
        + given("0", "x")
        + given("-1", "s")
        + "y = Slice(a, k, e, x, s)",
        "a[-6:-7:-1]",
    )
    .because("ONNX says that such a begin is the first element; NumPy's is the place before it."),
    case("scatter of the maxima of [nan] and [1]", floats(np.nan), ints(0), floats(1))
    .runs(
        "np.maximum(a, c)",
        'torch.scatter_reduce(a, 0, b.long(), c, "amax")',
        'y = ScatterElements<reduction = "max">(a, b, c)',
        'relay.scatter_elements(a, b, c, reduction="max")',
    )
    .because("As `max`."),
]

SHAPES = [
    case("split([1, 2, 3]) in 2 parts, the first one", floats(1, 2, 3))
    .runs(
        "np.split(a, 2)[0]",
        "torch.split(a, 2)[0]",
        "y, z = Split<num_outputs = 2>(a)",
        "relay.split(a, 0, sections=2)[0]",
    )
    .because("`sections` parts are equal, as in NumPy; ONNX's last part may be smaller."),
    case("reshape(ones(1, 2), (0, -1))", ONE)
    .runs(
        "np.reshape(a, (0, -1))",
        "torch.reshape(a, (0, -1))",
        given("0, -1") + "y = Reshape(a, k)",
        "relay.reshape(a, shape=[0, -1])",
    )
    .because("0 is the dimension of the operand, as in ONNX."),
    case("squeeze(ones(2), 0)", floats(1, 1))
    .runs(
        "np.squeeze(a, 0)",
        "torch.squeeze(a, 0)",
        given("0") + "y = Squeeze(a, k)",
        "relay.squeeze(a, axes=[0])",
    )
    .because("Only a dimension of 1 goes away."),
    case("broadcast ones(2, 1) to (1, 3)", np.ones((2, 1), "float32"))
    .runs(
        "np.broadcast_to(a, (1, 3))",
        "a.expand(1, 3)",
        given("1, 3") + "y = Expand(a, k)",
        "relay.broadcast_to(a, shape=[1, 3])",
    )
    .because("The shape is that of the result; `Expand` broadcasts both ways."),
    case("tile(ones(1, 2), [2])", ONE)
    .runs(
        "np.tile(a, 2)", "torch.tile(a, (2,))", given("2") + "y = Tile(a, k)", "relay.tile(a, [2])"
    )
    .because("One number for each axis, as ONNX says."),
    case("pad([1, 2], 3 behind, reflect)", floats(1, 2))
    .runs(
        "np.pad(a, (0, 3), mode='reflect')",
        "F.pad(a[None], (0, 3), mode='reflect')[0]",
        given("0, 3") + 'y = Pad<mode = "reflect">(a, k)',
        "relay.pad(a, [0], [3], mode='reflect')",
    )
    .because("The reflection is reflected again, as in NumPy."),
    case("[1, 2] @ [3, 4]", floats(1, 2), floats(3, 4))
    .runs("a @ b", "a @ b", "y = MatMul(a, b)", "a @ b")
    .because("`relay.matmul` takes matrices; the importers reshape vectors."),
    case("does reshape(a) share memory with a?", ONE)
    .runs(
        "np.reshape(a, (2, 1))",
        "torch.reshape(a, (2, 1))",
        given("2, 1") + "y = Reshape(a, k)",
        "relay.reshape(a, shape=[2, 1])",
        after="np.shares_memory(a, y)",
    )
    .because("A result is a tensor of its own, never a view of an argument."),
]

DEFINITIONS = [
    case("avg_pool([1, 1], 3, pads=1)", image(1, 1))
    .runs(
        None,
        "F.avg_pool1d(a, 3, 1, 1)",
        "y = AveragePool<kernel_shape = [3], pads = [1, 1]>(a)",
        "relay.avg_pool(a, kernel=3, pads=[1, 1])",
    )
    .because("`count_include_pad` is False by default, as in ONNX."),
    case("avg_pool([nan, 1, 2], 2)", image(np.nan, 1, 2))
    .runs(
        None,
        "F.avg_pool1d(a, 2, 1)",
        "y = AveragePool<kernel_shape = [2]>(a)",
        "relay.avg_pool(a, kernel=2)",
    )
    .because("A NaN is an element, not padding."),
    case("avg_pool([1, 2, 3, 4], 3, strides=3), ceil_mode", image(1, 2, 3, 4))
    .runs(
        None,
        "F.avg_pool1d(a, 3, 3, ceil_mode=True)",
        "y = AveragePool<kernel_shape = [3], strides = [3], ceil_mode = 1>(a)",
        "relay.avg_pool(a, kernel=3, strides=3, ceil_mode=True)",
    )
    .because("The first window begins at the first element; the last one is padded at its end."),
    case("avg_pool([1, 2, 3, 4, 5, 6, 7], 1, strides=4), same_upper", image(1, 2, 3, 4, 5, 6, 7))
    .runs(
        None,
        None,
        'y = AveragePool<kernel_shape = [1], strides = [4], auto_pad = "SAME_UPPER">(a)',
        'relay.avg_pool(a, kernel=1, strides=4, auto_pad="same_upper")',
    )
    .because("Padding is never negative, as where ONNX infers shapes."),
    case("max_pool([1, 2, 3, 4], 2, strides=3), valid, ceil_mode", image(1, 2, 3, 4))
    .runs(
        None,
        None,
        'y = MaxPool<kernel_shape = [2], strides = [3], ceil_mode = 1, auto_pad = "VALID">(a)',
        'relay.max_pool(a, kernel=2, strides=3, ceil_mode=True, auto_pad="valid")',
    )
    .because(
        "`ceil_mode` counts for `VALID` too, as where ONNX infers shapes; the formula of its "
        "text gives one element."
    ),
    case("indices of max_pool of two channels", np.arange(8, dtype="float32").reshape(1, 2, 4))
    .runs(
        None,
        "F.max_pool1d(a, 2, return_indices=True)[1]",
        "z, y = MaxPool<kernel_shape = [2], strides = [2]>(a)",
        "relay.max_pool_with_indices(a, kernel=2, strides=2)[1]",
    )
    .because("ONNX counts in the whole tensor, PyTorch in the channel."),
    case(
        "correlate([1, 2, 3], [1, 0])",
        floats(1, 2, 3).reshape(1, 1, 3),
        floats(1, 0).reshape(1, 1, 2),
    )
    .runs(
        "np.convolve(a[0, 0], b[0, 0], 'valid')[None, None]",
        "F.conv1d(a, b)",
        "y = Conv(a, b)",
        "relay.conv(a, b)",
    )
    .because("A convolution of networks does not turn its kernel around."),
    case("resize([0, 1, 2], 2), nearest", image(0, 1, 2))
    .runs(None, "F.interpolate(a, 2)", given("1, 1, 2") + 'y = Resize(a, "", "", k)')
    .because(
        "Each importer keeps its source's rule: by default PyTorch rounds the place of the "
        "left edge down, ONNX that of the centre to the nearest."
    ),
    case("resize([0, 1, 2], 5), nearest", image(0, 1, 2))
    .runs(None, "F.interpolate(a, 5)", given("1, 1, 5") + 'y = Resize(a, "", "", k)')
    .because("As above."),
    case("hard_sigmoid(1)", floats(1))
    .runs(None, "F.hardsigmoid(a)", "y = HardSigmoid(a)")
    .because("The slope is 1/6 in PyTorch, and 0.2 by default in ONNX."),
    case("std([1, 3])", floats(1, 3))
    .runs("np.std(a)", "torch.std(a)")
    .because("PyTorch divides by the number of elements less 1."),
]
