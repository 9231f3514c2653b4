"""Loops over blocks: text, types, passes and compiled code, against NumPy and the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, transform

from ..support import refuses
from .lowered import lower

HEAD = """@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 3), "float32"), most: relay.Tensor((), "float32")):
        n = tir.SizeVar("n", "int32")
"""

# Doubles and swaps until a sum is large.
DOUBLED = """        first = relay.less(relay.sum(x), most)
        y = relay.negative(x)
        for a, b, i in relay.loop(first, [x, y, relay.const(0, "int64")]):
            c = a * 2.0
            d = c + 1.0
            goes_on = relay.less(relay.sum(d), most)
            z = (goes_on, b, d, i + 1)
        return z
"""


def parsed(body: str) -> ir.IRModule:
    module = uir.script.parse(HEAD + body)
    assert isinstance(module, ir.IRModule)
    return module


def doubled(x: np.ndarray, most: float) -> tuple[Any, ...]:
    a, b, i = x, -x, 0
    goes_on = x.sum() < most
    while goes_on:
        d = a * 2 + 1
        a, b, i = b, d, i + 1
        goes_on = d.sum() < most
    return a, b, i


def runs(module: ir.IRModule, *args: Any) -> list[list[np.ndarray]]:
    """Return the tensors of the interpreter and of compiled code, whose results are tuples."""
    found = [relay.evaluate(module, *args), uir.build(module)["main"](*args)]
    return [[np.from_dlpack(one) for one in value] for value in found]


@pytest.mark.parametrize("most", [-100.0, 5.0, 40.0])
@pytest.mark.parametrize("size", [0, 1, 4])
def test_values_are_carried(size: int, most: float) -> None:
    x = np.linspace(0, 1, size * 3, dtype=np.float32).reshape(size, 3)
    if size == 0 and most > 0:
        most = 0.0  # The sum of nothing never grows.
    for found in runs(parsed(DOUBLED), x, np.array(most, np.float32)):
        for one, wanted in zip(found, doubled(x, most), strict=True):
            np.testing.assert_allclose(one, wanted, rtol=1e-5)


# Each body carries values of its variables on: as they are, exchanged, in other shapes, or twice.
STEPS = {
    "the condition is a variable": """
        for c, d, s in relay.loop(first, [first, relay.const(False, "bool"), x]):
            z = (c, d, c, s + 1.0)
""",
    "a variable is read after the next value is known": """
        for s, t, i in relay.loop(first, [x, x, zero]):
            a = relay.exp(t)
            b = s + a
            z = (relay.less(i, 2), a, b * t, i + 1)
""",
    "a variable is read only before its next value": """
        for s, i in relay.loop(first, [x, zero]):
            a = relay.sum(s, 0, keepdims=True)
            b = relay.multiply(a, x)
            z = (relay.less(i, 2), b, i + 1)
""",
    "a view of a variable is read later": """
        for s, i in relay.loop(first, [x, zero]):
            flat = relay.reshape(s, [-1])
            a = relay.cumsum(s, 0)
            b = relay.sum(flat)
            z = (relay.less(b, 50.0), a, i + 1)
""",
    "a view of a variable is the next value of another one": """
        for s, t, i in relay.loop(first, [x, relay.transpose(x) * 0.5, zero]):
            z = (relay.less(i, 3), relay.reshape(t, [2, 3]), relay.reshape(s, [3, 2]), i + 1)
""",
    "one value is carried twice": """
        for s, t, i in relay.loop(first, [x, x, zero]):
            a = relay.cumsum(s + t, 1)
            z = (relay.less(i, 2), a, a, i + 1)
""",
    "a branch makes the next value": """
        for s, t, i in relay.loop(first, [x, x, zero]):
            if relay.less(i, 1):
                a = relay.cumsum(t, 0)
            else:
                a = t
            z = (relay.less(i, 2), a, s, i + 1)
""",
    "a function returns its argument": """
        for s, t, i in relay.loop(first, [x, x * 2.0, zero]):
            a = Module.same(s)
            b = relay.cumsum(t, 0)
            z = (relay.less(i, 2), b, a, i + 1)
""",
    "an operator writes rows of a variable over others": """
        for s, i in relay.loop(first, [x, zero]):
            a = relay.scatter_nd(s, relay.const([[1], [0]], "int64"), s * 0.5)
            b = relay.scatter_nd(a, relay.const([[1], [0]], "int64"), a)
            z = (relay.less(i, 2), b, i + 1)
