"""Script in terminals and notebooks, and where Python prints."""

from __future__ import annotations

import html
import io
import re

import numpy as np
import pytest
import tvm_ffi

from uir import ir, relay, script, tir

X = tir.Var("x", "int32")
LOOP = tir.For(X, tir.const(0), tir.const(4), tir.ForKind.SERIAL, tir.Evaluate(tir.Add(X, X)))


def test_str_is_script() -> None:
    assert str(tir.Add(X, X)) == "x + x"
    assert str(LOOP) == "for x in range(4):\n    tir.evaluate(x + x)"
    assert str(ir.IRModule()) == "@uir.script.ir_module\nclass Module:\n    pass"


def test_str_of_high_level_nodes_is_script() -> None:
    x = relay.Var("x", relay.Tensor((2, 3), "float32"))
    assert str(x) == "x"
    assert str(x.checked_type) == 'relay.Tensor((2, 3), "float32")'
    assert str(relay.Tuple([relay.exp(x) * 2.0, x])) == "(relay.exp(x) * 2.0, x)"
    assert str(relay.softmax(x, axis=1)) == "relay.softmax(x, axis=1)"
    assert str(ir.GlobalVar("main")) == "main"
    assert str(ir.Range(X, tir.const(4))) == "ir.Range(x, 4)"


def test_repr_is_script() -> None:
    x = relay.Var("x", relay.Tensor((2,), "float32"))
    buffer = tir.decl_buffer([4], "float32", "A")
    func = relay.Function([x], relay.Block([], relay.exp(x)))
    module = ir.IRModule({ir.GlobalVar("main"): func})
    shown = [
        X,
        X + 1,
        LOOP,
        ir.PrimType("int8"),
        ir.Range(X, X),
        x,
        buffer,
        func.body,
        func,
        module,
    ]
    assert list(map(repr, shown)) == list(map(str, shown))
    assert repr([X, X + 1, buffer]) == "[x, x + 1, A]"
    assert repr(module) == script.print(module)


def test_repr_shows_the_start_of_a_long_text() -> None:
    lines = [tir.Evaluate(tir.const(value)) for value in range(100)]
    shown = [f"tir.evaluate({value})" for value in range(30)]
    assert repr(tir.SeqStmt(lines)).splitlines() == [*shown, "# 70 more lines, which `print` shows"]
    total = X + 1
    for _ in range(9):
        total = tir.Add(total, total)
    assert repr(total) == f"{str(total)[:200]}..."


def test_repr_leaves_out_elements_of_tensors() -> None:
    weights = relay.Constant(np.ones((300, 300), "float32"))
    assert len(repr(relay.exp(weights))) < 200 < len(str(weights))


def test_repr_of_a_node_that_contains_itself_has_its_fields() -> None:
    annotations = tvm_ffi.Dict({})
    block = tir.AttrStmt(annotations, "key", tir.const(0), LOOP)
    annotations["block"] = block
    with pytest.raises(ValueError, match="contains itself"):
        str(block)
    assert repr(block).startswith("uir.tir.AttrStmt(node=")
    annotations.clear()


def test_show_without_colours() -> None:
    output = io.StringIO()
    script.show(LOOP, file=output)
    assert output.getvalue() == script.print(LOOP) + "\n"


def test_show_in_colours() -> None:
    output = io.StringIO()
    script.show(LOOP, color=True, file=output)
    painted = output.getvalue()
    assert "\033[1;34mfor\033[0m" in painted
    assert re.sub(r"\033\[[\d;]*m", "", painted) == script.print(LOOP) + "\n"


def test_notebooks_show_html() -> None:
    stmt = tir.Evaluate(ir.StringImm("<&>"))
    page = stmt._repr_html_()  # type: ignore[attr-defined]
    assert '<span class="string">&quot;&lt;&amp;&gt;&quot;</span>' in page
    themes = ('data-jp-theme-light="false"', ".vscode-dark", 'data-md-color-scheme="slate"')
    for theme in ("prefers-color-scheme: dark", *themes):
        assert theme in page


def test_long_modules_are_folded() -> None:
    body = "".join(f"        A[{place}] = 1.0\n" for place in range(30))
    functions = [
        f'    @tir.prim_func\n    def {name}(A: tir.Buffer((32,), "float32")):\n{body}'
        for name in ("one", "two")
    ]
    module = script.parse(f"@uir.script.ir_module\nclass Module:\n{''.join(functions)}")
    page = module._repr_html_()
    assert page.count("<details>") == page.count("</details>") == 2
    assert page.count("# 30 lines") == 2
    parts = re.findall("<pre>(.*?)</pre>", page, re.DOTALL)
    text = "\n".join(html.unescape(re.sub("<[^>]*>", "", part)) for part in parts)
    assert text.split() == str(module).split()
    assert "<details>" not in module.lookup("one")._repr_html_()
