"""Rules for calls of operators that older versions wrote."""

from __future__ import annotations

import pytest

from tschema.ir.declarations import FunctionDecl
from tschema.passes.stored_calls import Argument, BadUpgrade, parse_upgrade

FUNCTION = '''
@function
def soften(x: ty.Any, low: ty.double, mode: str) -> ty.Any:
    """Do something."""
    ...
'''


@pytest.fixture
def soften(stages) -> FunctionDecl:
    (file,) = stages(FUNCTION).declarations.files
    (function,) = file.functions
    return function


def test_a_rule_gives_stored_values_and_constants(soften: FunctionDecl) -> None:
    rule = parse_upgrade("old.soft(x, y, *, beta) -> soften(y, beta, mode=None)", soften)
    assert (rule.name, rule.operands, rule.attributes) == ("old.soft", ("x", "y"), ("beta",))
    low, mode = Argument(stored="beta"), Argument(constant=None)
    assert rule.given == {"x": Argument(stored="y"), "low": low, "mode": mode}


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ("soft(x)", "there is no `->`"),
        ("soft(x -> soften(x)", "the old form is not a call"),
        ("2soft(x) -> soften(x)", "the old form is not a call"),
        ("soft(x, *rest) -> soften(x)", "the old form has names alone"),
        ("soft(x=1) -> soften(x)", "the old form has names alone"),
        ("soft(x, *, beta=1) -> soften(x)", "the old form has names alone"),
        ("soft(x) -> soften(x, 1, 2, 3)", "the new form has 4 arguments, expected 3"),
        ("soft(x) -> soften(", "the new form is not a call"),
        ("soft(x) -> soften", "the new form is not a call of `soften`"),
        ("soft(x) -> harden(x)", "the new form is not a call of `soften`"),
        ("soft(x) -> soften(x, x=x)", "the new form gives `x` twice"),
        ("soft(x) -> soften(x, **y)", "`soften` has no parameter `**`"),
        ("soft(x) -> soften(x, low=beta)", "`low` is `beta`, which the old form does not have"),
        ("soft(x) -> soften(x, low=1 + x)", "`1 + x` is neither a name nor a constant"),
        ("soft(x) -> soften(x, low=[1])", "`[1]` is neither a name nor a constant"),
    ],
)
def test_other_rules_are_refused(soften: FunctionDecl, rule: str, problem: str) -> None:
    with pytest.raises(BadUpgrade) as raised:
        parse_upgrade(rule, soften)
    assert str(raised.value) == problem
