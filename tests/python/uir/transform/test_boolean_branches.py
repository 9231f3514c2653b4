"""Operands of `and` and `or` are simplified by each other, where an option asks for it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from uir import ir, tir
from uir.transform import PassContext, Simplify

from ...support.depth import DEPTH
from ...support.interpreter import run
from .script_checks import becomes, parse_body, stays

OPTION = {"Simplify.apply_constraints_to_boolean_branches": True}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("n < 5 and (m < 3 or n < 7)", "n < 5"),
        ("(m < 3 or n < 7) and n < 5", "n < 5"),
        ("n != 5 or (m < 3 and n == 5)", "n != 5 or m < 3"),
        ("n == 5 and n + m < 8", "n == 5 and m < 3"),
        ("(n == 5 or m == 5) and n != 5", "n != 5 and m == 5"),
    ],
)
def test_an_operand_says_something_about_the_other(before: str, after: str) -> None:
    with PassContext(config=OPTION):
        assert becomes(Simplify(), f"if {before}:\n    A[0] = 0.0", f"if {after}:\n    A[0] = 0.0")


def test_without_the_option_both_stay() -> None:
    assert stays(Simplify(), "if n == 5 and n + m < 8:\n    A[0] = 0.0")


@pytest.mark.parametrize(
    "condition", ["n < 60 and B[n] < 3", "n != 0 and 8 // n < 2", "n < 5 and m < 3"]
)
def test_a_check_stays_before_what_it_protects(condition: str) -> None:
    with PassContext(config=OPTION):
        assert stays(Simplify(), f"if {condition}:\n    A[0] = 0.0")


PARTS = "n < {a}", "n == {a}", "n != m", "m < {a}", "n + m < {a}", "B[1] < {a}", "n // 2 < m"


def random_condition(random: Random, depth: int = 3) -> str:
    """Return a condition of up to eight comparisons."""
    if depth == 0:
        return random.choice(PARTS).format(a=random.randrange(-1, 6))
    a, b = (random_condition(random, depth - 1) for _ in range(2))
    return f"({a} {random.choice(['and', 'or'])} {b})"


CONVERT = {"Simplify.convert_boolean_to_and_of_ors": True}


@pytest.mark.parametrize("config", [OPTION, CONVERT, {**OPTION, **CONVERT}])
@pytest.mark.parametrize("seed", range(6 * DEPTH))
def test_random_conditions_keep_their_values(seed: int, config: dict[str, bool]) -> None:
    random = Random(seed)
    module = parse_body(f"if {random_condition(random)}:\n    B[0] = 1")
    with PassContext(config=config):
        changed = Simplify()(module)
    assert list(ir.verify(changed)) == []
    for n in range(-1, 6):
        for m in range(-1, 6, 2):
            results = []
            for func in (module.lookup("main"), changed.lookup("main")):
                assert isinstance(func, tir.PrimFunc)
                arrays = np.zeros(64, "float32"), np.full(64, m, "int32")
                run(func, *arrays, n, m)
                results.append(arrays[1])
            assert np.array_equal(results[0], results[1]), f"n={n}, m={m}: {changed}"
