"""A scalar is a row of one element."""

from __future__ import annotations

import numpy as np
import pytest

import uir
from uir import ir, relay

from ..support import refuses


@pytest.mark.parametrize(("name", "expected"), [("softmax", 1.0), ("log_softmax", 0.0)])
def test_rows_of_scalars(name: str, expected: float) -> None:
    functions = {}
    for axis in (0, -1):
        builder = relay.builder()
        x = builder.param("x", relay.Tensor((), "float32"))
        function = builder.make_func(builder.emit(getattr(relay, name)(x, axis)))
        symbol = f"main{axis % 2}"
        functions[ir.GlobalVar(symbol)] = function.with_attr("global_symbol", symbol)
    module = ir.IRModule(functions)
    library = uir.build(module)
    for symbol in ("main0", "main1"):
        for given, wanted in [(3.5, expected), (-1e30, expected), (np.inf, np.nan)]:
            x = np.array(given, "float32")
            found = np.from_dlpack(library[symbol](x))
            assert found.shape == ()
            np.testing.assert_equal(found[()], np.float32(wanted))
            np.testing.assert_equal(relay.evaluate(module, x, name=symbol), np.float32(wanted))


def test_a_scalar_has_one_axis() -> None:
    with refuses(
        ValueError,
        "relay.softmax: `axis >= -max(len(s), 1) and axis < max(len(s), 1)` must hold, where `s` "
        "is () and `axis` is 1",
    ):
        relay.softmax(relay.Var("x", relay.Tensor((), "float32")), 1)
