"""The words of `@operator` are the same for editors and for the passes."""

from __future__ import annotations

from typing import get_args

from tschema.dsl import Effect, Kind
from tschema.passes.vocabulary import EFFECTS, KINDS


def test_kinds_and_effects() -> None:
    assert get_args(Kind) == KINDS
    assert get_args(Effect) == EFFECTS
