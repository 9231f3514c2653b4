"""Random statements: stores, loops of every kind, launches, conditions, local buffers and views.

In: a source of random numbers and the scope.  Out: statements whose run is defined (functions.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random

import numpy as np

from uir import tir
from uir.ir import PrimExpr, Range, StringImm
from uir.tir import (
    Buffer,
    BufferLoad,
    BufferStore,
    For,
    ForKind,
    Ramp,
    Stmt,
    Var,
    const,
    decl_buffer,
)

from .exprs import EXTENTS, INTEGERS, ExprMaker

__all__ = ["StmtMaker"]


class StmtMaker(ExprMaker):
    """Makes statements for the present scope."""

    def __init__(self, random: Random, size: int) -> None:
        super().__init__(random)
        self.budget = size
        self.is_launched = False
        self.kinds: list[Callable[[int], list[Stmt]]] = [self.loop, self.loop, self.loop]
        self.kinds += [self.branch, self.branch, self.local, self.lanes, self.countdown]
        self.kinds += [self.view, self.note, self.launch]

    def buffer(self, name: str, dtype: str) -> Buffer:
        self.count += 1
        rank = self.random.choice((1, 1, 2, 2, 3))
        shape = [const(self.random.choice(EXTENTS)) for _ in range(rank)]
        return decl_buffer(shape, dtype, f"{name}{self.count}")

    @contextmanager
    def inner_scope(self, **bounds: int) -> Iterator[None]:
        """Forget at the end what is bound inside."""
        outer = self.scope
        self.scope = replace(
            outer,
            bounds=dict(outer.bounds),
            readable=list(outer.readable),
            writable=list(outer.writable),
            shared=list(outer.shared),
        )
        yield
        self.scope = outer

    def sequence(self, depth: int) -> Stmt:
        with self.inner_scope():
            stmts: list[Stmt] = []
            for _ in range(self.random.randint(1, 4) if depth else 6):
                stmts += self.statements(depth)
            return tir.flatten_seq(stmts)

    def statements(self, depth: int) -> list[Stmt]:
        kinds: list[Callable[[int], list[Stmt]]] = [self.store, self.store, self.bind, self.check]
        if depth < 3 and self.budget > 0:
            kinds += self.kinds
        return self.random.choice(kinds)(depth)

    def store(self, depth: int) -> list[Stmt]:
        self.budget -= 1
        buffer = self.random.choice(self.scope.writable)
        indices = [self.index(extent) for extent in self.extents(buffer)]
        return [BufferStore(buffer, self.value(buffer.dtype), indices)]

    def bind(self, depth: int) -> list[Stmt]:
        variable, bound = self.variable("v"), self.random.choice(EXTENTS)
        value = tir.floormod(self.integer(2), bound)
        self.scope.bounds[variable] = bound
        return [tir.Bind(variable, value)]

    def check(self, depth: int) -> list[Stmt]:
        positive = tir.less(const(-1), tir.floormod(self.integer(1), 4))
        return [tir.AssertStmt(StringImm("ValueError"), positive, [StringImm("negative")])]

    def note(self, depth: int) -> list[Stmt]:
        return [tir.AttrStmt(None, "note", const(1), self.sequence(depth + 1))]

    def branch(self, depth: int) -> list[Stmt]:
        condition, then = self.condition(), self.sequence(depth + 1)
        if self.random.random() < 0.4:
            condition = tir.likely(condition)
        other = self.sequence(depth + 1) if self.random.random() < 0.5 else None
        return [tir.IfThenElse(condition, then, other)]

    def loop(self, depth: int) -> list[Stmt]:
        dtype = "int64" if self.random.random() < 0.2 else "int32"
        variable = self.variable("i", dtype)
        extent = self.random.choice((*EXTENTS, 0))
        kind = self.random.choice((ForKind.SERIAL, ForKind.SERIAL, ForKind.UNROLLED))
        step = const(self.random.choice((2, 3)), dtype) if self.random.random() < 0.2 else None
        first = self.random.choice((0, 0, 0, 1, 3))
        with self.inner_scope():
            self.scope.bounds[variable] = first + max(extent, 1)
            body = self.iteration(depth + 1, (tir.Break, tir.Continue))
        length = const(extent) if kind == ForKind.UNROLLED else self.length(extent)
        notes = {"pragma_loop_partition_hint": 1} if self.random.random() < 0.2 else {}
        begin, length = const(first, dtype), tir.cast(length, dtype)
        return [For(variable, begin, length, kind, body, annotations=notes, step=step)]

    def iteration(self, depth: int, jumps: tuple[type[Stmt], ...]) -> Stmt:
        """Return the body of a loop, which may end early."""
        body = self.sequence(depth)
        if self.random.random() < 0.7:
            return body
        jump = self.random.choice(jumps)()
        early = jump if self.random.random() < 0.5 else tir.flatten_seq([self.sequence(3), jump])
        leave = tir.IfThenElse(self.condition(), early)
        return tir.flatten_seq([body, leave, *self.store(depth)])

    def length(self, extent: int) -> PrimExpr:
        """Return the extent of a loop: mostly constant, else at most that."""
        if self.random.random() < 0.8 or extent == 0:
            return const(extent)
        return tir.min(self.bounded(extent), const(extent))

    def countdown(self, depth: int) -> list[Stmt]:
        """Return a `While` over a counter in memory."""
        counter = decl_buffer([const(1)], "int32", "counter")
        load, zero = BufferLoad(counter, [const(0)]), [const(0)]
        with self.inner_scope():
            self.scope.readable.append(counter)
            # `continue` would leave the counter as it is.
            body = self.iteration(depth + 2, (tir.Break,))
        step = BufferStore(counter, load - 1, zero)
        loop = tir.While(load > 0, tir.flatten_seq([body, step]))
        start = BufferStore(counter, const(self.random.randint(0, 3)), zero)
        return [tir.flatten_seq([tir.AllocBuffer(counter), start, loop])]

    def local(self, depth: int) -> list[Stmt]:
        """Return a buffer that is filled, used and gone."""
        dtype = self.random.choice(("int32", "float32"))
        buffer = self.buffer("local", dtype)
        if self.random.random() < 0.2:
            buffer = self.with_strides(buffer)
        fill = self.fill(buffer)
        with self.inner_scope():
            self.scope.readable.append(buffer)
            self.scope.writable.append(buffer)
            uses = self.sequence(depth + 1)
        out = [buffer for buffer in self.scope.writable if buffer.dtype == dtype]
        target = self.random.choice(out or [buffer])
        last = BufferStore(target, self.load(buffer), [self.index(x) for x in self.extents(target)])
        # In a sequence of its own, so that it ends with that.
        block = tir.flatten_seq([tir.AllocBuffer(buffer), fill, uses, last])
        return [tir.IfThenElse(const(True), block)]

    def with_strides(self, buffer: Buffer) -> Buffer:
        """Return a buffer like another one, with gaps between its elements and rows."""
        strides = [self.random.choice((1, 2))]
        for extent in reversed(self.extents(buffer)[1:]):
            strides.append(strides[-1] * extent + self.random.choice((0, 1)))
        return decl_buffer(buffer.shape, buffer.dtype, buffer.name, strides=strides[::-1])

    def fill(self, buffer: Buffer) -> Stmt:
        """Return loops that write every element, perhaps on several threads."""
        variables = [self.variable("f") for _ in buffer.shape]
        kinds = (ForKind.SERIAL, ForKind.PARALLEL, ForKind.VECTORIZED)
        with self.inner_scope():
            self.scope.bounds.update(zip(variables, self.extents(buffer), strict=True))
            stmt = self.element(buffer, variables)
        for axis in reversed(range(len(variables))):
            inner = axis == len(variables) - 1
            extent = buffer.shape[axis]
            kind = self.random.choice(kinds if inner else kinds[:2])
            stmt = For(variables[axis], const(0), extent, kind, stmt)
            if axis == 0 and kind == ForKind.PARALLEL and self.random.random() < 0.3:
                stmt = _on_threads(stmt)
        return stmt

    def element(self, buffer: Buffer, indices: list[Var]) -> Stmt:
        """Return a statement that writes one element, in one way or another."""
        made: list[Stmt] = []
        if self.random.random() < 0.3:
            made += self.bind(0)
        store = BufferStore(buffer, self.value(buffer.dtype), indices)
        if self.random.random() < 0.3:
            other = BufferStore(buffer, self.value(buffer.dtype), indices)
            store_one = tir.IfThenElse(self.condition(), store, other)
            return tir.flatten_seq([*made, store_one])
        return tir.flatten_seq([*made, store])

    def lanes(self, depth: int) -> list[Stmt]:
        """Return a store of a vector, perhaps of some of its lanes only."""
        self.budget -= 1
        buffers = [b for b in self.scope.writable if self.extents(b)[-1] >= 4]
        if not buffers:
            return self.store(depth)
        buffer = self.random.choice(buffers)
        *outer, last = self.extents(buffer)
        lanes = self.random.choice((2, 4))
        first = tir.cast(self.index(last - lanes + 1), "int32")
        place = Ramp(first, const(1), lanes)
        scalar = tir.cast(self.value(buffer.dtype), buffer.dtype.with_lanes(lanes))
        start = tir.cast(self.index(3), "int32")
        counted = tir.cast(Ramp(start, const(2), lanes), buffer.dtype.with_lanes(lanes))
        mask = tir.less(place, tir.Broadcast(self.integer(1), lanes))
        predicate = mask if self.random.random() < 0.4 else None
        indices = [*(self.index(x) for x in outer), place]
        value = self.random.choice((scalar, tir.add(scalar, counted)))
        if self.random.random() < 0.3:
            value = tir.add(value, BufferLoad(buffer, indices, predicate))
        return [BufferStore(buffer, value, indices, predicate)]

    def view(self, depth: int) -> list[Stmt]:
        """Return accesses of a buffer by another shape of the same memory."""
        source = self.random.choice([x for x in self.scope.writable if x.is_compact()])
        total = int(np.prod(self.extents(source)))
        shape = [const(total)] if self.random.random() < 0.5 else [const(1), const(total)]
        alias = Buffer(source.data, source.dtype, shape, name=f"{source.name}_view")
        with self.inner_scope():
            self.scope.readable.append(alias)
            self.scope.writable.append(alias)
            stmts = [tir.DeclBuffer(alias), *self.store(depth), *self.store(depth)]
        return [tir.IfThenElse(self.condition(), tir.SeqStmt(stmts))]

    def launch(self, depth: int) -> list[Stmt]:
        """Return a launch of threads, each of which computes one row in memory of its own."""
        targets = [buffer for buffer in self.scope.writable if not buffer.strides]
        # What threads may write is not read by others.
        inputs = [buffer for buffer in self.scope.readable if buffer not in self.scope.writable]
        if self.is_launched or not targets or all(x.dtype not in INTEGERS for x in inputs):
            return self.store(depth)
        target, own = self.random.choice(targets), self.buffer("own", "int32")
        rows, *others = self.extents(target)
        thread = self.variable("thread")
        self.is_launched = True
        with self.inner_scope():
            self.scope.bounds[thread] = rows
            self.scope.shared = []
            self.scope.readable = inputs
            body = [tir.AllocBuffer(own), self.fill(own)]
            self.scope.readable.append(own)
            self.scope.writable = [own]
            body.append(self.sequence(depth + 1))
            place = [thread, *(tir.cast(self.index(x), "int32") for x in others)]
            body.append(BufferStore(target, tir.cast(self.load(own), target.dtype), place))
        self.is_launched = False
        return [_launched(thread, rows, tir.flatten_seq(body))]


def _launched(thread: Var, extent: int, body: Stmt) -> Stmt:
    """Return what runs a statement for each block of a launch."""
    kind = tir.IterVarType.THREAD_INDEX
    axis = tir.IterVar(thread, Range(const(0), const(extent)), kind, "blockIdx.x")
    return tir.AttrStmt(axis, "thread_extent", const(extent), body)


def _on_threads(loop: For) -> Stmt:
    """Return a loop with its iterations on the threads of a launch."""
    axis = tir.IterVar(Var("tx", "int32"), None, tir.IterVarType.THREAD_INDEX, "threadIdx.x")
    thread = ForKind.THREAD_BINDING
    return For(loop.loop_var, loop.min, loop.extent, thread, loop.body, thread_binding=axis)
