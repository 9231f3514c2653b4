"""Choices leave loops in which they are always the same."""

from __future__ import annotations

import pytest

from uir import ir, tir
from uir.transform import HoistIfThenElse

from .script_checks import becomes, parse_body, stays


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            """
            for i in range(8):
                if n < 4:
                    A[i] = 0.0
            """,
            """
            if n < 4:
                for i in range(8):
                    A[i] = 0.0
            """,
        ),
        (
            """
            for i in range(8):
                if n < 4:
                    A[i] = 0.0
                else:
                    A[i] = 1.0
            """,
            """
            if n < 4:
                for i in range(8):
                    A[i] = 0.0
            else:
                for i in range(8):
                    A[i] = 1.0
            """,
        ),
        (
            """
            for i in range(8):
                for j in range(4):
                    if i < n:
                        A[i * 4 + j] = 0.0
            """,
            """
            for i in range(8):
                if i < n:
                    for j in range(4):
                        A[i * 4 + j] = 0.0
            """,
        ),
        (
            """
            for i in range(8):
                for j in range(4):
                    if n < 4:
                        if m < 4:
                            A[i * 4 + j] = 0.0
            """,
            """
            if n < 4:
                if m < 4:
                    for i in range(8):
                        for j in range(4):
                            A[i * 4 + j] = 0.0
            """,
        ),
        (
            """
            for i in range(8):
                if 8 // n < 4:
                    A[i] = 0.0
            """,
            """
            if 8 // n < 4:
                for i in range(8):
                    A[i] = 0.0
            """,
        ),
    ],
)
def test_a_choice_moves_out_as_far_as_it_can(before: str, after: str) -> None:
    assert becomes(HoistIfThenElse(), before, after)


@pytest.mark.parametrize(
    "body",
    [
        """
        for i in range(8):
            if i < n:
                A[i] = 0.0
        """,
        """
        for i in range(8):
            if B[0] < 4:
                B[i] = 9
        """,
        """
        for i in range(8):
            B[i] = 0
            if n < 4:
                A[i] = 0.0
        """,
        """
        for i in range(m):
            if 8 // n < 4:
                A[i] = 0.0
        """,
    ],
)
def test_other_choices_stay(body: str) -> None:
    assert stays(HoistIfThenElse(), body)


def test_the_loops_of_two_branches_have_variables_of_their_own() -> None:
    text = """
        for i in range(8):
            if n < 4:
                A[i] = 0.0
            else:
                A[i] = 1.0
    """
    after = HoistIfThenElse()(parse_body(text))
    assert list(ir.verify(after)) == []
    func = after.lookup("main")
    assert isinstance(func, tir.PrimFunc)
    assert isinstance(func.body, tir.IfThenElse)
    first, second = func.body.then_case, func.body.else_case
    assert isinstance(first, tir.For)
    assert isinstance(second, tir.For)
    assert not first.loop_var.same_as(second.loop_var)
    assert first.loop_var.name == second.loop_var.name
