"""Types of every operator against what its reference computes, and refusals of wrong operands."""

from __future__ import annotations

import inspect
import os
from random import Random
from typing import Any

import numpy as np
import pytest

from uir import relay
from uir.ir import Op, TensorType, TupleType, Type, list_op_names
from uir.relay import reference
from uir.relay.reference.rules import run_compute, run_decompose, run_scalar

from .operator_cases import DTYPES, case

NAMES = sorted(reference.__all__)
EXAMPLES = 12 * int(os.environ.get("TSCHEMA_DEPTH", "1"))


def variable(name: str, array: np.ndarray) -> relay.Var:
    return relay.Var(name, relay.Tensor(array.shape, str(array.dtype)))


def operand(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return [variable(f"{name}{place}", one) for place, one in enumerate(value)]
    return None if value is None else variable(name, value)


def call_of(name: str, operands: list[Any], attributes: dict[str, Any]) -> Any:
    names = [info.name for info in Op.get(f"relay.{name}").arguments]
    variables = [operand(one, value) for one, value in zip(names, operands, strict=True)]
    return getattr(relay, name)(*variables, **attributes)


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
    assert declared == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_has_the_operator_s_signature(name: str) -> None:
    declared = list(inspect.signature(getattr(relay, name)).parameters.values())
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
        result = getattr(reference, name)(*operands, **attributes)
        found = call_of(name, operands, attributes).checked_type
        assert shown(found) == type_of(result), (operands, attributes)


def outside(accepted: str) -> str | None:
    """Return a data type that an operand does not take; None if it takes all."""
    return next((dtype for dtype in DTYPES["any"] if dtype not in DTYPES[accepted]), None)


WORDS = {
    "float": "floating-point",
    "int": "an integer type",
    "number": "a number type",
    "bool": "`bool`",
}


@pytest.mark.parametrize("name", NAMES)
def test_wrong_data_types_are_refused(name: str) -> None:
    random = Random(name)
    operands, attributes = case(name, random)
    for place, info in enumerate(Op.get(f"relay.{name}").arguments):
        if not isinstance(operands[place], np.ndarray):
            continue
        accepted = info.type_info.rstrip("?.").rpartition(":")[2].strip()
        if accepted in DTYPES and (dtype := outside(accepted)) is not None:
            wrong = [*operands[:place], operands[place].astype(dtype), *operands[place + 1 :]]
            with pytest.raises(TypeError) as raised:
                call_of(name, wrong, attributes)
            message = f"relay.{name}: operand `{info.name}` has data type `{dtype}`, expected "
            assert str(raised.value).startswith(f"{message}{WORDS[accepted]}")


@pytest.mark.parametrize("name", NAMES)
def test_data_types_that_differ_are_refused(name: str) -> None:
    random = Random(name)
    operands, attributes = case(name, random)
    arguments = Op.get(f"relay.{name}").arguments
    variables: dict[str, str] = {}
    for place, info in enumerate(arguments):
        variable_name = info.type_info.rstrip("?.").partition(":")[0].strip()
        value = operands[place]
        if not isinstance(value, np.ndarray) or not variable_name[0].isupper():
            continue
        first = variables.setdefault(variable_name, info.name)
        if first == info.name:
            continue
        dtype = "float64" if str(value.dtype) != "float64" else "float32"
        wrong = [*operands[:place], value.astype(dtype), *operands[place + 1 :]]
        with pytest.raises(TypeError) as raised:
            call_of(name, wrong, attributes)
        message = f"relay.{name}: operand `{info.name}` has data type `{dtype}`, expected "
        assert str(raised.value).startswith(message)


SCALARS = [name for name in NAMES if Op.get(f"relay.{name}").get_attr("scalar") is not None]
COMPUTES = [name for name in NAMES if Op.get(f"relay.{name}").get_attr("compute") is not None]
DECOMPOSES = [name for name in NAMES if Op.get(f"relay.{name}").get_attr("decompose") is not None]


def named(name: str, operands: list[Any], attributes: dict[str, Any]) -> dict[str, Any]:
    """Return operands and attributes by name, with defaults."""
    signature = inspect.signature(getattr(reference, name))
    bound = signature.bind(*operands, **attributes)
    bound.apply_defaults()
    return dict(bound.arguments)


def agree(found: Any, expected: np.ndarray) -> None:
    rtol = 1e-2 if expected.dtype == np.float16 else 1e-5
    converted = np.asarray(found).astype(expected.dtype)
    assert np.allclose(converted, expected, rtol=rtol, equal_nan=True)


@pytest.mark.parametrize("name", SCALARS)
def test_scalars_compute_what_references_do(name: str) -> None:
    random = Random(name)
    rule = str(Op.get(f"relay.{name}").get_attr("scalar"))
    for _ in range(EXAMPLES):
        operands, attributes = case(name, random)
        expected = getattr(reference, name)(*operands, **attributes)
        agree(run_scalar(rule, named(name, operands, attributes)), expected)


@pytest.mark.parametrize("name", COMPUTES)
def test_computations_compute_what_references_do(name: str) -> None:
    random = Random(name)
    rule = str(Op.get(f"relay.{name}").get_attr("compute"))
    for _ in range(EXAMPLES):
        operands, attributes = case(name, random)
        expected = getattr(reference, name)(*operands, **attributes)
        agree(run_compute(rule, named(name, operands, attributes)), expected)


@pytest.mark.parametrize("name", DECOMPOSES)
def test_decompositions_compute_what_references_do(name: str) -> None:
    random = Random(name)
    rule = str(Op.get(f"relay.{name}").get_attr("decompose"))
    for _ in range(EXAMPLES):
        operands, attributes = case(name, random)
        expected = getattr(reference, name)(*operands, **attributes)

        def call(part: str, *arguments: Any, **keywords: Any) -> Any:
            return getattr(reference, part)(*arguments, **keywords)

        agree(run_decompose(rule, named(name, operands, attributes), call), expected)
