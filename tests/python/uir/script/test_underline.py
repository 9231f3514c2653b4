"""Nodes in scripts: underlined, and the lines that they take."""

from __future__ import annotations

import numpy as np
import pytest

from uir import relay, script, tir
from uir.ir import StringImm
from uir_nodes.script import line_ranges

TEXT = """\
@tir.prim_func
def main(A: tir.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = A[i] + 1.0"""
FUNC = script.parse_value(TEXT)


def test_expressions_statements_and_bindings() -> None:
    loop = FUNC.body
    store = loop.body
    shown = script.underline(FUNC, [store.value, store, loop.loop_var], ["sum", "store", ""])
    assert shown == (
        "@tir.prim_func\n"
        'def main(A: tir.Buffer((16,), "float32")):\n'
        "    for i in range(16):\n"
        "        ^\n"
        "        A[i] = A[i] + 1.0\n"
        "               ^^^^^^^^^^ sum\n"
        "        ^^^^^^^^^^^^^^^^^ store"
    )


def test_a_node_that_does_not_occur() -> None:
    shown = script.underline(FUNC, [tir.Var("x")], ["lost"])
    assert shown == TEXT + "\nnote: of a node that does not stand there: lost"


def test_of_a_long_text_the_lines_around() -> None:
    stores = [tir.Evaluate(tir.const(number)) for number in range(500)]
    shown = script.underline(tir.SeqStmt(stores), [stores[250]], ["here"])
    lines = shown.splitlines()
    assert lines[0] == lines[-1] == "..."
    assert len(lines) < 40
    assert lines[lines.index("tir.evaluate(250)") + 1] == "^^^^^^^^^^^^^^^^^ here"


def test_of_long_lines_without_marks_their_begin() -> None:
    weights = relay.const(np.ones((100, 100), "float32"))
    product = relay.exp(weights)
    func = relay.Function([], relay.Block([], product))
    shown = script.underline(func, [product], ["here"])
    assert len(shown) < 2000 < len(script.print(func))
    *_, last = shown.splitlines()
    assert last.startswith("metadata = {") and last.endswith(" ...")
    statement = tir.Evaluate(tir.call_extern("int32", "f", StringImm("x" * 999)))
    assert "x" * 999 in script.underline(statement, [statement], ["the whole line"])


def test_as_many_messages_as_nodes() -> None:
    with pytest.raises(ValueError, match="`messages` must be as many as `nodes`, which are 1"):
        script.underline(FUNC, [FUNC], [])


def test_lines_of_nodes() -> None:
    loop = FUNC.body
    ranges = line_ranges(FUNC, [loop.body, loop, FUNC, tir.Var("x")])
    assert [list(one) for one in ranges] == [[4, 4], [3, 4], [1, 4], []]


def test_lines_below_declarations_and_of_branches() -> None:
    text = """\
@uir.script.ir_module
class Module:
    @relay.function
    def main(c: relay.Tensor((), "bool"), x: relay.Tensor((n, 8), "float32")):
        n = tir.SizeVar("n", "int32")
        if c:
            y = relay.exp(x)
        else:
            y = x
        z = relay.relu(y)
        return z"""
    module = script.parse(text)
    func = module["main"]
    assert isinstance(func, relay.Function)
    branch, call = func.body.bindings
    assert isinstance(branch.value, relay.If)
    inside = branch.value.true_branch.result
    ranges = line_ranges(module, [branch, call, inside, func], False)
    assert [list(one) for one in ranges] == [[6, 9], [10, 10], [7, 7], [3, 11]]
