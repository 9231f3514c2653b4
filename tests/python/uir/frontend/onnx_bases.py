"""Small models of many operators, in ONNX's own text; `onnx_mutants` damages them."""

from __future__ import annotations

from functools import cache

import onnx
import onnx.parser

HEAD = '<ir_version: 10, opset_import: ["" : {opset}, "own" : 1]>\n'

TEXTS = {
    "layers": """g (float[n, 4] x) => (float[n, 3] y)
        <float[4, 3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
        float[3] b = {1, 2, 3}, float low = {0}, float high = {6}> {
        h = Gemm <alpha = 0.5, transB = 0> (x, w, b)
        d, mask = Dropout (h)
        l = LayerNormalization <axis = -1> (d, b, b)
        s = Softmax <axis = 1> (l)
        t = LeakyRelu <alpha = 0.1> (s)
        p = PRelu (t, b)
        c = Gelu <approximate = "tanh"> (p)
        m = Mul (c, b)
        y = Clip (m, low, high)
    }""",
    "images": """g (float[1, 2, 8, 8] x) => (float[1, 18] y)
        <float[2, 2, 1, 1] w = {1, 2, 3, 4}, float[2] s = {1, 2}> {
        c = Conv <kernel_shape = [1, 1], pads = [0, 0, 1, 1], strides = [1, 1]> (x, w, s)
        n = BatchNormalization <epsilon = 0.001> (c, s, s, s, s)
        p = MaxPool <kernel_shape = [2, 2], strides = [2, 2], ceil_mode = 1> (n)
        a = AveragePool <kernel_shape = [3, 3], auto_pad = "SAME_UPPER", count_include_pad = 1> (p)
        t = ConvTranspose <strides = [2, 2], output_padding = [1, 1]> (a, w)
        l = LRN <size = 3> (t)
        i = InstanceNormalization (l, s, s)
        q = LpPool <kernel_shape = [2, 2], p = 2> (i)
        z = GlobalAveragePool (q)
        y = Flatten <axis = 1> (z)
    }""",
    "sizes": """g (float[n, 3, k] x) => (float[a, b] y)
        <int64 zero = {0}, int64[1] axes = {0}, int64[1] minus = {-1}, int64[1] one = {1},
        int64 step = {1}> {
        s = Shape (x)
        n = Gather <axis = 0> (s, zero)
        u = Unsqueeze (n, axes)
        t = Concat <axis = 0> (u, minus)
        r = Reshape (x, t)
        v = Slice (r, one, minus, axes, one)
        o = ConstantOfShape <value = float[1] {2.0}> (u)
        w = Mul (u, u)
        e = Range (zero, n, step)
        f = Cast <to = 1> (e)
        g1 = Expand (f, u)
        h = Size (x)
        k1 = Squeeze (u, axes)
        y = Add (v, g1)
    }""",
    "indices": """g (float[4, 5] x, int64[2, 2] i, bool[4, 5] c) => (float[2, 2] y)
        <int64 depth = {6}, float[2] values = {0.0, 1.0}, int64[1] k = {2}, int64 axis = {1}> {
        g1 = Gather <axis = 1> (x, i)
        e = GatherElements <axis = 0> (x, i)
        n = GatherND <batch_dims = 0> (x, i)
        s = ScatterElements <axis = 1, reduction = "add"> (x, i, e)
        d = ScatterND <reduction = "max"> (x, i, n)
        h = OneHot <axis = -1> (i, depth, values)
        t, at = TopK <axis = 1, largest = 1, sorted = 1> (s, k)
        a = ArgMax <axis = 1, keepdims = 0, select_last_index = 1> (x)
        m = CumSum <exclusive = 1, reverse = 1> (x, axis)
        w = Where (c, m, d)
        y = Trilu <upper = 0> (e)
    }""",
    "attention": """g (float[1, 4, 8] q, float[1, 4, 8] k, float[4, 4] m) => (float[1, 4, 8] y)
        <float[4, 4] table = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}> {
        a = Attention <q_num_heads = 2, kv_num_heads = 2, is_causal = 1, scale = 0.5> (q, k, k, m)
        t = Transpose <perm = [0, 2, 1]> (a)
        e = Einsum <equation = "bij, bik -> bjk"> (t, t)
        r = ReduceSum <keepdims = 1> (e)
        y = Add (a, r)
    }""",
    "quantized": """g (float[2, 4] x, uint8[2, 4] u) => (float[2, 4] y)
        <float s = {0.5}, uint8 z = {3}, uint8[4, 4] w = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6,
        7, 8}> {
        i = MatMulInteger (u, w, z, z)
        f = Cast <to = 1, saturate = 1> (u)
        dq, ds, dz = DynamicQuantizeLinear (f)
        c = CastLike (w, x)
        t = Sum (c, f)
        y = Mean (t, x)
    }""",
    "branches": """g (float[4] x, bool c, int64 trips) => (float[4] y)
        <float[4] w = {1, 2, 3, 4}, bool yes = {1}> {
        a = If (c) <then_branch = t1 () => (float[4] v) <float[4] k = {1, 2, 3, 4}> {
            u = Mul (x, k)
            v = Exp (u)
        }, else_branch = e1 () => (float[4] r) { r = Neg (x) }>
        b = If (yes) <then_branch = t2 () => (float[4] v2) { v2 = Add (a, w) },
            else_branch = e2 () => (float[4] r2) { r2 = Sub (a, w) }>
        y = Tanh (b)
    }""",
    "loops": """g (float[4] x, bool c, int64 trips) => (float[4] y, float[m, 4] z) {
        y, z = Loop (trips, c, x) <body = l (int64 i, bool on, float[4] p)
            => (bool on2, float[4] p2, float[4] o) {
            on2 = Identity (on)
            p2 = Add (p, x)
            o = Sqrt (p2)
        }>
    }""",
    "scans": """g (float[4] x, float[3, 4] rows) => (float[4] y, float[3, 4] z) {
        y, z = Scan (x, rows) <num_scan_inputs = 1, body = l (float[4] p, float[4] row)
            => (float[4] p2, float[4] o) {
            p2 = Add (p, row)
            o = Abs (p2)
        }>
    }""",
    "moves": """g (float[1, 4, 6, 6] x) => (float[1, 4, 6, 6] y)
        <int64[8] pads = {0, 0, 1, 1, 0, 0, 2, 2}, int64[4] reps = {1, 1, 2, 2},
        float[4] scales = {1, 1, 2, 2}, int64[4] sizes = {1, 4, 3, 3}, float v = {1.5}> {
        which = Constant <value_ints = [0, 1]> ()
        p = Pad <mode = "reflect"> (x, pads)
        t = Tile (p, reps)
        d = DepthToSpace <blocksize = 2, mode = "CRD"> (t)
        s = SpaceToDepth <blocksize = 2> (d)
        u = Resize <mode = "linear", coordinate_transformation_mode = "half_pixel"> (x, , scales)
        n = Resize <mode = "nearest", nearest_mode = "floor"> (u, , , sizes)
        a, b = Split <axis = 1, num_outputs = 2> (n)
        c = Concat <axis = -3> (a, b, a)
        e = Pad <mode = "constant"> (c, pads, v)
        y = Transpose <perm = [3, 0, 1, 2]> (e)
        two = ReduceMax <keepdims = 0> (y, which)
        f = EyeLike <k = 1> (two)
    }""",
    "reductions": """g (float[2, 3, n] x, int32[4] k) => (float[2] y)
        <int64[2] axes = {-1, 1}, int32[4] two = {2, 2, 2, 2}> {
        a = ReduceMean <keepdims = 0> (x, axes)
        b = ReduceL2 <keepdims = 1, noop_with_empty_axes = 1> (x, axes)
        c = ReduceLogSumExp (x, axes)
        d = LogSoftmax <axis = 2> (x)
        e = Hardmax <axis = 1> (d)
        f = ReduceProd (e)
        g1 = Div (k, two)
        h = Mod <fmod = 1> (g1, two)
        i = Pow (h, two)
        l = BitwiseAnd (i, two)
        m = Cast <to = 1> (l)
        r = Max (m, m, f)
        q = Equal (r, m)
        o = Not (q)
        y = Elu <alpha = 2.0> (a)
    }""",
    "norms": """g (float16[2, 4, 3] x) => (float16[2, 4, 3] y)
        <float16[4] s = {1, 2, 3, 4}, float16[3] t = {1, 2, 3}> {
        a = GroupNormalization <num_groups = 2, epsilon = 0.01> (x, s, s)
        b = MeanVarianceNormalization <axes = [0, 2]> (a)
        c = LpNormalization <axis = 1, p = 1> (b)
        d = RMSNormalization <axis = -1> (c, t)
        e = HardSigmoid <alpha = 0.1, beta = 0.6> (d)
        f = Celu <alpha = 0.5> (e)
        h = Selu (f)
        i = ThresholdedRelu <alpha = 0.5> (h)
        j = Shrink <bias = 0.1, lambd = 0.2> (i)
        k = Swish <alpha = 1.0> (j)
        y = IsNaN (k)
        z = IsInf <detect_negative = 0> (x)
    }""",
    "functions": """g (float[3] x) => (float[3] y) {
        a = own.twice <by = 2.0> (x)
        b = own.shifted (a)
        y = own.twice <by = 0.5> (b)
    }
    <domain: "own", opset_import: ["" : 24]>
    twice <by> (p) => (q) {
        k = Constant <value_float: float = @by> ()
        q = Mul (p, k)
    }
    <domain: "own", opset_import: ["" : 24, "own" : 1]>
    shifted (p) => (q) {
        r = own.twice <by = 3.0> (p)
        q = Add (r, p)
    }""",
    "recurrences": """g (float[2, 1, 3] x) => (float[2, 1, 1, 2] y)
        <float[1, 2, 3] w = {1, 2, 3, 4, 5, 6}, float[1, 2, 2] r = {1, 2, 3, 4}> {
        y, h = RNN <hidden_size = 2, direction = "forward", activations = ["Tanh"]> (x, w, r)
        s = Softplus (h)
        n = Einsum <equation = "...ij -> ...ji"> (s)
        d = Det (n)
        o = Optional (d)
    }""",
}


@cache
def bases() -> dict[str, onnx.ModelProto]:
    """Return the models by name."""
    return {name: parsed(text) for name, text in TEXTS.items()}


def parsed(text: str, opset: int = 24) -> onnx.ModelProto:
    """Return the model of a text without its head."""
    return onnx.parser.parse_model(HEAD.format(opset=opset) + text)
