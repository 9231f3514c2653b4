"""Functions of relay, compiled."""

from __future__ import annotations

import gc

import numpy as np

import uir
from uir import ir, relay
from uir.ir import GlobalVar, IRModule


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
