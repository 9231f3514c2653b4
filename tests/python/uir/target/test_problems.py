"""What cannot be emitted is one error that lists all of it, with its places and what to run."""

from __future__ import annotations

import pytest

from uir import script, transform
from uir.target import Target, emit_c


def problems(body: str) -> list[str]:
    """Return the problems of a module whose functions are given."""
    module = script.parse(f"@uir.script.ir_module\nclass Module:\n{body}")
    with pytest.raises(ValueError, match="cannot be emitted as C") as raised:
        emit_c(module, Target())
    lines = str(raised.value).splitlines()
    found = [line.partition("error: ")[2] for line in lines if "error: " in line]
    count = "1 problem" if len(found) == 1 else f"{len(found)} problems"
    assert lines[0] == f"the module cannot be emitted as C, it has {count}:"
    assert sum(line.startswith("<text>:") for line in lines) == len(found)
    return found


def test_all_that_passes_lower_is_listed() -> None:
    assert problems(
        """
    @relay.function
    def high(x: relay.Tensor((2,), "float32")):
        return relay.exp(x)

    @tir.prim_func
    def main(A: tir.Buffer((4, 4), "float32"), B: tir.Buffer((4,), "float32")):
        for i in tir.vectorized(4):
            B[i] = A[i, 0]
        with tir.block("last"):
            B[0] = 1.0
"""
    ) == [
        "function `high` is a function on tensors; run `LowerOps` and `LowerEntry` before",
        "loop `i` is vectorized; run `VectorizeLoop` before",
        "buffer `A` is not flat; run `FlattenBuffer` before",
        "block `last` is left; run `LowerBlocks` before",
    ]


def test_operators_without_a_meaning_in_c_are_listed() -> None:
    assert problems(
        """
    @tir.prim_func
    def main(A: tir.Buffer((4,), "float8_e4m3fn"), B: tir.Buffer((4,), "bfloat16")):
        tir.storage_sync("shared")
        B[0] = tir.bfloat16(tir.float32(A[0]))
        B[1] = B[2] * B[3]
        B[1] = tir.exp(B[2])
        B[1] = tir.bfloat16(B[2] < B[3])
        tir.call_packed("f", B[2], dtype="int32")
"""
    ) == [
        "C has no type for `float8_e4m3fn`",
        "C has nothing for operator `tir.storage_sync`",
        *["C has no arithmetic for `bfloat16`; run `WidenBFloat16` before"] * 3,
        "an argument of a global function is a number, a boolean, a text, a reference or a tensor, "
        "got a `bfloat16`",
    ]


def test_calls_that_do_not_fit_are_listed() -> None:
    assert problems(
        """
    @tir.prim_func(private=True)
    def part(A: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        A[n] = 0.0

    @tir.prim_func(private=True)
    def two(x: tir.int32) -> tir.int32:
        if x > 0:
            tir.ret(x)
        tir.ret(tir.int64(1))

    @tir.prim_func
    def main(A: tir.Buffer((4,), "float32")):
        Module.part(A.data)
        Module.part(A.data, 3)
        tir.call_extern("int32", "twice", A[0])
        tir.call_extern("int32", "twice", 1)
        tir.call_extern("int32", "no name")
        Module.two(3)
"""
    ) == [
        "a function returns values of one data type, got `int64` and `int32`",
        "variable `n` has no value here; only the entries of public functions find sizes",
        "`part` takes 1 arguments, got 2",
        "function `twice` is called with arguments or a result of other types",
        "`no name` is not a name in C",
    ]


def test_entries_that_clash_are_listed() -> None:
    assert problems(
        """
    @tir.prim_func
    def f(A: tir.Buffer((4,), "float32"), B: tir.Buffer((4,), "float32")):
        tir.func_attr({"num_outputs": 1})
        B[0] = A[0]

    @tir.prim_func
    def f_into(A: tir.Buffer((4,), "float32")):
        A[0] = 0.0

    @tir.prim_func
    def g(A: tir.Buffer((4,), "float32")):
        tir.func_attr({"num_outputs": 2})
        A[0] = 0.0
"""
    ) == [
        "two functions have the entry `f_into`",
        "attribute `num_outputs` must be from 1 to the number of parameters, 1",
    ]


def test_an_unknown_kind_and_instruction_set_are_refused() -> None:
    with pytest.raises(ValueError, match="Target: `kind` must be `c`, got `cuda`"):
        Target("cuda")
    with pytest.raises(ValueError, match="Target: `isa` must be one of `generic`, `native`"):
        Target(isa="avx")


def test_passes_lower_what_problems_name() -> None:
    module = script.parse(
        """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((4, 4), "float32")):
        for i in tir.vectorized(4):
            A[0, i] = 1.0
"""
    )
    lower = transform.Sequential([transform.FlattenBuffer(), transform.VectorizeLoop()])
    assert "store_float32x4(A, broadcast_float32x4(1.0f));" in emit_c(lower(module), Target())
