"""Annotations to types."""

from __future__ import annotations

import pytest

from .schemas import node


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("ty.int8_t", "int8"),
        ("ty.double", "float64"),
        ("int", "int64"),
        ("str", "String"),
        ("list[int]", "Array[int64]"),
        ("dict[str, float]", "Map[String, float64]"),
        ("int | None", "Optional[int64]"),
        ("ty.Union[int, str]", "Union[int64, String]"),
        ("ty.Tuple[int, ty.Array[str]]", "Tuple[int64, Array[String]]"),
    ],
)
def test_an_annotation_is_a_type(stages, annotation: str, expected: str) -> None:
    (info,) = stages(node("A", f"x: {annotation}")).node("ANode").fields
    assert str(info.model.type) == expected


@pytest.mark.parametrize(
    ("annotation", "code"),
    [("ty.int46_t", "TS012"), ("ty.int8_t[int]", "TS016"), ("ty.Map[int]", "TS016")],
)
def test_a_bad_annotation_is_reported(stages, annotation: str, code: str) -> None:
    assert stages(node("A", f"x: {annotation}")).resolved_codes() == [code]
