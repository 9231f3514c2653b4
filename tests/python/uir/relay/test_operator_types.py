"""Types of every operator against what its reference computes, and refusals of wrong operands."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest

import uir_nodes.relay
from uir.ir import Op, TensorType, TupleType, Type, list_op_names
from uir.relay import reference
from uir.relay.operator_call import call_part
from uir.relay.reference.rules import run_compute, run_decompose, run_scalar

from ....operators.declarations import BINDING
from .operator_cases import DEPTH, NAMES, by_name, call_of, case

EXAMPLES = 30 * DEPTH


def type_of(value: Any) -> Any:
    if isinstance(value, tuple):
        return [type_of(one) for one in value]
    return list(value.shape), str(value.dtype)


def shown(found: Type | None) -> Any:
    if isinstance(found, TupleType):
        return [shown(field) for field in found.fields]
    assert isinstance(found, TensorType)
    return [int(dim.value) for dim in found.shape], str(found.dtype)


def test_every_operator_has_a_reference() -> None:
    declared = {
        name.removeprefix("relay.")
        for name in list_op_names()
        if name.startswith("relay.") and Op.get(name).get_attr("relation") is not None
    }
    assert declared == {*NAMES, *BINDING} == set(reference.__all__) - {"register"}


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_has_the_operator_s_signature(name: str) -> None:
    declared = list(inspect.signature(getattr(uir_nodes.relay, name)).parameters.values())
    assert declared.pop().name == "span"
    found = inspect.signature(getattr(reference, name)).parameters.values()
    assert [(one.name, one.kind, one.default) for one in found] == [
        (one.name, one.kind, one.default) for one in declared
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_type_is_that_of_the_reference_s_result(name: str) -> None:
    random = Random(name)
    for _ in range(EXAMPLES):
        operands, attributes = case(name, random)
        result = getattr(reference, name)(**by_name(name, operands), **attributes)
        found = call_of(name, operands, attributes).checked_type
        assert shown(found) == type_of(result), (operands, attributes)


RULES: dict[str, Callable[[str, dict[str, Any]], Any]] = {
    "scalar": run_scalar,
    "compute": run_compute,
    "decompose": partial(run_decompose, call=partial(call_part, "relay")),
}
DEFINED = [
    (kind, name)
    for kind in RULES
    for name in NAMES
    if Op.get(f"relay.{name}").get_attr(kind) is not None
]


def named(name: str, operands: list[Any], attributes: dict[str, Any]) -> dict[str, Any]:
    """Return operands and attributes by name, with defaults."""
    signature = inspect.signature(getattr(reference, name))
    bound = signature.bind(**by_name(name, operands), **attributes)
    bound.apply_defaults()
    return dict(bound.arguments)


def agree(found: Any, expected: Any) -> None:
    if isinstance(expected, tuple):
        for one, wanted in zip(found, expected, strict=True):
            agree(one, wanted)
        return
    rtol = 1e-2 if expected.dtype == np.float16 else 1e-5
    # Differences of nearly equal numbers keep the error of these, of magnitude 1.
    atol = float(np.finfo(np.float32).eps) if expected.dtype == np.float32 else 1e-8
    converted = np.asarray(found).astype(expected.dtype)
    assert np.allclose(converted, expected, rtol=rtol, atol=4 * atol, equal_nan=True)


@pytest.mark.parametrize(("kind", "name"), DEFINED)
def test_rules_compute_what_references_do(kind: str, name: str) -> None:
    random = Random(name)
    rule = str(Op.get(f"relay.{name}").get_attr(kind))
    for _ in range(EXAMPLES):
        operands, attributes = case(name, random)
        expected = getattr(reference, name)(**by_name(name, operands), **attributes)
        agree(RULES[kind](rule, named(name, operands, attributes)), expected)
