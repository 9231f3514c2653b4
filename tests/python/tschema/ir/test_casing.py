"""Names in the case that a language has for them."""

from __future__ import annotations

import pytest

from tschema.ir.casing import camel_case, constant_case, snake_case


def test_methods_of_cpp_are_in_camel_case() -> None:
    assert camel_case("trip_count") == "TripCount"


def test_members_of_enums_are_constants_in_cpp() -> None:
    assert constant_case("DATA_PAR") == "kDataPar"


@pytest.mark.parametrize(
    ("name", "spelled"),
    [("TripCount", "trip_count"), ("IRModule", "ir_module"), ("Int8Imm", "int8_imm")],
)
def test_functions_of_rust_are_in_snake_case(name: str, spelled: str) -> None:
    assert snake_case(name) == spelled
