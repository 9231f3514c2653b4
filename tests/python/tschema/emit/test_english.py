"""Articles go by the sound of what follows."""

from __future__ import annotations

import pytest

from tschema.emit.english import article


@pytest.mark.parametrize("name", [
    "uir.tir.Add", "uint8", "Unit", "UnaryOp", "Use", "Euclid", "OneHot", "One", "Let", "u8", "_T",
])  # fmt: skip
def test_a_consonant_sound_takes_a(name: str) -> None:
    assert article(name) == "a"


@pytest.mark.parametrize("name", [
    "int64", "atlas.Point", "IRModule", "IfThenElse", "FFIType", "SSAVar", "Unroll", "Unused",
    "Upper", "Only", "Hour", "x", "F32",
])  # fmt: skip
def test_a_vowel_sound_takes_an(name: str) -> None:
    assert article(name) == "an"
