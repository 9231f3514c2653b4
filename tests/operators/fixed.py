"""One call of each operator, the same in every run: what the sources in C++ and Rust make."""

from __future__ import annotations

from random import Random

from .declarations import Operator
from .draws import Draw, draw


def fixed_call(operator: Operator) -> Draw:
    """Return the fullest of some drawn calls, so that few arguments are left to defaults."""
    random = Random(operator.name)
    drawn = [draw(operator, random) for _ in range(16)]
    return max(drawn, key=lambda call: _given(call))


def _given(call: Draw) -> int:
    values = [*call.operands, *call.attributes.values()]
    return sum(value is not None and value != [] for value in values)
