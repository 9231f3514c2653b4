"""Names of packages and nodes under other names: from imports in a text, or around a decorator."""

from __future__ import annotations

import importlib.util
import textwrap
from pathlib import Path
from typing import Any

import pytest

import uir
import uir.relay as R
from uir import ir
from uir.relay import Tensor as Rt
from uir.relay import matmul
from uir.script import ScriptError
from uir.script import ir_module as module
from uir.script import tir as T
from uir.tir import Buffer as Buf
from uir.tir import exp as e
from uir.tir import prim_func as pf

# The source is script: it is read, and never run.
# mypy: ignore-errors

BOTH_LEVELS = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((4, 4), "float32")) -> relay.Tensor((4, 4), "float32"):
        y = x @ x
        z = relay.call_destination_passing(Module.scale, [y], relay.Tensor((4, 4), "float32"))
        return z

    @tir.prim_func
    def scale(A: tir.Buffer((4, 4), "float32"), B: tir.Buffer((4, 4), "float32")):
        for i in tir.parallel(4):
            for j in range(4):
                B[i, j] = tir.exp(A[i, j])
""".strip()


@module
class Module:
    @R.function
    def main(x: Rt((4, 4), "float32")) -> R.Tensor((4, 4), "float32"):
        y = matmul(x, x)
        z = R.call_destination_passing(Module.scale, [y], Rt((4, 4), "float32"))
        return z

    @pf
    def scale(A: Buf((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
        for i in T.parallel(4):
            for j in range(4):
                B[i, j] = e(A[i, j])


def test_names_around_a_decorator() -> None:
    assert uir.script.print(Module) == BOTH_LEVELS


@pytest.mark.parametrize(
    ("imports", "relay", "tir"),
    [
        ("import uir.relay as R\nfrom uir import tir as T", "R", "T"),
        ("from uir.script import tir as T, relay as R", "R", "T"),
        ("from uir import (\n    relay as R,\n    tir as T,\n)", "R", "T"),
        ("import numpy, uir as u", "u.relay", "u.tir"),
        (
            "from __future__ import annotations\nimport uir.relay\nfrom . import x",
            "uir.relay",
            "tir",
        ),
    ],
)
def test_imports_in_a_text(imports: str, relay: str, tir: str) -> None:
    renamed = BOTH_LEVELS.replace("relay.", f"{relay}.").replace("tir.", f"{tir}.")
    text = f"{imports}\n\n{renamed.replace('@uir.script.', '@module.')}"
    assert ir.structural_equal(uir.script.parse_value(text), Module)


def test_imported_members() -> None:
    text = """
from uir.tir import Buffer, float32, int64 as i64, prim_func as fn

@fn(private=True)
def main(A: Buffer((8,), "float32"), n: i64) -> float32:
    A[n] = float32(n)
"""
    assert uir.script.print(uir.script.parse_value(text)) == (
        "@tir.prim_func(private=True)\n"
        'def main(A: tir.Buffer((8,), "float32"), n: tir.int64) -> tir.float32:\n'
        "    A[n] = tir.float32(n)"
    )


def test_an_error_uses_the_alias() -> None:
    text = "import uir.tir as T\nT.evaluate(T.expp(1.0))\n"
    with pytest.raises(ScriptError) as raised:
        uir.script.parse_value(text)
    assert str(raised.value).splitlines() == [
        "<text>:2:12: error: unknown name `expp` of `T`",
        "   2 | T.evaluate(T.expp(1.0))",
        "     |            ^^^^^^",
        "  help: did you mean `T.exp`?",
    ]


def test_a_name_that_the_text_binds_hides_an_alias() -> None:
    text = "import uir.tir as T\n@tir.prim_func\ndef main(T: tir.int32):\n    T.evaluate(0)"
    with pytest.raises(ScriptError, match="`uir.tir.Var` has no attributes here"):
        uir.script.parse_value(text)


def test_what_cannot_be_imported_has_its_place() -> None:
    with pytest.raises(ScriptError, match=r"<text>:1:21: error: .* `\*` is not supported"):
        uir.script.parse_value("from uir.tir import *\nevaluate(0)")
    with pytest.raises(ScriptError, match="<text>:1:10: error: expected `import`, found `tir`"):
        uir.script.parse_value("from uir tir\nevaluate(0)")


def load(folder: Path, text: str) -> Any:
    """Import a Python file whose annotations Python evaluates."""
    path = folder / "evaluated.py"
    path.write_text(textwrap.dedent(text))
    spec = importlib.util.spec_from_file_location("evaluated", path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def test_annotations_that_python_evaluates(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        """
        import uir
        from uir import ir, relay as R, tir as T

        n = T.SizeVar("n")

        @uir.script.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((n, 4), "float32")) -> R.Tensor((n, 4), "float32"):
                return x

            @T.prim_func
            def scale(x: T.int32x4, p: T.handle("float32", "shared"), k: T.SizeVar("int64")):
                T.evaluate(k)

            @T.prim_func
            def plain(x: T.int32, y: T.bool, p: T.handle) -> T.bfloat16:
                return T.bfloat16(x)
        """,
    )
    assert "n = tir.SizeVar" in uir.script.print(loaded.Module)
    x = loaded.Module.lookup("main").params[0]
    assert x.type_annotation.shape[0].same_as(loaded.n)


def test_a_buffer_that_python_evaluates(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        """
        from uir.script import ir as I
        from uir.script import tir as T

        def annotated(n):
            @T.prim_func
            def main(A: T.Buffer((n, 4), "float32"), B: T.Buffer(n), p: T.Ptr("int32")) -> None:
                A[0, 0] = B[0]
            return main

        @I.ir_module
        class Module:
            I.module_attrs({"runtime": "c"})
            @T.prim_func
            def main(A: T.Buffer(shape=[16], dtype="int8"), x: T.int32):
                A[x] = 0
        """,
    )
    assert 'A: tir.Buffer((8, 4), "float32")' in str(loaded.annotated(8))
    assert loaded.Module.attrs.dict["runtime"] == "c"
    # Outside of script it is no buffer.
    with pytest.raises(AttributeError, match="an annotation has no `vload`.*tir.decl_buffer"):
        T.Buffer((4,), "int8").vload([0])
    data = T.Var("A", "handle", ir.PointerType(ir.PrimType("int8")))
    assert isinstance(T.Buffer(data=data, dtype="int8", shape=[ir.IntImm("int32", 4)]), T.Buffer)


def test_a_data_type_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(AttributeError, match="module 'uir.tir' has no attribute 'int33'"):
        load(tmp_path, "from uir import tir\n@tir.prim_func\ndef main(x: tir.int33): pass\n")
