"""Functions of relay, compiled."""

from __future__ import annotations

import gc
from random import Random
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, tir
from uir.ir import GlobalVar, IRModule

from ....differential.programs.entries import expected, random_entry
from ....differential.programs.relay_programs import random_program


def check(module: IRModule, calls: list[list[np.ndarray]], tolerance: float) -> None:
    """Compare a compiled `main` with `evaluate`, in both of its forms."""
    library = uir.build(module)
    for arguments in calls:
        with np.errstate(all="ignore"):
            like = expected(module, *arguments)
        found: Any = library["main"](*arguments)
        returned = [found] if len(like) == 1 else list(found)
        written = [np.full(array.shape, 99).astype(array.dtype) for array in like]
        library["main_into"](*arguments, *written)
        for tensors in (map(np.from_dlpack, returned), written):
            for tensor, wanted in zip(tensors, like, strict=True):
                np.testing.assert_allclose(tensor, wanted, tolerance, tolerance)


@pytest.mark.parametrize("seed", range(6))
def test_random_functions_compute_the_same(seed: int) -> None:
    entry = random_entry(Random(seed), length=12)
    check(entry.module, entry.arguments, 0)
    program = random_program(Random(seed), smooth=True)
    check(program.module, program.arguments, 1e-5)


def test_dimensions_that_differ_are_named_with_their_values() -> None:
    n, m = tir.SizeVar("n"), tir.SizeVar("m")
    x, y = relay.Var("x", relay.Tensor((n, 2))), relay.Var("y", relay.Tensor((m, 2)))
    attrs = ir.DictAttrs({"global_symbol": "main"})
    func = relay.Function([x, y], relay.Block([], x + y), None, attrs)
    main = uir.build(IRModule({GlobalVar("main"): func}))["main"]
    with pytest.raises(ValueError) as raised:
        main(np.ones((2, 2), "float32"), np.ones((3, 2), "float32"))
    assert str(raised.value) == (
        "main: `n == m` must hold: `n` is 2, dimension 0 of `x`; `m` is 3, dimension 0 of `y`"
    )


def test_results_outlive_their_library() -> None:
    x = relay.Var("x", relay.Tensor((3,)))
    values = relay.Tuple([relay.exp(x), relay.negative(x)])
    func = relay.Function(
        [x], relay.Block([], values), None, ir.DictAttrs({"global_symbol": "main"})
    )
    given = np.arange(3, dtype="float32")
    library = uir.build(IRModule({GlobalVar("main"): func}))
    first, second = library["main"](given)
    del library
    gc.collect()
    np.testing.assert_allclose(np.from_dlpack(first), np.exp(given), 1e-6)
    assert np.from_dlpack(second).tolist() == [0, -1, -2]
    del first, second
    gc.collect()


def test_a_symbol_that_nothing_defines_is_an_error() -> None:
    x = relay.Var("x", relay.Tensor((3,)))
    call = relay.call_destination_passing(ir.ExternFunc("no_such_symbol"), [x], x.checked_type)
    func = relay.Function([x], relay.Block([], call), None, ir.DictAttrs({"global_symbol": "main"}))
    with pytest.raises(ValueError, match="`no_such_symbol` has no source"):
        uir.build(IRModule({GlobalVar("main"): func}))["main"]


def test_shapes_with_dimensions_of_0() -> None:
    """As a number of a reshape, 0 stands for a dimension of its operand, unless it says not."""
    x = relay.Var("x", relay.Tensor((2, 4, 2, 0)))
    turned = relay.reshape(relay.expand_dims(x, [0]), [0, 16], allowzero=True)
    values = relay.Tuple([relay.group_norm(x, groups=4), relay.exp(turned)])
    attrs = ir.DictAttrs({"global_symbol": "main"})
    module = IRModule(
        {GlobalVar("main"): relay.Function([x], relay.Block([], values), None, attrs)}
    )
    found = uir.build(module)["main"](np.zeros((2, 4, 2, 0), "float32"))
    assert [tuple(one.shape) for one in found] == [(2, 4, 2, 0), (0, 16)]
