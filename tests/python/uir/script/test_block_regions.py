"""The regions of blocks that state none: those of their accesses."""

from __future__ import annotations

import pytest

from uir import arith, ir, script, tir

HEADER = """\
@tir.prim_func
def main(A: tir.Buffer((16, 16), "float32"), B: tir.Buffer((16, 16), "float32"),
         I: tir.Buffer((16,), "int32"), n: tir.int32):
    for i in range(4):
        with tir.block("one"):
            v = tir.axis.spatial(4, i)
"""


def parse(body: str) -> tir.PrimFunc:
    lines = body.strip("\n").split("\n")
    func = script.parse_value(HEADER + "".join(f"            {line}\n" for line in lines))
    assert isinstance(func, tir.PrimFunc)
    text = script.print(func)
    assert ir.structural_equal(script.parse_value(text), func)
    assert script.print(script.parse_value(text)) == text
    return func


def block_of(func: tir.PrimFunc) -> tir.Block:
    loop = func.body
    assert isinstance(loop, tir.For) and isinstance(loop.body, tir.BlockRealize)
    return loop.body.block


def regions(func: tir.PrimFunc) -> list[str]:
    """Return the lines of a text that state the regions of the outer block."""
    lines = [line.strip() for line in script.print(func).split("\n")]
    return [next(line for line in lines if line.startswith(f"tir.{kind}(")) for kind in KINDS]


KINDS = ("reads", "writes")


@pytest.mark.parametrize(
    ("body", "reads", "writes"),
    [
        ("A[v, 0] = B[v * 4, n] + 1.0", "B[v * 4, n]", "A[v, 0]"),
        ("for k in range(8):\n    A[v, k * 2] = 0.0", "", "A[v, 0:15]"),
        (
            "for k in range(v, n):\n    A[k, k + 1] = 0.0",
            "",
            "A[v:v + (n - v), v + 1:v + 1 + (n - v)]",
        ),
        ("A[v, 0] = A[v, 1] + A[v, 3]", "A[v, 1:4]", "A[v, 0]"),
        # A vector covers what is between its lanes.
        ("A[v, tir.Ramp(n, 2, 4)] = B[0, 0:4]", "B[0, 0:4]", "A[v, n:n + 7]"),
        # An index that is read from memory may be any.
        ("A[I[v], v] = 0.0", "I[v]", "A[0:16, v]"),
        ("x: tir.int32 = I[v]\nA[x + 1, v] = 0.0", "I[v]", "A[0:16, v]"),
        ("x: tir.int32 = v * 4\nA[x, v] = 0.0", "", "A[v * 4, v]"),
        # Conditions bound what is accessed below them.
        ("for k in range(16):\n    if k < v:\n        A[k, 0] = 0.0", "", "A[0:3, 0]"),
        (
            "for k in range(9):\n    if k < 8:\n        A[k, 0] = 1\n    else:\n        I[0] = 1",
            "",
            "A[0:8, 0], I[0]",
        ),
        (
            "for k in range(16):\n    A[v, k] = tir.if_then_else(k < 2, 0.0, B[v, k - 2])",
            "B[v, 0:14]",
            "A[v, 0:16]",
        ),
        # What a block starts a reduction with, it does not read.
        ("with tir.init():\n    A[v, 0] = 0.0\nA[v, 0] += B[v, 1]", "B[v, 1]", "A[v, 0]"),
        # What it allocates is its own; a matched buffer is a part of another one.
        (
            'C = tir.block_alloc_buffer((16,), "float32")\nC[v] = A[v, 0]\nB[v, 0] = C[v]',
            "A[v, 0]",
            "B[v, 0]",
        ),
        (
            'P = tir.match_buffer(A[v:v + 2, 4:8], (2, 4), "float32")\nP[0, 1] = 1.0',
            "",
            "A[v:v + 2, 4:8]",
        ),
        # Addresses that calls take.
        ('tir.call_extern("f", A.data, dtype="int32")', "A[0:16, 0:16]", "A[0:16, 0:16]"),
        (
            'tir.evaluate(A.access_ptr("r"))\ntir.evaluate(B.access_ptr("w"))',
            "A[0:16, 0:16]",
            "B[0:16, 0:16]",
        ),
        ("tir.evaluate(0)", "", ""),
        # What is stated counts, and only the other side is found.
        ("tir.reads(B)\nA[v, 0] = B[v, 0]", "B[0:16, 0:16]", "A[v, 0]"),
        ("tir.writes()\nA[v, 0] = B[v, 0]", "B[v, 0]", ""),
    ],
)
def test_regions_of_accesses(body: str, reads: str, writes: str) -> None:
    assert regions(parse(body)) == [f"tir.reads({reads})", f"tir.writes({writes})"]


def test_the_regions_of_a_block_inside_are_what_it_states() -> None:
    body = """
for j in range(8):
    with tir.block("two"):
        w = tir.axis.spatial(16, v * 4 + j)
        tir.where(j < 6)
        tir.reads(B[w, 0:4])
        A[w, 0] = B[w, I[w]]
"""
    expected = ["tir.reads(B[v * 4:v * 4 + 6, 0:4])", "tir.writes(A[v * 4:v * 4 + 6, 0])"]
    assert regions(parse(body)) == expected


def test_the_root_block_has_the_regions_that_it_states() -> None:
    text = """\
@tir.prim_func
def main(A: tir.Buffer((16,), "float32")):
    with tir.block("root"):
        for i in range(16):
            with tir.block("inner"):
                tir.reads()
                tir.writes(A[i])
                A[i] = 0.0"""
    func = script.parse_value(text)
    assert script.print(func) == text
    assert (len(func.body.block.reads), len(func.body.block.writes)) == (0, 0)
    # The same block is not the root where it stands beside another statement.
    beside = script.parse_value(text + "\n    tir.evaluate(0)")
    assert len(beside.body.seq[0].block.writes) == 1


def test_regions_of_a_block_by_a_call() -> None:
    block = block_of(parse("A[v, 0] = B[v, 1] + A[v, 2]"))
    reads, writes = arith.detect_access_regions(block)
    assert ir.structural_equal(reads, block.reads, map_free_vars=True)
    assert ir.structural_equal(writes, block.writes, map_free_vars=True)
    # A call takes no memory that is not known by its address.
    opaque = block_of(parse('tir.call_extern("f", A.data, dtype="int32")'))
    assert list(arith.detect_access_regions(opaque)) == [[], []]
    buffer = opaque.reads[0].buffer
    assert len(arith.detect_access_regions(opaque, {buffer.data: buffer})[1]) == 1
