"""An access that surely is out of bounds is an error of `uir.ir.verify`, at the access."""

from __future__ import annotations

import pytest

from uir import ir, script

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((16,), "float32"), B: tir.Buffer((n, 4), "float32"), m: tir.int32):
        n = tir.SizeVar("n", "int32")
{}
"""


def messages(body: str) -> list[str]:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return [str(one.message) for one in ir.verify(script.parse(PROGRAM.format(lines)))]


def message(dimension: int, buffer: str, index: str, place: str, extent: str) -> str:
    return (
        f"index {dimension} of buffer `{buffer}`, `{index}`, {place}, "
        f"which is out of bounds: the extent is `{extent}`"
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for i in range(20):\n    A[i] = 1.0", message(0, "A", "i", "is up to 19", "16")),
        ("A[16] = 0.0", message(0, "A", "16", "is up to 16", "16")),
        ("for i in range(3):\n    A[1 - i] = 1.0", message(0, "A", "1 - i", "is -1", "16")),
        (
            "for i in range(4):\n    for j in range(5):\n        A[i * 4 + j] = 1.0",
            message(0, "A", "i * 4 + j", "is up to 16", "16"),
        ),
        (
            "for i in range(n):\n    B[i + 1, 0] = 1.0",
            message(0, "B", "i + 1", "is up to the extent plus 0", "n"),
        ),
        ("x = m + 4\nB[0, x - m] = 1.0", message(1, "B", "x - m", "is up to 4", "4")),
        ("A[0] = A[1] + B[0, 7]", message(1, "B", "7", "is up to 7", "4")),
    ],
)
def test_an_index_beyond_its_extent_is_an_error(body: str, expected: str) -> None:
    assert messages(body) == [expected]


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(16):\n    A[i] = 1.0",
        "for i in range(20):\n    if i < 16:\n        A[i] = 1.0",
        "for i in range(20):\n    if i == 16:\n        break\n    A[i] = 1.0",
        "for i in range(0):\n    A[i + 16] = 1.0",
        "for i in range(20):\n    for j in range(5 - i):\n        A[j + i] = 1.0",
        "for i in range(n):\n    B[i, 3] = 1.0",
        "for i in range(20):\n    A[0] = tir.if_then_else(i < 16, A[i], 0.0)",
        "for i in range(20):\n    A[i // 2] = 1.0",
        "A[m] = 0.0",
        "A[tir.Ramp(0, 1, 4) * 2 + tir.Ramp(m, 1, 4)] = tir.Broadcast(1.0, 4)",
    ],
)
def test_an_access_that_may_be_in_bounds_is_none(body: str) -> None:
    assert messages(body) == []


def test_the_error_is_at_the_access() -> None:
    module = script.parse(PROGRAM.format("        A[16] = 0.0\n"), "bounds.py")
    (problem,) = ir.verify(module)
    assert problem.node.same_as(module.lookup("main").body)
