"""Texts as users of TVM have them: their imports, decorators, and annotations of parameters."""

from __future__ import annotations

import pytest

from uir import ir, script

BODY = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), p: T.handle("float32", "shared")):
    for i in T.parallel(16):
        A[i] = T.exp(A[i])
"""

CANONICAL = """
@tir.prim_func
def main(A: tir.Buffer((16,), "float32"), p: tir.handle("float32", "shared")):
    for i in tir.parallel(16):
        A[i] = tir.exp(A[i])
""".strip()


def same(text: str, canonical: str) -> None:
    """Both texts are one value, and the canonical one is what it prints."""
    parsed = script.parse_value(text)
    assert script.print(parsed) == canonical
    assert ir.structural_equal(script.parse_value(canonical), parsed, map_free_vars=True)


@pytest.mark.parametrize(
    "imports",
    [
        "",
        "# from tvm.script import tir as T\n",
        "from tvm.script import tir as T",
        "from tvm.script import tirx as T",
        "from tvm.script.parser import ir as I, tir as T",
        "import tvm\nimport tvm.testing\nfrom tvm import te, tir\nfrom tvm.script import tir as T",
    ],
)
def test_imports_of_tvm(imports: str) -> None:
    same(f"{imports}\n{BODY}", CANONICAL)


@pytest.mark.parametrize("name", ["tir", "tirx", "tvm.tir", "tvm.script.tir", "tvm.script.tirx"])
def test_names_of_modules(name: str) -> None:
    same(BODY.replace("T.", f"{name}."), CANONICAL)


def test_a_name_that_the_text_imports_stands_for_that() -> None:
    with pytest.raises(script.ScriptError, match="unknown name `evaluate` of `T`"):
        script.parse_value("import numpy as T\n@tir.prim_func\ndef main():\n    T.evaluate(0)")


def test_a_name_that_the_text_binds_hides_the_usual_one() -> None:
    text = '@T.prim_func\ndef main(R: tir.Buffer((4,), "int8"), I: tir.int32):\n    R[I] = R[0]\n'
    same(text, text.replace("T.", "tir.").strip())


@pytest.mark.parametrize(
    "decorator",
    [
        "@I.ir_module",
        "@T.ir_module",
        "@tvm.script.ir_module",
        "@I.ir_module(s_tir=True)",
        "@tvm.script.ir_module(check_well_formed=False)",
    ],
)
@pytest.mark.parametrize("bases", ["", "(object)"])
def test_modules(decorator: str, bases: str) -> None:
    body = BODY.replace("\n", "\n    ").rstrip()
    canonical = CANONICAL.replace("\n", "\n    ")
    same(
        f"{decorator}\nclass Module{bases}:{body}\n",
        f"@uir.script.ir_module\nclass Module:\n    {canonical}",
    )


def test_a_module_has_no_other_bases() -> None:
    with pytest.raises(script.ScriptError, match=r"2:9: error: expected `\)` as the class has no"):
        script.parse_value("@I.ir_module\nclass M(Other): pass")


@pytest.mark.parametrize(
    ("annotation", "canonical"),
    [
        ('T.Buffer[(16, 4), "int8"]', 'tir.Buffer((16, 4), "int8")'),
        ('T.Buffer[16, "float32"]', 'tir.Buffer((16,), "float32")'),
        ("T.Buffer[(16,)]", 'tir.Buffer((16,), "float32")'),
        ('T.Buffer[(n, n * 2), "float32"]', 'tir.Buffer((n, n * 2), "float32")'),
        ('T.Ptr[T.int32, "shared"]', 'tir.handle("int32", "shared")'),
        ("T.Ptr[T.int32]", 'tir.handle("int32", "global")'),
        ("T.Ptr(T.int32)", 'tir.handle("int32", "global")'),
        ('T.handle(dtype="int8", storage_scope="local")', 'tir.handle("int8", "local")'),
        ("T.boolean", "tir.bool"),
        ("T.e4m3_float8", "tir.float8_e4m3fn"),
        ("T.float32()", "tir.float32"),
        ('T.var("int64")', "tir.int64"),
    ],
)
def test_annotations(annotation: str, canonical: str) -> None:
    text = "@{}.prim_func\ndef main(n: {}.int32, x: {}):\n    {}.evaluate(n)"
    same(text.format("T", "T", annotation, "T"), text.format("tir", "tir", canonical, "tir"))


def test_no_variable_is_void() -> None:
    with pytest.raises(script.ScriptError, match="2:10: error: Var: `dtype` must not be `void`"):
        script.parse_value("@T.prim_func\ndef f(x: T.void): pass")


def test_an_address_of_a_declared_type() -> None:
    text = """
@T.prim_func
def main():
    p = T.handle("float32", "global")
    A = T.decl_buffer((1,), "float32", data=p)
    T.evaluate(A[0])
"""
    func = script.parse_value(text)
    assert str(func.body.seq[0].buffer.data.type_annotation.element_type.dtype) == "float32"
    same(text, script.print(func))
