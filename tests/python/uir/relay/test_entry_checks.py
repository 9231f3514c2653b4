"""What type inference cannot prove of dimensions is kept, printed, and checked by each call."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import uir
from uir import ir, relay
from uir.transform import EliminateCommonSubexpr, InferType, Sequential

from ..support import refuses

HEAD = "@uir.script.ir_module\nclass Module:\n    @relay.function\n"


def module(*lines: str, params: str) -> ir.IRModule:
    """Parse a module with one function, and infer its types."""
    body = "".join(f"        {line}\n" for line in lines)
    text = f"{HEAD}    def main({params}):\n{body}"
    parsed = InferType()(uir.script.parse(text))
    assert isinstance(parsed, ir.IRModule)
    return parsed


def sum_of_two() -> ir.IRModule:
    return module(
        *('n = tir.SizeVar("n", "int32")', 'm = tir.SizeVar("m", "int64")', "return x + y"),
        params='x: relay.Tensor((2, n), "float32"), y: relay.Tensor((2, m), "float32")',
    )


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, "float32")


def test_an_equality_names_both_parameters_dimensions_and_values() -> None:
    assert relay.evaluate(sum_of_two(), zeros(2, 3), zeros(2, 3)).shape == (2, 3)
    with refuses(
        ValueError,
        "evaluate: `tir.int64(n) == m` must hold, got 3 == 4: `n` is 3, dimension 1 of argument "
        "`x`; `m` is 4, dimension 1 of argument `y`",
    ):
        relay.evaluate(sum_of_two(), zeros(2, 3), zeros(2, 4))


def test_a_condition_on_one_dimension() -> None:
    grouped = module(
        'n = tir.SizeVar("n", "int32")',
        "return relay.group_norm(x, groups=4)",
        params='x: relay.Tensor((1, n, 5), "float32")',
    )
    assert relay.evaluate(grouped, zeros(1, 8, 5)).shape == (1, 8, 5)
    with refuses(
        ValueError,
        "evaluate: `n % 4 == 0` must hold, got 2 == 0: `n` is 6, dimension 1 of argument `x`",
    ):
        relay.evaluate(grouped, zeros(1, 6, 5))


def test_fields_of_tuples_have_dimensions_too() -> None:
    fields = ", ".join(f'relay.Tensor(({name},), "float32")' for name in "nm")
    pairs = module(
        *('n = tir.SizeVar("n", "int32")', 'm = tir.SizeVar("m", "int32")'),
        "return pair[0] * pair[1]",
        params=f"pair: ir.TupleType([{fields}])",
    )
    with refuses(
        ValueError,
        "evaluate: `n == m` must hold, got 1 == 3: `n` is 1, dimension 0 of field 0 of argument "
        "`pair`; `m` is 3, dimension 0 of field 1 of argument `pair`",
    ):
        relay.evaluate(pairs, (zeros(1), zeros(3)))


def test_a_callee_checks_its_own() -> None:
    callee = sum_of_two()["main"]
    both = ir.with_function(ir.IRModule(), ir.GlobalVar("both"), callee)
    inner = both.get_global_var("both")
    x, y = (relay.Var(name, relay.Tensor((2, size))) for name, size in (("x", 3), ("y", 4)))
    call = relay.Call(inner, [x, y])
    main = relay.Function([x, y], relay.Block([], call), relay.Tensor((2, 3)))
    called = ir.with_function(both, ir.GlobalVar("main"), main)
    with pytest.raises(ValueError, match="must hold, got 3 == 4"):
        relay.evaluate(called, zeros(2, 3), zeros(2, 4), name="main")


def test_printing_parsing_and_files_keep_the_conditions() -> None:
    before = sum_of_two()
    text = str(before)
    assert 'relay.func_attr({"shape_assumptions": [tir.int64(n) == m]})' in text
    copies = [
        uir.script.parse(text),
        ir.load_json(ir.save_json(before)),
        pickle.loads(pickle.dumps(before)),
    ]
    for copy in copies:
        assert ir.structural_equal(copy, before)
        assert InferType()(copy).same_as(copy)
        with pytest.raises(ValueError, match="must hold, got 3 == 4"):
            relay.evaluate(copy, zeros(2, 3), zeros(2, 4))


def test_passes_keep_the_conditions() -> None:
    after = Sequential([EliminateCommonSubexpr(), InferType()])(sum_of_two())
    assert len(after.lookup("main").get_attr("shape_assumptions")) == 1


def test_a_new_condition_joins_those_that_are_known() -> None:
    text = f"""{HEAD}
    def main(x: relay.Tensor((n,)), y: relay.Tensor((m,)), z: relay.Tensor((k,))):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        k = tir.SizeVar("k", "int32")
        relay.func_attr({{"shape_assumptions": [n == m]}})
        v = x + y
        return v + z
"""
    typed = InferType()(uir.script.parse(text))
    assert str(typed).count('"shape_assumptions": [n == m, n == k]') == 1


def test_squeeze_without_axes_assumes_a_known_rank() -> None:
    squeezed = module(
        'n = tir.SizeVar("n", "int32")',
        "return relay.squeeze(x)",
        params='x: relay.Tensor((n, 1, 4), "float32")',
    )
    assert relay.evaluate(squeezed, zeros(2, 1, 4)).shape == (2, 4)
    with refuses(
        ValueError,
        "evaluate: `n != 1` must hold, got 1 != 1: `n` is 1, dimension 0 of argument `x`",
    ):
        relay.evaluate(squeezed, zeros(1, 1, 4))
    by_axis = module(
        'n = tir.SizeVar("n", "int32")',
        "return relay.squeeze(x, axes=[1])",
        params='x: relay.Tensor((n, 1, 4), "float32")',
    )
    assert relay.evaluate(by_axis, zeros(1, 1, 4)).shape == (1, 4)
