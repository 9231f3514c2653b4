"""Bases of classes."""

from __future__ import annotations

import pytest

from .schemas import node


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (node("A", base="Missing"), "TS009"),
        (node("A", base="ANode"), "TS010"),
        (node("B", base="ANode") + node("A", "final = False"), "TS011"),
        (node("A", "final = True") + node("B", base="ANode"), "TS013"),
    ],
)
def test_a_bad_base_is_reported(stages, text: str, code: str) -> None:
    assert stages(text).resolved_codes() == [code]
