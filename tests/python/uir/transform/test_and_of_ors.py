"""Conditions become conjunctions of disjunctions, where an option asks for it."""

from __future__ import annotations

import pytest

from uir.transform import PassContext, Simplify

from .script_checks import becomes, stays

OPTION = {"Simplify.convert_boolean_to_and_of_ors": True}


def condition(text: str) -> str:
    return f"if {text}:\n    A[0] = 0.0"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Disjunctions are distributed, in the order of the parts.
        ("n < 3 or (m < 4 and B[1] < 5)", "(n < 3 or m < 4) and (n < 3 or B[1] < 5)"),
        ("not (n < 3 and B[0] < 4 or m < 5)", "(3 <= n or 4 <= B[0]) and 5 <= m"),
        # What another part implies goes, however far it stands.
        ("n == 3 and (m < 4 and n != 5)", "n == 3 and m < 4"),
        ("n == 3 or m < 4 or n != 5", "n != 5 or m < 4"),
        (
            "(n < 3 or m < 4) and (m < 4 or n < 3 and B[1] < 5)",
            "(m < 4 or n < 3) and (m < 4 or B[1] < 5)",
        ),
        ("(n < 3 or B[1] < 5) and (m < 4 or B[1] < 6 or n < 3)", "n < 3 or B[1] < 5"),
        # Disjunctions that differ in one part each are joined.
        ("(n < 3 or m < 4) and (m < 4 or n >= 3)", "m < 4"),
        ("(n <= 3 or m < 4) and (m < 4 or n >= 3)", "n == 3 or m < 4"),
    ],
)
def test_parts_are_distributed_and_simplify_each_other(before: str, after: str) -> None:
    with PassContext(config=OPTION):
        assert becomes(Simplify(), condition(before), condition(after))


def test_a_condition_that_always_holds_goes() -> None:
    with PassContext(config=OPTION):
        assert becomes(Simplify(), condition("n < 3 or m < 4 or n >= 3"), "A[0] = 0.0")


def test_without_the_option_conditions_keep_their_form() -> None:
    assert stays(Simplify(), condition("n < 3 or (m < 4 and B[1] < 5)"))


@pytest.mark.parametrize(
    "protected",
    [
        "n < 0 or (m < 60 and B[m] < 3)",
        "n < 0 or (m != 0 and 8 // m < 2)",
        'n < 0 or (m < 3 and tir.call_extern("bool", "next"))',
    ],
)
def test_a_check_stays_before_what_it_protects(protected: str) -> None:
    with PassContext(config=OPTION):
        assert stays(Simplify(), condition(protected))


def test_what_would_grow_too_large_stays() -> None:
    pairs = [f"(B[{2 * i}] < 1 and B[{2 * i + 1}] < 2)" for i in range(12)]
    with PassContext(config=OPTION):
        assert stays(Simplify(), condition(" or ".join(pairs)))