""",
    "an operator reads other elements of the variable": """
        for s, t, i in relay.loop(first, [x, x, zero]):
            flat = relay.reshape(s, [-1])
            a = relay.reshape(relay.take(flat, relay.const([5, 4, 3, 2, 1, 0], "int64")), [2, 3])
            b = s + a
            c = t * b
            z = (relay.less(i, 2), b, c, i + 1)
""",
    "a value from outside is carried": """
        e = relay.exp(x)
        for s, t, i in relay.loop(first, [x, e, zero]):
            z = (relay.less(i, 2), e, s, i + 1)
""",
}


@pytest.mark.parametrize("name", STEPS)
def test_next_values_do_not_overwrite_what_is_read(name: str) -> None:
    module = uir.script.parse(
        """@uir.script.ir_module
class Module:
    @relay.function(private=True)
    def same(x: relay.Tensor((2, 3), "float32")) -> relay.Tensor((2, 3), "float32"):
        return x

    @relay.function
    def main(x: relay.Tensor((2, 3), "float32"), first: relay.Tensor((), "bool")):
        zero = relay.const(0, "int64")"""
        + STEPS[name]
        + "        return z\n"
    )
    assert isinstance(module, ir.IRModule)
    x = np.linspace(0.2, 1, 6, dtype=np.float32).reshape(2, 3)
    for first in (True, False):
        evaluated, compiled = runs(module, x, np.array(first))
        for one, wanted in zip(compiled, evaluated, strict=True):
            np.testing.assert_allclose(one, wanted, rtol=1e-5)


def test_operators_write_the_next_values() -> None:
    """Of two carried values, the body copies the one whose operator reads it."""
    module = parsed(
        """        zero = relay.const(0, "int64")
        for s, t, i in relay.loop(relay.less(most, 1.0), [x, x, zero]):
            a = relay.cumsum(relay.cumsum(t, 0), 1)
            c = relay.cumsum(s, 1)
            z = (relay.less(i, 3), c, a, i + 1)
        return z
"""
    )
    lowered = transform.LowerEntry()(lower(module))
    body = str(lowered["main"]).split("while ")[1]
    assert "output_0[i0, i1] = c[i0, i1]" in body
    assert ", output_1.data, " in body and "output_1[i0, i1] =" not in body


def test_operators_update_carried_values() -> None:
    """A step changes each element of one value, and a row of another one, and copies neither."""
    module = parsed(
        """        first = relay.less(most, 1.0)
        for s, t, i in relay.loop(first, [x, x, relay.const(0, "int64")]):
            a = s + t
            row = relay.expand_dims(relay.sum(a, 0), [0])
            b = relay.scatter_nd(t, relay.reshape(i, [1, 1]), row)
            z = (relay.less(i, 2), a, b, i + 1)
        return z
"""
    )
    body = str(transform.LowerEntry()(lower(module))["main"]).split("while ")[1]
    assert "add_in_place(" in body and "scatter_nd_in_place(" in body
    assert "output_0[" not in body and "output_1[" not in body
    x = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)
    s, t = x, x.copy()
    for i in range(3):
        s = s + t
        t[i] = s.sum(0)
    for found in runs(module, x, np.array(0, np.float32)):
        np.testing.assert_allclose(found[0], s, rtol=1e-5)
        np.testing.assert_allclose(found[1], t, rtol=1e-5)
        assert found[2] == 3


def test_functions_with_loops_are_inlined_twice() -> None:
    text = """@uir.script.ir_module
