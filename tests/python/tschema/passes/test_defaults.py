"""Defaults of fields and parameters."""

from __future__ import annotations

import pytest

from .schemas import node


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("x: ty.uint8_t = 255", 255),
        ("x: ty.float32 = 1", 1.0),
        ("x: ty.float32 = 16777216", 16777216.0),
        ("x: ty.float32 = 16777217.0", 16777217.0),
        ("x: ty.float32 = 0.1", 0.1),
        ("x: ty.float32 = -3.4028234663852886e38", -3.4028234663852886e38),
        ("x: ty.Any = -9223372036854775808", -(2**63)),
        ("x: ty.float64 = 9007199254740992", 9007199254740992.0),
        ("x: ty.Optional[int] = None", None),
        ('x: ty.Bytes = b"\\xff"', "\xff"),
        ('x: ty.DataType = "float8_e4m3fnx4"', "float8_e4m3fnx4"),
        ('x: ty.DataType = "int8x16384"', "int8x16384"),
    ],
)
def test_a_literal_is_a_default(stages, line: str, value: object) -> None:
    made = stages(node("A", line))
    (info,) = made.node("ANode").fields
    assert made.codes() == []
    assert info.model.default.value == value


def test_a_factory_makes_a_container(stages) -> None:
    (info,) = stages(node("A", "x: list[int] = field(default_factory=list)")).node("ANode").fields
    assert (info.model.default.factory, info.model.default.literal) == ("list", None)


@pytest.mark.parametrize(
    "line",
    [
        "x: ty.uint8_t = 256",
        "x: ty.int64_t = None",
        "x: list[int] = []",
        "x: list[int] = field(default_factory=dict)",
        'x: ty.DataType = "int33"',
        'x: ty.DataType = "int8x100000"',
        "x: ty.Any = 9223372036854775808",
        "x: ty.float32 = 1e300",
        "x: ty.float32 = 16777217",
        "x: ty.float64 = 9007199254740993",
        "x: ty.bool = 2",
        "x: ty.bool = 1",
    ],
)
def test_a_bad_default_is_reported(stages, line: str) -> None:
    assert stages(node("A", line)).resolved_codes() == ["TS025"]
