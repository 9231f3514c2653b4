"""Accesses of buffers: where elements lie, and reading them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from uir import tir

from .compiler import Compiler, Env, Eval, compiles
from .errors import Undefined
from .memory import Address
from .numbers import Value, fit, lanes_of, packed, storage_type

__all__ = ["compact_strides", "element", "places"]


def compact_strides(extents: Sequence[int]) -> list[int]:
    """Return the strides of a row-major buffer, in elements."""
    return [int(np.prod(extents[axis + 1 :])) for axis in range(len(extents))]


def element(compiler: Compiler, buffer: tir.Buffer) -> Callable[[Env, Sequence[int]], Address]:
    """Return what finds the address of an element; a matched buffer has those of its region."""
    source = compiler.matches.get(buffer)
    if source is None:
        return _element(compiler, buffer)
    inside, of_source = _within(compiler, buffer), element(compiler, source)

    def address(env: Env, indices: Sequence[int]) -> Address:
        inside(env, indices)
        starts: Any = env[buffer]
        fixed = len(starts) - len(indices)
        shifted = (start + x for start, x in zip(starts[fixed:], indices, strict=True))
        return of_source(env, [*starts[:fixed], *shifted])

    return address


def _within(compiler: Compiler, buffer: tir.Buffer) -> Callable[[Env, Sequence[int]], list[int]]:
    """Return what checks indices, and returns the extents of the buffer."""
    shape = compiler.exprs(buffer.shape)

    def check(env: Env, indices: Sequence[int]) -> list[int]:
        extents = shape(env)
        for index, extent in zip(indices, extents, strict=True):
            if not 0 <= index < extent:
                raise Undefined(f"index {list(indices)} is outside of `{buffer.name}`, {extents}")
        return extents

    return check


def _element(compiler: Compiler, buffer: tir.Buffer) -> Callable[[Env, Sequence[int]], Address]:
    inside, strides = _within(compiler, buffer), compiler.exprs(buffer.strides)
    assert buffer.elem_offset is not None
    offset, data = compiler.expr(buffer.elem_offset), compiler.expr(buffer.data)
    size = storage_type(buffer.dtype).itemsize * buffer.dtype.lanes

    def address(env: Env, indices: Sequence[int]) -> Address:
        extents = inside(env, indices)
        steps = strides(env) or compact_strides(extents)
        place = offset(env) + sum(x * step for x, step in zip(indices, steps, strict=True))
        start: Address = data(env)
        return Address(start.memory, start.offset + place * size)

    return address


def places(
    compiler: Compiler, node: tir.BufferLoad | tir.BufferStore
) -> Callable[[Env], Iterator[Address | None]]:
    address, indices = element(compiler, node.buffer), compiler.exprs(node.indices)
    predicate = None if node.predicate is None else compiler.expr(node.predicate)

    def each(env: Env) -> Iterator[Address | None]:
        *outer, last = indices(env) or [None]
        wanted = [True] if predicate is None else lanes_of(predicate(env))
        for lane, index in enumerate(lanes_of(last)):
            point = [] if index is None else [*outer, index]
            yield address(env, point) if wanted[lane % len(wanted)] else None

    return each


@compiles(tir.BufferLoad)
def _load(compiler: Compiler, node: tir.BufferLoad) -> Eval:
    at, dtype = places(compiler, node), node.buffer.dtype
    size = storage_type(dtype).itemsize
    zero = fit(dtype)(0)

    def evaluate(env: Env) -> Value:
        lanes: list[Value] = []
        for place in at(env):
            if place is None:
                lanes += [zero] * dtype.lanes
                continue
            offsets = range(place.offset, place.offset + size * dtype.lanes, size)
            lanes += [place.memory.load(dtype, offset) for offset in offsets]
        return packed(lanes)

    return evaluate
