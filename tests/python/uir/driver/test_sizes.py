"""Functions for given sizes of symbolic dimensions, behind one that chooses by its arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import uir
from uir import relay, runtime, tir
from uir.driver import default_pipeline, lower, with_sizes
from uir.ir import IRModule

WEIGHTS = np.random.default_rng(1).standard_normal((6, 8), np.float32)


def module() -> IRModule:
    """Return a program with three symbolic sizes, a constant, and names."""
    builder = relay.builder()
    n, h, w = (tir.SizeVar(name) for name in "nhw")
    x = builder.param("x", relay.Tensor((n, 6, w), "float32"))
    y = builder.param("y", relay.Tensor((h, w), "float32"))
    z = builder.emit(relay.matmul(relay.transpose(x, [0, 2, 1]), relay.const(WEIGHTS)))
    s = builder.emit(relay.sum(y * 2.0, [1]))
    func: Any = builder.make_func(relay.Tuple([z, s]))
    for key, value in {
        "global_symbol": "main",
        "input_names": ["in.x", "in.y"],
        "output_names": ["out.z", "out.s"],
    }.items():
        func = uir.ir.with_attr(func, key, value)
    return IRModule({uir.ir.GlobalVar("main"): func})


def check(main: Any, n: int, h: int, w: int) -> None:
    """Compare a function with NumPy."""
    rng = np.random.default_rng(n + 10 * h + 100 * w)
    x, y = rng.standard_normal((n, 6, w), np.float32), rng.standard_normal((h, w), np.float32)
    z, s = map(np.from_dlpack, main(x, y))
    np.testing.assert_allclose(z, x.transpose(0, 2, 1) @ WEIGHTS, 1e-4, 1e-5)
    np.testing.assert_allclose(s, y.sum(1) * 2, 1e-4, 1e-5)


def test_a_function_chooses_code_for_its_sizes(tmp_path: Path) -> None:
    pipeline = with_sizes(default_pipeline(), {"w": [16, 5, 16], "h": [3]})
    lowered = lower(module(), pipeline=pipeline)
    symbols = {str(var.name_hint): func for var, func in lowered.functions.items()}
    public = [name for name, func in symbols.items() if func.get_attr("global_symbol") is not None]
    assert public == ["main"]
    text = str(symbols["main"])
    assert [line.strip() for line in text.splitlines() if "if" in line] == [
        "if w == 16 and h == 3:",
        "elif w == 5 and h == 3:",
    ]
    library = uir.build(lowered, pipeline=[])
    runtime.export_library(library, tmp_path / "lib.so")
    for main in (library["main"], runtime.load_module(tmp_path / "lib.so")["main"]):
        for sizes in ((1, 3, 16), (4, 3, 5), (2, 2, 16), (3, 7, 9)):
            check(main, *sizes)


def test_copies_share_constants_and_know_their_sizes() -> None:
    alone = lower(module())
    lowered = lower(module(), pipeline=with_sizes(default_pipeline(), {"w": [16, 24], "n": [2]}))
    assert len(lowered.get_attr("constants")) == len(alone.get_attr("constants")) == 1
    copies = [func for var, func in lowered.functions.items() if var.name_hint == "main_w_16_n_2"]
    (copy,) = copies
    shapes = [list(copy.buffer_map[param].shape) for param in list(copy.params)[:4]]
    assert [int(dim) for dim in shapes[0]] == [2, 6, 16]
    assert [str(dim) for dim in shapes[1]] == ["h", "16"]


def test_the_signature_is_that_of_any_size() -> None:
    pipeline = with_sizes(default_pipeline(), {"w": [16]})
    run = runtime.named_function(uir.build(module(), pipeline=pipeline))
    alone = runtime.named_function(uir.build(module()))
    assert repr(run) == repr(alone)
    x, y = np.ones((1, 6, 16), np.float32), np.ones((2, 16), np.float32)
    found = run(x, **{"in.y": y})
    np.testing.assert_array_equal(np.from_dlpack(found["out.s"]), [32, 32])
    with pytest.raises(ValueError, match="dimension 1 of `y` must be w = 16, got 15"):
        run(x, np.ones((2, 15), np.float32))


def test_checks_of_sizes_stay() -> None:
    """The code for a size has conditions of its own; those of any size are checked elsewhere."""
    builder = relay.builder()
    n = tir.SizeVar("n")
    x = builder.param("x", relay.Tensor((n, 2), "float32"))
    func = builder.make_func(builder.emit(relay.argmax(x, 0)))
    main = uir.build(func, pipeline=with_sizes(default_pipeline(), {"n": [2, 3]}))["main"]
    for size in (2, 5):
        assert np.from_dlpack(main(np.ones((size, 2), np.float32))).tolist() == [0, 0]
    with pytest.raises(ValueError, match="must hold"):
        main(np.ones((0, 2), np.float32))


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"width": [16]}, "no input has a dimension `width`; there are `h`, `n`, `w`"),
        ({"w": [16, 0]}, r"dimension `w`: expected positive sizes, got \[0, 16\]"),
        ({"w": range(1, 6), "n": range(1, 5)}, "20 combinations of sizes"),
    ],
)
def test_mistakes(sizes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        uir.build(module(), pipeline=with_sizes(default_pipeline(), sizes))
