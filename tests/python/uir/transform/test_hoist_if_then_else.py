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
            "for i in range(8):\n    if n < 4:\n        A[i] = 0.0",
            "if n < 4:\n    for i in range(8):\n        A[i] = 0.0",
        ),
        (
            "for i in range(8):\n    if n < 4:\n        A[i] = 0.0\n    else:\n        A[i] = 1.0",
            "if n < 4:\n    for i in range(8):\n        A[i] = 0.0\n"
            "else:\n    for i in range(8):\n        A[i] = 1.0",
        ),
        (
            "for i in range(8):\n    for j in range(4):\n        if i < n:\n"
            "            A[i * 4 + j] = 0.0",
            "for i in range(8):\n    if i < n:\n        for j in range(4):\n"
            "            A[i * 4 + j] = 0.0",
        ),
        (
            "for i in range(8):\n    for j in range(4):\n        if n < 4:\n            if m < 4:\n"
            "                A[i * 4 + j] = 0.0",
            "if n < 4:\n    if m < 4:\n        for i in range(8):\n            for j in range(4):\n"
            "                A[i * 4 + j] = 0.0",
        ),
        (
            "for i in range(8):\n    if 8 // n < 4:\n        A[i] = 0.0",
            "if 8 // n < 4:\n    for i in range(8):\n        A[i] = 0.0",
        ),
    ],
)
def test_a_choice_moves_out_as_far_as_it_can(before: str, after: str) -> None:
    assert becomes(HoistIfThenElse(), before, after)


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(8):\n    if i < n:\n        A[i] = 0.0",
        "for i in range(8):\n    if B[0] < 4:\n        B[i] = 9",
        "for i in range(8):\n    B[i] = 0\n    if n < 4:\n        A[i] = 0.0",
        "for i in range(m):\n    if 8 // n < 4:\n        A[i] = 0.0",
    ],
)
def test_other_choices_stay(body: str) -> None:
    assert stays(HoistIfThenElse(), body)


def test_the_loops_of_two_branches_have_variables_of_their_own() -> None:
    text = "for i in range(8):\n    if n < 4:\n        A[i] = 0.0\n    else:\n        A[i] = 1.0"
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
