"""The documentation of every operator: shapes, data types, errors, and a formula or a paper."""

from __future__ import annotations

import re
from random import Random

import pytest

from ....operators.declarations import Operand
from ....operators.refusals import refusal
from .operator_cases import NAMES, OPERATORS, draw
from .test_operator_errors import CHANGES, changed

# What the documentation of an operand says of its class of data types.
WORDS = {
    "float": "floating-point",
    "int": "integer|indices",
    "number": "number|integer",
    "bool": "[Bb]oolean|`bool`",
}
# Computed from names, or `(Author, 1999)`.
FORMULA = re.compile(r"`[^`]*[=*/+<>()~&|^-][^`]*`|\([^()]*\b(19|20)\d\d\)")


def docs_of(name: str) -> dict[str, str]:
    return {one["name"]: one.get("doc", "") for one in OPERATORS[name].function["params"]}


@pytest.mark.parametrize("name", NAMES)
def test_parameters_and_result_have_shapes_and_data_types(name: str) -> None:
    operator, docs = OPERATORS[name], docs_of(name)
    assert all(docs.values()), docs
    result = operator.function["returns_doc"]
    assert re.search("shape|[Ss]calar|rank|dimension", result), result
    assert re.search("data type|`int64`|`bool`|[Tt]uple", result), result
    for operand in operator.operands:
        text = docs[operand.name]
        assert re.search(r"shape|[Ss]calar|rank|tensor", text), (operand.name, text)
        assert says_data_type(operand, text, docs), (operand.name, text)


def says_data_type(operand: Operand, text: str, docs: dict[str, str]) -> bool:
    if operand.accepted == "any":
        return True
    return re.search(WORDS[operand.accepted], text) is not None


@pytest.mark.parametrize("name", NAMES)
def test_what_is_computed_is_a_formula_or_has_a_paper(name: str) -> None:
    operator = OPERATORS[name]
    texts = [operator.function["doc"], operator.function["returns_doc"], *docs_of(name).values()]
    rules = [operator.traits.get(rule) for rule in ("scalar", "compute", "decompose")]
    assert any(rules) or any(FORMULA.search(text) for text in texts), texts


@pytest.mark.parametrize("name", NAMES)
def test_every_error_is_documented(name: str) -> None:
    random, operator = Random(name), OPERATORS[name]
    documented = {one["name"] for one in operator.function.get("raises", [])}
    seen = set()
    for _ in range(8):
        for change in CHANGES.values():
            for call in changed(draw(operator, random), change):
                expected = refusal(operator, call)
                seen |= {expected[0]} if expected else set()
    assert seen <= documented, (seen, documented)
