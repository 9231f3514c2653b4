"""Loaded objects are destroyed, however deep, and nothing of them is left.

In: declarations of `small` with `Pair(left, right)` and `Bag(items, value)`, the latter mutable.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tvm_ffi

from tschema.runtime import load_types

DEPTH = 1_000_000
small = load_types(sys.argv[1])


def references(node: Any) -> int:
    """Return how many references an object has, the asking one included."""
    return ctypes.c_uint32.from_address(node.__chandle__()).value


def resident() -> int:
    """Return the process's memory in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def growth(action: Callable[[], object], times: int) -> int:
    """Return by how many bytes repeating an action makes the process grow."""
    for _ in range(times // 10):
        action()
    gc.collect()
    before = resident()
    for _ in range(times):
        action()
    gc.collect()
    return resident() - before


def deep(make: Callable[[Any], Any]) -> None:
    """Make a chain, and drop it."""
    chain = small.Leaf(0)
    for _ in range(DEPTH):
        chain = make(chain)
    del chain


leaf = small.Leaf(1)
deep(lambda chain: small.Pair(chain, leaf))
deep(lambda chain: small.Pair(None, chain))
deep(lambda chain: small.Bag([chain], None))
deep(lambda chain: small.Bag([], {"a": [chain]}))
assert references(leaf) == 1, references(leaf)

box = small.Bag([leaf], leaf)
assert references(leaf) == 3
copied = tvm_ffi.core._lookup_type_attr(
    type(box).__tvm_ffi_type_info__.type_index, "__ffi_shallow_copy__"
)(box)
assert references(leaf) == 4  # The array is shared.
box.value = copied
box.value = "text that does not fit into sixteen bytes"
box.items = [leaf, leaf]
assert references(leaf) == 5
for wrong in (lambda: small.Bag([leaf, 1], leaf), lambda: small.Pair(leaf, 3)):
    try:
        wrong()
    except TypeError:
        continue
    raise AssertionError
del box, copied
gc.collect()
assert references(leaf) == 1, references(leaf)

text = "text that does not fit into sixteen bytes"
print(growth(lambda: small.Pair(small.Bag([leaf], text), small.Leaf(2)), 100_000))
written = small.Bag([leaf], leaf)


def write() -> None:
    """Write fields that hold objects."""
    written.value = small.Leaf(3)
    written.items = [small.Leaf(4), leaf]
    written.value = text


print(growth(write, 100_000))
