"""The digest of a type changes with what its users rely on, and with nothing else."""

from __future__ import annotations

import pytest

from .schemas import node

BASE = node("A", "x: ty.int64_t", "final = False")


@pytest.mark.parametrize(
    ("text", "is_same"),
    [
        (BASE.replace("A node.", "Another text."), True),
        (BASE.replace("ty.int64_t", "ty.int64_t = 1"), True),
        (BASE.replace("ty.int64_t", "ty.uint64_t"), False),
        (BASE.replace("x:", "y:"), False),
        (BASE.replace("final = False", "final = True"), False),
        (BASE + "    reserve = 1\n", False),
    ],
)
def test_a_digest(build, text: str, is_same: bool) -> None:
    def digest(body: str) -> str:
        return build(body).namespaces[0].types[0].layout.digest

    assert (digest(text) == digest(BASE)) == is_same
