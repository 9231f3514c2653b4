"""Functions and modules in Python files: their source is read, and the names around it."""

from __future__ import annotations

import pytest

import uir
from uir import ir, script, tir
from uir.script import ScriptError

# The source is script: it is read, and never run.
# mypy: ignore-errors

N = 16


@tir.prim_func
def double(A: tir.Buffer((N,), "float32")):
    for i in range(N):
        A[i] = A[i] * 2.0


@uir.script.ir_module(attrs={"runtime": "c"})
class Pair:
    sink = ir.ExternFunc("c_sink")

    @tir.prim_func(private=True)
    def helper(x: tir.int32) -> tir.int32:
        return x + 1

    @tir.prim_func
    def main(x: tir.int32):
        Pair.sink(Pair.helper(x, dtype="int32"))


def test_a_function() -> None:
    assert isinstance(double, tir.PrimFunc)
    assert double.attrs.dict["global_symbol"] == "double"
    assert str(double) == (
        "@tir.prim_func\n"
        'def double(A: tir.Buffer((16,), "float32")):\n'
        "    for i in range(16):\n"
        "        A[i] = A[i] * 2.0"
    )


def test_names_of_the_surroundings() -> None:
    factor, offset = 3.5, tir.Var("offset", "int32")

    class Config:
        size = 4

    @tir.prim_func
    def scale(A: tir.Buffer((Config.size,), "float16")):
        A[offset] = A[offset] * factor

    assert scale.body.indices[0].same_as(offset)
    assert scale.body.value.b.value == 3.5
    assert scale.body.value.b.dtype == "float16"


def clamped(value, *, high=8):
    return tir.min(tir.max(value, 0), high)


def test_functions_of_the_surroundings_are_called() -> None:
    shape, seen = (4, 4), []

    def note(buffer):
        seen.append(buffer.name)

    @tir.prim_func
    def helped(A: tir.Buffer((len(shape), *shape), "int32"), x: tir.int32):
        note(A)
        A[0, 0, clamped(x, high=2)] = max(shape[0], 2)

    assert seen == ["A"]
    assert [extent.value for extent in helped.buffer_map[helped.params[0]].shape] == [2, 4, 4]
    assert str(helped.body) == "A[0, 0, tir.min(tir.max(x, 0), 2)] = 4"


def test_errors_of_called_functions_point_at_the_call() -> None:
    def fails(_value):
        raise ValueError("not today")

    with pytest.raises(ScriptError, match="not today") as caught:

        @tir.prim_func
        def calls(x: tir.int32):
            tir.evaluate(fails(x))

    assert "fails(x)" in str(caught.value)


def test_spans_point_into_the_file() -> None:
    span = double.body.span
    assert span.source_name.name == __file__
    with open(__file__) as file:
        line = file.readlines()[span.line - 1]
    assert line[span.column - 1 :] == "for i in range(N):\n"


def test_an_error_points_into_the_file() -> None:
    with pytest.raises(
        ScriptError, match=r"test_decorators\.py:\d+:23: error: unknown name `rang`"
    ):

        @tir.prim_func
        def wrong(n: tir.int32):
            for _i in rang(n):  # noqa: F821
                pass


def test_a_function_without_a_result() -> None:
    text = '@tir.prim_func\ndef main(A: tir.Buffer((4,), "float32")) -> tir.void:\n    A[0] = 1.0'
    assert script.print(script.parse_value(text)) == text


def test_only_functions() -> None:
    with pytest.raises(TypeError, match="expected a function, got `int`"):
        tir.prim_func(3)


def test_annotations_of_tvm_are_values_of_python() -> None:
    n = script.ir.dynamic("n")

    @script.ir_module(check_well_formed=False, s_tir=True)
    class Many:
        @tir.prim_func
        def main(
            A: tir.Buffer[(16,), "float32"],  # noqa: F821, UP037
            p: tir.Ptr[tir.int32, "shared"],  # noqa: F821, UP037
            q: tir.handle(storage_scope="shared"),
            b: tir.boolean,
            f: tir.f32,
            B: tir.Buffer((n,), tir.float8_e4m3fn),
        ):
            tir.evaluate(max(f, A[0]))

    text = str(Many)
    assert (
        'def main(A: tir.Buffer((16,), "float32"), p: tir.handle("int32", "shared"), '
        'q: tir.handle("void", "shared"), b: tir.bool, f: tir.float32, '
        'B: tir.Buffer((n,), "float8_e4m3fn")):'
    ) in text
    assert "tir.evaluate(tir.max(f, A[0]))" in text
    assert tir.dynamic("m", "int32").dtype == "int32"
    with pytest.raises(AttributeError, match="no attribute 'float33'"):
        getattr(tir, "float33")  # noqa: B009


def test_functions_of_the_surroundings_make_values_of_script() -> None:
    def halves(i):
        return tir.meta_var((i // 2, tir.float32(i) + tir.float32(1)))

    @tir.prim_func
    def main(A: tir.Buffer((4,), "float32"), n: tir.int32):
        place, value = halves(n)
        A[place] = value

    assert str(main.body) == "A[n // 2] = tir.float32(n) + 1.0"
    assert isinstance(tir.int32(), tir.Var)
