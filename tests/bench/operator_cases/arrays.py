"""Operators that move elements, choose them by index, and combine those of an axis."""

from __future__ import annotations

from .case import IMAGE, PLANE, Case, Operand, elementwise

_X = {"x": Operand("n m")}
_IMAGE = {"x": Operand("b c h w")}

REDUCTIONS = (
    *(
        elementwise(name, f"torch.{peer}(x, -1)", f"np.{peer}(x, -1)", arguments="[-1]",
                    form="rows", other="int64" if name == "sum" else "float64")
        for name, peer in (("sum", "sum"), ("prod", "prod"), ("mean", "mean"),
                           ("max", "amax"), ("min", "amin"))
    ),
    *(
        elementwise(name, f"torch.{peer}(x, 0)", f"np.{peer}(x, 0)", arguments="[0]",
                    form="columns", other="int64" if name == "sum" else "float64")
        for name, peer in (("sum", "sum"), ("mean", "mean"), ("max", "amax"))
    ),
    elementwise("sum", "torch.sum(x)", "np.sum(x)", form="all"),
    *(
        elementwise(name, f"torch.{name}(x, -1)", f"np.{name}(x, -1)", arguments="-1",
                    form="rows", other="int64")
        for name in ("argmax", "argmin")
    ),
    elementwise("argmax", "torch.argmax(x, 0)", "np.argmax(x, 0)", arguments="0", form="columns"),
    elementwise("cumsum", "torch.cumsum(x, -1)", "np.cumsum(x, -1)", arguments="-1", other="int64"),
    elementwise("cumsum", "torch.cumsum(x, 0)", "np.cumsum(x, 0)", arguments="0", form="columns"),
    elementwise("cumprod", "torch.cumprod(x, -1)", "np.cumprod(x, -1)", arguments="-1", low=0.9,
                high=1.1),
)  # fmt: skip

SHAPES = (
    Case("reshape", "x, [{m}, {n}]", _X, "x.reshape({m}, {n}).clone()",
         "x.reshape({m}, {n}).copy()"),
    Case("transpose", "x", _X, "x.T.contiguous()", "np.ascontiguousarray(x.T)", other="int8"),
    Case("transpose", "x, axes=[0, 2, 3, 1]", _IMAGE,
         "x.permute(0, 2, 3, 1).contiguous()", "np.ascontiguousarray(x.transpose(0, 2, 3, 1))",
         IMAGE, form="channels_last"),
    Case("squeeze", "x, axes=[1]", {"x": Operand("n 1 m")}, "x.squeeze(1).clone()",
         "x.squeeze(1).copy()"),
    Case("expand_dims", "x, [1]", _X, "x.unsqueeze(1).clone()", "x[:, None].copy()"),
    Case("broadcast_to", "x, [{n}, {m}]", {"x": Operand("n 1")},
         "x.expand({n}, {m}).contiguous()",
         "np.ascontiguousarray(np.broadcast_to(x, ({n}, {m})))", fixed="m"),
    Case("tile", "x, [2, 2]", _X, "x.tile(2, 2)", "np.tile(x, (2, 2))"),
    Case("shape_of", "x", _X, "torch.tensor(x.shape)", "np.array(x.shape)", other=""),
    *(
        Case("concatenate", f"[x, y], axis={axis}", {"x": Operand("n m"), "y": Operand("n m")},
             f"torch.cat([x, y], {axis})", f"np.concatenate([x, y], {axis})", other="int8",
             form=("rows", "columns")[axis])
        for axis in (0, 1)
    ),
    Case("split", "x, axis=1, sections=2", _X,
         "tuple(one.contiguous() for one in x.chunk(2, 1))",
         "tuple(np.ascontiguousarray(one) for one in np.split(x, 2, 1))", fixed="m"),
    Case("strided_slice", "x, [1], [-1], axes=[1]", _X, "x[:, 1:-1].contiguous()",
         "np.ascontiguousarray(x[:, 1:-1])", fixed="m"),
    Case("strided_slice", "x, [-1], [-100000], axes=[1], strides=[-1]", _X, "x.flip(1)",
         "np.ascontiguousarray(x[:, ::-1])", form="flip", fixed="m"),
    Case("strided_slice", "x, [0], [100000], axes=[1], strides=[2]", _X, "x[:, ::2].contiguous()",
         "np.ascontiguousarray(x[:, ::2])", form="strided", fixed="m"),
    Case("pad", "x, [1, 1], [1, 1]", _X, "F.pad(x, (1, 1, 1, 1))",
         "np.pad(x, 1)"),
    Case("pad", 'x, before=[2, 2], after=[2, 2], axes=[2, 3], mode="reflect"', _IMAGE,
         'F.pad(x, (2, 2, 2, 2), mode="reflect")', "", IMAGE, form="reflect"),
    Case("full", "v, [{n}, {m}]", {"v": Operand("")}, "torch.full(({n}, {m}), v.item())",
         "np.full(({n}, {m}), v)", other="", fixed="n m"),
    Case("arange", "0, {n}, 1, \"int64\"", {"x": Operand("n", "int64")}, "torch.arange({n})",
         "np.arange({n})", {"n": (1000, 100_000, 4_000_000)}),
)  # fmt: skip

_INDICES = Operand("k", "int64", 0, "n")
_ROWS = {"n": (32, 250, 2000), "m": (32, 400, 2000), "k": (32, 250, 2000)}

INDEXING = (
    Case("take", "x, i, axis=0", {"x": Operand("n m"), "i": _INDICES}, "F.embedding(i, x)",
         "np.take(x, i, 0)", _ROWS, form="rows"),
    Case("take", "x, i, axis=1", {"x": Operand("n m"), "i": Operand("k", "int64", 0, "m")},
         "torch.index_select(x, 1, i)", "np.take(x, i, 1)", _ROWS, form="columns"),
    Case("take_along_axis", "x, i, axis=1",
         {"x": Operand("n m"), "i": Operand("n m", "int64", 0, "m")}, "torch.gather(x, 1, i)",
         "np.take_along_axis(x, i, 1)", PLANE),
    Case("gather_nd", "x, i", {"x": Operand("n m"), "i": Operand("k 1", "int64", 0, "n")},
         "x[i[:, 0]]", "x[i[:, 0]]", _ROWS),
    Case("scatter_nd", 'x, i, y, reduction="add"',
         {"x": Operand("n m"), "i": Operand("k 1", "int64", 0, "n"), "y": Operand("k m")},
         "x.index_add(0, i[:, 0], y)", "", _ROWS),
    Case("scatter_elements", 'x, i, y, axis=1, reduction="add"',
         {"x": Operand("n m"), "i": Operand("n m", "int64", 0, "m"), "y": Operand("n m")},
         "x.scatter_add(1, i, y)", "", PLANE),
    Case("topk", "x, 10, axis=-1", _X, "torch.topk(x, 10)", "", PLANE),
    Case("nonzero", "x", {"x": Operand("n m", "bool", 0, 2)}, "torch.nonzero(x)",
         "np.argwhere(x)", PLANE, other=""),
    Case("non_max_suppression", "b, s, t, max_output=100",
         {"b": Operand("1 k 4", "", 0, 9), "s": Operand("1 1 k"), "t": Operand("", "", 0.4, 0.5)},
         "", "", {"k": (30, 1000, 8000)}, other=""),
)  # fmt: skip

CASES = (*REDUCTIONS, *SHAPES, *INDEXING)
