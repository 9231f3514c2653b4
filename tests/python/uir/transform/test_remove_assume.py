"""What a program states goes once passes have used it; so do stores of undefined values."""

from __future__ import annotations

import pytest

from uir.transform import LoopPartition, RemoveAssume, RemoveStoreUndef, Sequential, Simplify

from .script_checks import PARAMS, becomes, parse_body, stays, unindented


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tir.evaluate(tir.assume(n > 0))\nA[0] = 1.0", "A[0] = 1.0"),
        (
            """
            for i in range(16):
                tir.evaluate(tir.assume(B[i] == 0))
            A[0] = 1.0
            """,
            "A[0] = 1.0",
        ),
        (
            """
            if n > 3:
                tir.evaluate(tir.assume(n < 9))
            else:
                A[0] = 1.0
            """,
            "if not n > 3:\n    A[0] = 1.0",
        ),
    ],
)
def test_assumptions_go_with_what_is_empty_without_them(before: str, after: str) -> None:
    assert becomes(RemoveAssume(), before, after)


def test_a_program_without_assumptions_stays() -> None:
    assert stays(RemoveAssume(), "for i in range(16):\n    tir.evaluate(0)")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            """
            tir.evaluate(tir.assume(n == 0))
            if n < 1:
                A[n] = 1.0
            """,
            "A[0] = 1.0",
        ),
        (
            """
            tir.evaluate(tir.assume(m < 4 and B[0] < n))
            if m < 5:
                A[0] = 1.0
            """,
            "A[0] = 1.0",
        ),
        (
            """
            for i in range(n):
                tir.evaluate(tir.assume(i < 3))
                A[i] = tir.min(i, 3)
            """,
            "for i in range(n):\n    A[i] = i",
        ),
    ],
)
def test_what_follows_an_assumption_uses_it(before: str, after: str) -> None:
    params = PARAMS.replace('A: tir.Buffer((64,), "float32")', 'A: tir.Buffer((64,), "int32")')
    numbers = [text.replace("1.0", "1") for text in (before, after)]
    assert becomes(Sequential([Simplify(), RemoveAssume()]), *numbers, params=params)


@pytest.mark.parametrize(
    "body",
    [
        """
        if n < 1:
            A[0] = 1.0
        tir.evaluate(tir.assume(n == 0))
        """,
        """
        if m < 1:
            tir.evaluate(tir.assume(n == 0))
        if n < 1:
            A[0] = 1.0
        """,
        """
        tir.evaluate(tir.assume(B[0] == 0))
        B[0] = n
        if B[0] == 0:
            A[0] = 1.0
        """,
    ],
)
def test_an_assumption_holds_behind_it_in_its_scope(body: str) -> None:
    assert stays(Simplify(), body)


def test_loops_are_split_by_assumptions() -> None:
    loop = """
        for i in range(n):
            if tir.likely(i < m):
                A[i] = 0.0
    """
    passes = Sequential([LoopPartition(), RemoveAssume()])
    whole = "for i in range(n):\n    A[i] = 0.0"
    assert becomes(passes, "tir.evaluate(tir.assume(n <= m))\n" + unindented(loop), whole)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A[0] = tir.undef(dtype='float32')\nA[1] = 0.0", "A[1] = 0.0"),
        ("A[0] = 1.0 + tir.undef(dtype='float32')\nA[1] = 0.0", "A[1] = 0.0"),
        ("x = tir.undef(dtype='float32')\ny = x * 2.0\nA[0] = y\nA[1] = 0.0", "A[1] = 0.0"),
        (
            """
            for i in range(8):
                A[i] = tir.undef(dtype='float32')
            A[1] = 0.0
            """,
            "A[1] = 0.0",
        ),
    ],
)
def test_stores_of_undefined_values_go(before: str, after: str) -> None:
    assert becomes(RemoveStoreUndef(), before, after)


@pytest.mark.parametrize("access", ["A[x] = 0.0", "A[0] = A[x]", "y = A[x]\nA[0] = y"])
def test_an_undefined_index_is_an_error(access: str) -> None:
    module = parse_body(f"x = tir.undef(dtype='int32')\n{access}")
    with pytest.raises(ValueError, match=r"an index must not depend on `tir\.undef`"):
        RemoveStoreUndef()(module)


def test_other_calls_are_stored() -> None:
    assert stays(RemoveStoreUndef(), "B[0] = n << 1")
