"""Articles go by the sound of what follows."""

from __future__ import annotations

import pytest

from tschema.emit.english import article, listed, mutates, serves, visits


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


def test_a_long_list_is_cut() -> None:
    assert listed(["a"]) == "`a`"
    assert listed(["a", "b", "c"]) == "`a`, `b` and `c`"
    assert listed(["first", *["field"] * 10]) == "`first` and 10 other fields"


def test_what_methods_of_functors_do() -> None:
    assert serves("uir.tir.Add", None) == "Serve a `uir.tir.Add`."
    assert (
        serves("atlas.Area", "atlas.Base") == "Serve an `atlas.Area`, by default as `atlas.Base`."
    )
    assert visits(["a", "b"]) == "Visit `a` and `b`."
    assert visits([]) == "Do nothing: the node has no fields to visit."
    assert mutates(["a"], ["b"]) == "Mutate `a`; put in what became of `b`."
    assert mutates([], ["b"]) == "Put in what became of `b`."
    assert mutates([], []) == "Return the node: it has no fields to change."
