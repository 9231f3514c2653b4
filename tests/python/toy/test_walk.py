"""A compiled function that walks a list of nodes of a package, as C++ and Python do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import tvm_ffi

import uir

from ..support.project import Project

pytestmark = pytest.mark.long

MODULE = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def sum_values(first: tir.handle("toy.List", nullable=True)) -> tir.int64:
        rest = tir.alloc_buffer((1,), "handle")
        total = tir.alloc_buffer((1,), "int64")
        rest[0] = first
        total[0] = tir.int64(0)
        while not tir.isnullptr(rest[0]):
            link: tir.handle("toy.Link") = rest[0]
            total[0] = total[0] + link.value
            rest[0] = link.next
        tir.ret(total[0])

    @tir.prim_func
    def weigh(first: tir.handle("toy.Link")) -> tir.float32:
        rest = tir.alloc_buffer((1,), "handle")
        total = tir.alloc_buffer((1,), "float32")
        is_open = tir.alloc_buffer((1,), "bool")
        rest[0] = first
        total[0] = tir.float32(0)
        is_open[0] = True
        while is_open[0]:
            link: tir.handle("toy.Link") = rest[0]
            total[0] = total[0] + link.weight
            if tir.is_object(link, "toy.NamedLink"):
                named: tir.handle("toy.NamedLink") = link
                total[0] = total[0] * tir.float32(named.rank)
            is_open[0] = not link.is_last
            rest[0] = link.next
        tir.ret(total[0])
"""


@pytest.fixture(scope="module")
def nodes(build_package: Callable[[str], Project]) -> Any:
    """Build the package, and import its classes."""
    build_package("toy")
    import toy_nodes

    return toy_nodes


@pytest.fixture(scope="module")
def module(nodes: Any) -> tvm_ffi.Module:
    """Compile the functions."""
    return uir.build(uir.script.parse(MODULE))


def test_a_list_is_summed_as_in_cpp(nodes: Any, module: tvm_ffi.Module) -> None:
    first = None
    for value in (2**62, -5, 2**62, 7, 2**62):
        assert module.sum_values(first) == nodes.sum_values(first)
        first = nodes.Link(value, next=first)
    assert module.sum_values(first) == nodes.sum_values(first) < 0


def test_numbers_booleans_and_subtypes(nodes: Any, module: tvm_ffi.Module) -> None:
    behind = nodes.Link(0, 100.0)
    last = nodes.NamedLink(0, 0.25, True, behind, name="last", rank=200)
    assert module.weigh(nodes.Link(0, 1.5, next=last)) == (1.5 + 0.25) * 200


def test_errors(nodes: Any, module: tvm_ffi.Module) -> None:
    with pytest.raises(TypeError, match="^weigh: `rest.0.` must be a `toy.Link`, got None$"):
        module.weigh(nodes.Link(1))
    with pytest.raises(TypeError, match="^weigh: `first` must be a `toy.Link`, got None$"):
        module.weigh(None)
    with pytest.raises(TypeError, match="`first` must be a `toy.List`, got a `uir.ir.IntImm`"):
        module.sum_values(uir.ir.IntImm("int32", 1))