class Module:
    @relay.function(private=True)
    def grown(x: relay.Tensor((k,), "float32")) -> relay.Tensor((k,), "float32"):
        k = tir.SizeVar("k", "int32")
        first = relay.less(relay.sum(x), 9.0)
        for s in relay.loop(first, [x]):
            t = s + 1.0
            z = (relay.less(relay.sum(t), 9.0), t)
        return z[0]

    @relay.function
    def main(x: relay.Tensor((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        y = Module.grown(x)
        w = Module.grown(relay.concatenate([y, relay.negative(y)], 0))
        return (w, y)
"""
    module = uir.script.parse(text)
    assert isinstance(module, ir.IRModule)
    inlined = transform.Sequential([transform.InferType(), transform.Inline()])(module)
    assert not ir.verify(inlined)
    x = np.array([1, -2, 3], np.float32)
    y = x + 3
    wanted = np.concatenate([y, -y]) + 2
    for one in (module, inlined):
        for found in runs(one, x):
            np.testing.assert_allclose(found[0], wanted)


def test_text_and_files_read_back() -> None:
    module = parsed(DOUBLED)
    assert not ir.verify(module)
    text = str(module)
    assert 'for a, b, i in relay.loop(first, [x, y, relay.const(0, "int64")]):' in text
    assert "z = (goes_on, b, d, i + 1)" in text
    for copy in (uir.script.parse(text), ir.load_json(ir.save_json(module))):
        assert ir.structural_equal(copy, module)
        assert ir.structural_hash(copy) == ir.structural_hash(module)
    normal = transform.Sequential([transform.ToANormalForm(), transform.InferType()])(module)
    assert not ir.verify(normal)
    assert ir.structural_equal(uir.script.parse(str(normal)), normal)


def test_loops_and_branches_nest() -> None:
    body = """        zero = relay.const(0, "int32")
        for s, i in relay.loop(relay.less(zero, 3), [x, zero]):
            for t, j in relay.loop(relay.less(zero, i), [s, zero]):
                u = t + x
                r = (relay.less(j + 1, i), u, j + 1)
            if relay.less(i, 2):
                v = r[0] * 2.0
            else:
                v = relay.negative(r[0])
            w = (relay.less(i + 1, 3), v, i + 1)
        return w
"""
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    s = x
    for i in range(3):
        s = s + i * x
        s = s * 2 if i < 2 else -s
    for found in runs(parsed(body), x, np.array(0, np.float32)):
        np.testing.assert_allclose(found[0], s)
        assert found[1] == 3


def simplified(body: str, *passes: transform.Pass) -> str:
    start = [transform.ToANormalForm(), transform.InferType()]
    module = transform.Sequential([*start, *passes])(parsed(body))
    assert not ir.verify(module)
    return str(module)


def test_passes_see_into_loops() -> None:
    body = """        e = relay.exp(x)
        flag = relay.less(relay.sum(e), most)
        for s in relay.loop(flag, [x]):
            same = relay.exp(x)
            unused = relay.sin(s)
            three = relay.const([1.0, 2.0, 3.0], "float32") + 1.0
            t = s * same + three
            z = (relay.less(relay.sum(t), most), t)
        return z
"""
    text = simplified(body, transform.EliminateCommonSubexpr(), transform.DeadCode())
    assert text.count("relay.exp") == 1
    assert "relay.sin" not in text
    text = simplified(body, transform.FoldConstant())
    assert 'relay.const([2.0, 3.0, 4.0], "float32")' in text
    text = simplified(body, transform.FuseOps())
    assert "_multiply_add(" in text
    never = body.replace(
        "relay.less(relay.sum(e), most)\n        for", 'relay.const(False, "bool")\n        for'
    )
    assert "relay.loop" not in simplified(never, transform.SimplifyExpr(), transform.DeadCode())


def test_values_that_nothing_needs_are_not_carried() -> None:
    """The second value needs the first, the condition the last, and only a dead loop the third."""
    body = """        zero = relay.const(0, "int64")
        for a, b, c, i in relay.loop(relay.less(most, 9.0), [x, x, x, zero]):
            for d, e in relay.loop(relay.less(i, 2), [a, relay.sin(c)]):
                g = (relay.less(relay.sum(d), -9.0), d * 0.5, relay.cos(e + d))
            f = relay.sin(c) * 0.5
            z = (relay.less(i, 3), g[0] + 1.0, b * a, f, i + 1)
        unused = z[0] * z[2]
        if relay.less(most, 1.0):
            r = z[1] * 2.0
        else:
            r = z[1]
        return r, z[3]
"""
    module = parsed(body)
    text = simplified(body, transform.DeadCode())
    assert "relay.sin" not in text and "relay.cos" not in text
    assert "for a, b, i in relay.loop(" in text and "for d in relay.loop(" in text
    after = transform.Sequential(
        [transform.ToANormalForm(), transform.InferType(), transform.DeadCode()]
    )(module)
    assert transform.DeadCode()(after).same_as(after)
    x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
    for most in (0.0, 5.0, 9.0):
        a, b = x, x
        for i in range(4 if most < 9 else 0):
            d = a if i >= 2 else a * 0.5
            a, b = d + 1, b * a
        for one in (module, after):
            for found in runs(one, x, np.array(most, np.float32)):
                np.testing.assert_allclose(found[0], b * 2 if most < 1 else b, rtol=1e-5)
                assert found[1] == (4 if most < 9 else 0)


def test_buffers_of_the_body_share_memory() -> None:
    """Of a chain of products in the body, two live at a time."""
    lines = [f"            v{at + 1} = relay.matmul(v{at}, w)" for at in range(6)]
    text = """@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((64, 64), "float32"), w: relay.Tensor((64, 64), "float32")):
        flag = relay.less(relay.sum(x), 1e30)
        for v0 in relay.loop(flag, [x]):
""" + "\n".join(
        [*lines, "            z = (relay.less(relay.sum(v6), 1e30), v6)", "        return z[0]"]
    )
    module = uir.script.parse(text)
    assert isinstance(module, ir.IRModule)
    entry = transform.Sequential([transform.LowerEntry(), transform.PlanMemory()])
    main = entry(lower(module)).lookup("main")
    assert int(main.get_attr("arena_bytes")) <= 4 * (2 * 64 * 64) + 1024


def test_a_step_checks_its_dimensions() -> None:
    text = """@uir.script.ir_module
class Module:
    @relay.function
    def main(c: relay.Tensor((), "bool"), x: relay.Tensor((n,), "float32"),
             y: relay.Tensor((m,), "float32")):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        for s in relay.loop(c, [x]):
            z = (relay.less(relay.sum(s), 0.0), s + y)
        return z[0]
"""
    library = uir.build(uir.script.parse(text))["main"]
    three, four = np.ones(3, np.float32), np.ones(4, np.float32)
    np.testing.assert_array_equal(np.from_dlpack(library(np.array(False), three, four)), three)
    np.testing.assert_array_equal(np.from_dlpack(library(np.array(True), three, three)), 2 * three)
    with pytest.raises(ValueError, match="`n == m` must hold"):
        library(np.array(True), three, four)


def test_rewriters_change_the_types_of_variables() -> None:
    class Doubles(transform.BindingRewriter):
        def visit_var(self, node: relay.Var, /) -> ir.RelayExpr:
            return wide if node.same_as(x) else super().visit_var(node)

    module = parsed("""        for s in relay.loop(relay.less(most, 1.0), [x]):
            z = (relay.less(most, 1.0), relay.exp(s))
        return z[0]
""")
    main: Any = module["main"]
    x = main.params[0]
    wide_type = relay.Tensor((4,), "float64")
    wide = relay.Var("wide", wide_type)
    after = Doubles().run(main)
    loop = next(one.value for one in after.body.bindings if isinstance(one.value, relay.While))
    assert [str(one.checked_type) for one in (*loop.params, loop)] == [
        str(wide_type),
        str(ir.TupleType([wide_type])),
    ]
    assert transform.BindingRewriter().run(main).same_as(main)


def test_types_stay_the_same() -> None:
    x = relay.Var("x", relay.Tensor((2,)))
    s = relay.Var("s", relay.Tensor((2,)))
    flag = relay.const(True)

    def loop(result: ir.RelayExpr, condition: ir.RelayExpr = flag) -> ir.RelayExpr:
        return relay.While([s], condition, [x], relay.Block([], result))

    assert str(loop(relay.Tuple([flag, s])).checked_type) == str(ir.TupleType([relay.Tensor((2,))]))
    with refuses(
        TypeError,
        'While: `s` has the type `relay.Tensor((2,), "float32")`, its value after a step '
        '`relay.Tensor((), "float32")`',
    ):
        loop(relay.Tuple([flag, relay.const(1.0, "float32")]))
    with pytest.raises(TypeError, match="the body must compute a condition and 1 values"):
        loop(s)
    with pytest.raises(TypeError, match="`condition` must be a tensor of shape"):
        loop(relay.Tuple([flag, s]), x)
    with pytest.raises(ValueError, match="a variable for each initial value"):
        relay.While([], flag, [x], relay.Block([], relay.Tuple([flag])))
    with pytest.raises(TypeError, match="its value before the first step"):
        relay.While([s], flag, [flag], relay.Block([], relay.Tuple([flag, s])))
