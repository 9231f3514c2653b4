"""Every concrete type, made in each language: its fields read alike in all of them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from itertools import product
from typing import Any

import pytest
import tvm_ffi

from tschema.ir.model import Schema, Type
from tschema.runtime.protocols import field_text
from uir.ir import structural_equal
from uir.relay import const

from .conftest import Language
from .python import class_of
from .samples import SAMPLES, DType, GlobalFunction, Made, Member, Printed, Sample, Scalar

pytestmark = pytest.mark.long

NAMES = ("cpp", "python", "rust")


def test_every_concrete_type_has_a_sample(concrete: list[Type]) -> None:
    assert {sample.type_key for sample in SAMPLES} == {type_.key for type_ in concrete}


def test_samples_give_every_argument_and_every_other_field(schema: Schema) -> None:
    for sample in SAMPLES:
        type_ = schema.type(sample.type_key)
        assert set(sample.arguments) == set(type_.init), sample.name
        fields = {field.name for field in schema.fields(type_)}
        assert {*sample.arguments, *sample.derived} == fields, sample.name


@pytest.fixture(scope="session")
def made(languages: Mapping[str, Language]) -> Mapping[str, Mapping[str, Any]]:
    """Make all samples in each language."""
    return {name: dict(language.make().items()) for name, language in languages.items()}


@pytest.mark.parametrize("maker", NAMES)
def test_objects_are_of_the_declared_types(
    made: Mapping[str, Mapping[str, Any]], maker: str
) -> None:
    found = {name: type(node) for name, node in made[maker].items()}
    assert found == {sample.name: class_of(sample.type_key) for sample in SAMPLES}


@pytest.mark.parametrize(("maker", "reader"), list(product(NAMES, NAMES)))
def test_what_one_language_made_another_reads(
    schema: Schema,
    languages: Mapping[str, Language],
    made: Mapping[str, Mapping[str, Any]],
    maker: str,
    reader: str,
) -> None:
    wrong = []
    for sample in SAMPLES:
        found = languages[reader].read(made[maker][sample.name])
        expected = expected_fields(schema, sample)
        assert set(found.keys()) == set(expected), sample.name
        for field, value in expected.items():
            if not is_as_described(found[field], value, made[maker]):
                wrong.append(f"{sample.key}.{field}: {found[field]!r}, not {value!r}")
    assert wrong == []


@pytest.mark.parametrize(("one", "other"), [("cpp", "python"), ("cpp", "rust"), ("python", "rust")])
def test_two_languages_read_the_same_objects(
    languages: Mapping[str, Language],
    made: Mapping[str, Mapping[str, Any]],
    one: str,
    other: str,
) -> None:
    for nodes, sample in product(made.values(), SAMPLES):
        fields = languages[one].read(nodes[sample.name])
        for name, value in languages[other].read(nodes[sample.name]).items():
            if isinstance(value, tvm_ffi.Object):
                assert value.same_as(fields[name]), f"{sample.key}.{name}"


def test_enums_read_back_as_members(schema: Schema, made: Mapping[str, Mapping[str, Any]]) -> None:
    for nodes, sample in product(made.values(), SAMPLES):
        for name, value in expected_fields(schema, sample).items():
            if isinstance(value, IntEnum):
                assert getattr(nodes[sample.name], name) is value


def expected_fields(schema: Schema, sample: Sample) -> dict[str, Any]:
    """Return what a sample's fields hold, members of enums looked up."""
    enums = {field.name: field.type.key for field in schema.fields(schema.type(sample.type_key))}
    return {
        name: class_of(str(enums[name]))[value.name] if isinstance(value, Member) else value
        for name, value in {**sample.arguments, **sample.derived}.items()
    }


def is_as_described(found: Any, value: Any, made: Mapping[str, Any]) -> bool:
    """Return whether a field equals a sample: objects by identity, the rest by value."""
    match value:
        case Made(name):
            return isinstance(found, tvm_ffi.Object) and found.same_as(made[name])
        case GlobalFunction(name):
            return found.same_as(tvm_ffi.get_global_func(name))
        case Scalar(element):
            return structural_equal(found, const(element, "float32").data)
        case Printed(text):
            return field_text(found) == text
        case DType(text):
            return isinstance(found, tvm_ffi.dtype) and found == tvm_ffi.dtype(text)
        case IntEnum():
            return found == value and isinstance(found, int)
        case [(_, _), *_] if isinstance(found, tvm_ffi.Map):
            return is_as_described_map(found, value, made)
        case [*items]:
            return len(found) == len(items) and all(
                is_as_described(one, other, made) for one, other in zip(found, items, strict=True)
            )
        case None:
            return found is None
        case _:
            return type(found) in (type(value), tvm_ffi.core.String) and found == value


def is_as_described_map(found: Any, pairs: Any, made: Mapping[str, Any]) -> bool:
    """Return whether a map equals a sample."""
    expected = [(made[key.name] if isinstance(key, Made) else key, item) for key, item in pairs]
    return len(found) == len(expected) and all(
        is_as_described(found[key], item, made) for key, item in expected
    )
