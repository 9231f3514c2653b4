"""Operators of networks: products, windows, normalizations, attention, recurrent layers, trees."""

from __future__ import annotations

from .case import IMAGE, Case, Operand, Sizes, elementwise

_SQUARE: Sizes = {"n": (16, 128, 512)}
_BATCHES: Sizes = {"b": (4, 8, 16), "n": (16, 64, 128)}
_SEQUENCE: Sizes = {"b": (1, 2, 4), "h": (2, 8, 8), "s": (16, 64, 384)}
_STEPS: Sizes = {"t": (8, 32, 100), "b": (1, 4, 8), "s": (16, 64, 256), "g": (64, 256, 1024),
                 "u": (48, 192, 768)}  # fmt: skip
_X = {"x": Operand("b c h w")}
_CHANNELS = {name: Operand("c", low=0.5) for name in ("scale", "bias", "mean", "variance")}
_ROW = {"x": Operand("n m"), "scale": Operand("m"), "bias": Operand("m")}
_QKV = {name: Operand("b h s 64") for name in ("q", "k", "v")}
_WEIGHT = {"x": Operand("b c h w"), "y": Operand("c c 3 3", low=-0.1, high=0.1)}
_DEPTHWISE = {"x": Operand("b 32 h w"), "y": Operand("32 1 3 3")}
_CONVOLVED: Sizes = {"b": (1, 1, 1), "c": (8, 32, 64), "h": (12, 56, 112), "w": (12, 56, 112)}

PRODUCTS = (
    Case("matmul", "x, y", {"x": Operand("n n"), "y": Operand("n n")}, "x @ y", "x @ y", _SQUARE),
    Case("matmul", "x, y", {"x": Operand("1 n"), "y": Operand("n n")}, "x @ y", "x @ y",
         {"n": (32, 256, 2000)}, form="vector"),
    Case("integer_matmul", "x, y",
         {"x": Operand("n n", "uint8", 0, 256), "y": Operand("n n", "int8", -128, 128)},
         "x.int() @ y.int()", 'x.astype("int32") @ y.astype("int32")', _SQUARE),
    Case("einsum", '[x, y], equation="bij,bkj->bik"',
         {"x": Operand("b n n"), "y": Operand("b n n")}, 'torch.einsum("bij,bkj->bik", x, y)',
         "", _BATCHES),
    Case("conv", "x, y, pads=[1, 1, 1, 1]", _WEIGHT, "F.conv2d(x, y, padding=1)", "", _CONVOLVED,
         other="", fixed="c"),
    Case("conv", "x, y, pads=[1, 1, 1, 1], groups=32", _DEPTHWISE,
         "F.conv2d(x, y, padding=1, groups=32)", "", _CONVOLVED, other="", form="depthwise"),
    Case("integer_conv", "x, y, kernel=[3, 3]",
         {"x": Operand("b 32 h w", "uint8", 0, 256), "y": Operand("32 288", "int8", -128, 128)},
         "F.conv2d(x.float(), y.float().view(32, 3, 3, 32).permute(0, 3, 1, 2)).int()", "",
         _CONVOLVED, other=""),
    Case("conv_transpose", "x, y, strides=[2, 2]", _WEIGHT,
         "F.conv_transpose2d(x, y, stride=2)", "", _CONVOLVED, other="", fixed="c"),
    Case("attention", "q, k, v", _QKV, "F.scaled_dot_product_attention(q, k, v)", "", _SEQUENCE,
         other=""),
)  # fmt: skip

WINDOWS = (
    Case("max_pool", "x, [3, 3], strides=[2, 2], pads=[1, 1, 1, 1]", _X,
         "F.max_pool2d(x, 3, 2, 1)", "", IMAGE),
    Case("max_pool_with_indices", "x, [2, 2], strides=[2, 2]", _X,
         "F.max_pool2d(x, 2, return_indices=True)", "", IMAGE),
    Case("avg_pool", "x, [3, 3], strides=[2, 2], pads=[1, 1, 1, 1], count_include_pad=True", _X,
         "F.avg_pool2d(x, 3, 2, 1)", "", IMAGE),
    Case("resize", 'x, scales=[2.0, 2.0], axes=[2, 3], mode="linear"', _X,
         'F.interpolate(x, scale_factor=2, mode="bilinear")', "", IMAGE, form="linear"),
    Case("resize",
         'x, scales=[2.0, 2.0], axes=[2, 3], mode="nearest", '
         'coordinate_transformation_mode="asymmetric", nearest_mode="floor"',
         _X, "F.interpolate(x, scale_factor=2)", "", IMAGE, form="nearest"),
)  # fmt: skip

NORMALIZATIONS = (
    Case("batch_norm", "x, scale, bias, mean, variance", {**_X, **_CHANNELS},
         "F.batch_norm(x, mean, variance, scale, bias)", "", IMAGE),
    Case("batch_norm_training", "x, scale, bias, mean, variance", {**_X, **_CHANNELS},
         "torch.native_batch_norm(x, scale, bias, mean.clone(), variance.clone(), True, 0.1, 1e-5)"
         "[0]", "", IMAGE),
    Case("layer_norm", "x, scale, bias", _ROW, "F.layer_norm(x, ({m},), scale, bias)"),
    Case("layer_norm_with_statistics", "x, scale, bias", _ROW,
         "torch.native_layer_norm(x, ({m},), scale, bias, 1e-5)"),
    Case("rms_norm", "x, scale", {"x": Operand("n m"), "scale": Operand("m")},
         "F.rms_norm(x, ({m},), scale, 1e-5)"),
    Case("group_norm", "x, 4, scale, bias",
         {**_X, "scale": Operand("c"), "bias": Operand("c")},
         "F.group_norm(x, 4, scale, bias)", "", IMAGE, fixed="c"),
    elementwise("softmax", "torch.softmax(x, -1)"),
    elementwise("softmax", "torch.softmax(x, 0)", form="columns", arguments="axis=0"),
    elementwise("log_softmax", "torch.log_softmax(x, -1)"),
)  # fmt: skip

CASES = (*PRODUCTS, *WINDOWS, *NORMALIZATIONS)
