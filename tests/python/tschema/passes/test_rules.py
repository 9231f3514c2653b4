"""The rules of operators: their canonical text, and what they name."""

from __future__ import annotations

import pytest

from tschema.passes.rules import (
    BadRule,
    derived_relation,
    parse_compute,
    parse_formula,
    parse_relation,
    parse_steps,
)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("(*b,m,k) ,(*b, k, n)->(*b, m, n)", "(*b, m, k), (*b, k, n) -> (*b, m, n)"),
        ("(n, *s), (o, (c)//g, *k), (o) ? -> (n,o)", "(n, *s), (o, c // g, *k), (o)? -> (n, o)"),
        ("(m)... -> ()", "(m)... -> ()"),
        ("\n (h)\n -> ((h + pads[0])*2, max(h, 1))", "(h) -> ((h + pads[0]) * 2, max(h, 1))"),
        (" -> (n), (m)", " -> (n), (m)"),
    ],
)  # fmt: skip
def test_relations(text: str, canonical: str) -> None:
    assert str(parse_relation(text)) == canonical
    assert str(parse_relation(canonical)) == canonical


def test_formulas_tell_names_from_functions() -> None:
    formula = parse_formula("exp(x - max(x, axis=axis)) if a<b and not c else 2.5 ** y[0]")
    assert formula.text == "exp(x - max(x, axis=axis)) if a < b and (not c) else 2.5 ** y[0]"
    assert set(formula.names) == {"x", "axis", "a", "b", "c", "y"}
    assert formula.calls == ("exp", "max")


def test_steps_give_names() -> None:
    formula = parse_steps("p=exp(x-a) ;\n q = sum(p);p/ q if a==1 else p")
    assert formula.text == "p = exp(x - a); q = sum(p); p / q if a == 1 else p"
    assert parse_steps(formula.text) == formula
    assert (formula.names, formula.steps) == (("x", "a"), ("p", "q"))
    assert formula.calls == ("exp", "sum")
    assert parse_steps("p = q; q = x; p").names == ("q", "x")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("p; p", "`p` is not an assignment such as `p = exp(x)`"),
        ("p == 1; p", "`p == 1` is not an assignment such as `p = exp(x)`"),
        ("p[0] = x; p", "`p[0] = x` is not an assignment such as `p = exp(x)`"),
        ("p = x; p = x; p", "`p` is assigned twice"),
        ("p = x;", "`` is not an expression"),
        ("p = q = x; p", "`q = x` is not an expression"),
    ],
)
def test_what_is_not_a_step(text: str, reason: str) -> None:
    with pytest.raises(BadRule) as error:
        parse_steps(text)
    assert str(error.value) == reason


def test_computations() -> None:
    compute = parse_compute("y[*b, m, n] += a[*b,m,k]*b_[*b,k,n]")
    assert str(compute) == "y[*b, m, n] += a[*b, m, k] * b_[*b, k, n]"
    relation = derived_relation(compute, ("a", "b_"))
    assert str(relation) == "(*b, m, k), (*b, k, n) -> (*b, m, n)"
    window = parse_compute("y[n, i] max= x[n, i * stride + k]")
    assert (str(window), window.sign) == ("y[n, i] max= x[n, i * stride + k]", "max=")
    assert derived_relation(window, ("x",)) is None


@pytest.mark.parametrize(
    "text",
    ["x.y", "lambda: 1", "a @ b", "f()()", "'a'", "x[1:2]", "a := 1", "", "[x]", "x" * 2001,
     "f(**k)"],
)  # fmt: skip
def test_what_is_not_a_formula(text: str) -> None:
    with pytest.raises(BadRule):
        parse_formula(text)


@pytest.mark.parametrize(
    "text",
    ["(m)", "(m) -> ", "m -> (m)", "(m -> (m)", "(m)) -> (m)", "(,) -> (m)", "(*2) -> (m)",
     "(m) -> (m)?", "(m) -> (m) -> (m)"],
)  # fmt: skip
def test_what_is_not_a_relation(text: str) -> None:
    with pytest.raises(BadRule):
        parse_relation(text)


@pytest.mark.parametrize("text", ["x[i]", "y = x[i]", "y[i] == x[i]", "y[i] -= x[i]", "y.z[i] = 1"])
def test_what_is_not_a_computation(text: str) -> None:
    with pytest.raises(BadRule):
        parse_compute(text)
