"""Random well-formed functions, whose meaning the interpreter defines.

`random_func(seed)` is the same function for the same seed, and `arguments(func, seed)` are values
to run it on.  A run of it is defined: no access leaves its buffer, nothing is read before it is
written, no divisor is 0 and no signed integer of 32 bits or more overflows.  So a pass that is
right leaves the results as they are.  It has loops of every kind, conditions, blocks, local buffers
with and without strides, bindings and sub-expressions that are shared, some as one object and some
as equal ones.  The blocks of `random_matching_module` match buffers too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from uir import tir
from uir.ir import GlobalVar, IntImm, IRModule, PrimExpr, Range, StringImm, with_attr
from uir.tir import (
    Buffer,
    BufferLoad,
    BufferStore,
    For,
    ForKind,
    PrimFunc,
    Ramp,
    Stmt,
    Var,
    call_intrin,
    const,
    decl_buffer,
)

from .random_exprs import ExprMaker, Scope

__all__ = ["arguments", "random_func", "random_matching_module", "random_module", "same_results"]

_EXTENTS = (1, 2, 3, 4, 8)


def arguments(func: PrimFunc, seed: int) -> list[Any]:
    """Return arguments for a function: small numbers, and arrays filled with such."""
    source = np.random.default_rng(seed)
    values: list[Any] = []
    for param in func.params:
        buffer = func.buffer_map.get(param)
        if buffer is None:
            values.append(int(source.integers(0, 5)))
            continue
        shape = [extent.value for extent in buffer.shape if isinstance(extent, IntImm)]
        numbers = source.integers(-9, 10, size=shape)
        scale = 0.25 if buffer.dtype.startswith("float") else 1
        values.append((numbers * scale).astype(str(buffer.dtype)))
    return values


def same_results(one: list[Any], other: list[Any]) -> bool:
    """Return whether two lists of arguments are equal after a run."""
    pairs = zip(one, other, strict=True)
    return all(np.array_equal(a, b, equal_nan=_is_float(a)) for a, b in pairs)


def _is_float(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def random_func(seed: int, size: int = 12) -> PrimFunc:
    """Return a public function `main` of about `size` stores."""
    func = _Maker(Random(seed), size).function()
    return with_attr(func, "global_symbol", "main")


def random_module(seed: int, size: int = 12) -> IRModule:
    """Return a module of a public `main` and of private functions, some of which it calls.

    `update` writes a buffer of its caller's, `scaled` returns a number, `unused` is never called.
    """
    maker, main = _Maker(Random(seed + 1), 4), random_func(seed, size)
    update, scaled, unused = (GlobalVar(name) for name in ("update", "scaled", "unused"))
    x = Var("x", "int32")
    result = tir.Evaluate(call_intrin("void", "tir.ret", [x * 2 + 1]))
    return IRModule(
        {
            GlobalVar("main"): _calling(maker, main, update, scaled),
            update: maker.callee(_outputs(main)[0]),
            scaled: PrimFunc([x], result),
            unused: maker.callee(_outputs(main)[0]),
        }
    )


def random_matching_module(seed: int, size: int = 12) -> IRModule:
    """Return a module of a public `main`, with blocks that match regions of buffers."""
    maker = _Maker(Random(seed), size)
    maker.kinds += [maker.match, maker.match, maker.block]
    return IRModule({GlobalVar("main"): with_attr(maker.function(), "global_symbol", "main")})


def _outputs(func: PrimFunc) -> list[Buffer]:
    return [buffer for buffer in func.buffer_map.values() if buffer.name.startswith("out")]


def _calling(maker: _Maker, main: PrimFunc, update: GlobalVar, scaled: GlobalVar) -> PrimFunc:
    """Return a function that goes on with calls of two others, in a loop."""
    output = _outputs(main)[0]
    variable = maker.variable("call")
    number = tir.Call("int32", scaled, [variable])
    call = tir.Evaluate(tir.Call("void", update, [output.data, tir.floormod(number, 3)]))
    loop = For(variable, const(0), const(2), ForKind.SERIAL, call)
    body = tir.flatten_seq([main.body, loop])
    return PrimFunc(main.params, body, buffer_map=main.buffer_map, attrs=main.attrs)


def _increment(buffer: Buffer) -> Stmt:
    """Return a statement that changes the first element of a buffer."""
    first = [const(0) for _ in buffer.shape]
    return BufferStore(buffer, BufferLoad(buffer, first) + 1, first)


def _on_threads(loop: For) -> Stmt:
    """Return a loop with its iterations on the threads of a launch."""
    axis = tir.IterVar(Var("tx", "int32"), None, tir.IterVarType.THREAD_INDEX, "threadIdx.x")
    thread = ForKind.THREAD_BINDING
    return For(loop.loop_var, loop.min, loop.extent, thread, loop.body, thread_binding=axis)


class _Maker(ExprMaker):
    """Makes statements and functions."""

    def __init__(self, random: Random, size: int) -> None:
        super().__init__(random)
        self.budget = size
        self.kinds: list[Callable[[int], list[Stmt]]] = [self.loop, self.loop, self.loop]
        self.kinds += [self.branch, self.branch, self.local, self.lanes, self.countdown]
        self.kinds += [self.view, self.note, self.block]

    # Functions.

    def function(self) -> PrimFunc:
        inputs = [self.buffer("in", dtype) for dtype in ("int32", "float32", "int8")]
        outputs = [self.buffer("out", dtype) for dtype in ("int32", "float32")]
        scalar = Var("n", "int32")
        self.scope = Scope({scalar: 5}, [*inputs, *outputs], outputs)
        handles = [Var(f"{buffer.name}_handle", "handle") for buffer in (*inputs, *outputs)]
        body = tir.flatten_seq([self.sequence(depth=0), _increment(outputs[0])])
        buffers = dict(zip(handles, (*inputs, *outputs), strict=True))
        return PrimFunc([*handles, scalar], body, buffer_map=buffers)

    def callee(self, like: Buffer) -> PrimFunc:
        """Return a private function of a buffer such as `like`, and of a number below 3."""
        buffer, scalar = decl_buffer(like.shape, like.dtype, "part"), self.variable("n")
        handle = self.variable("part_handle", "handle")
        self.scope = Scope({scalar: 3}, [buffer], [buffer])
        body = self.sequence(depth=2)
        return PrimFunc([handle, scalar], body, buffer_map={handle: buffer})

    def buffer(self, name: str, dtype: str) -> Buffer:
        self.count += 1
        rank = self.random.choice((1, 1, 2, 2, 3))
        shape = [const(self.random.choice(_EXTENTS)) for _ in range(rank)]
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

    # Statements.

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
        variable, bound = self.variable("v"), self.random.choice(_EXTENTS)
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
        other = self.sequence(depth + 1) if self.random.random() < 0.5 else None
        return [tir.IfThenElse(condition, then, other)]

    def loop(self, depth: int) -> list[Stmt]:
        variable = self.variable("i")
        extent = self.random.choice((*_EXTENTS, 0))
        kind = self.random.choice((ForKind.SERIAL, ForKind.SERIAL, ForKind.UNROLLED))
        step = const(self.random.choice((2, 3))) if self.random.random() < 0.2 else None
        first = self.random.choice((0, 0, 0, 1, 3))
        with self.inner_scope():
            self.scope.bounds[variable] = first + max(extent, 1)
            body = self.iteration(depth + 1, (tir.Break, tir.Continue))
        length = const(extent) if kind == ForKind.UNROLLED else self.length(extent)
        return [For(variable, const(first), length, kind, body, step=step)]

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

    def block(self, depth: int) -> list[Stmt]:
        """Return a block in loops, perhaps with a reduction and with memory of its own."""
        loops = [self.variable("i") for _ in range(self.random.randint(1, 2))]
        extents = [self.random.choice(_EXTENTS[:4]) for _ in loops]
        with self.inner_scope():
            self.scope.bounds.update(zip(loops, extents, strict=True))
            stmt = self.realize(depth, loops, extents)
        for variable, extent in zip(reversed(loops), reversed(extents), strict=True):
            stmt = For(variable, const(0), const(extent), ForKind.SERIAL, stmt)
        return [stmt]

    def realize(self, depth: int, loops: list[Var], extents: list[int]) -> Stmt:
        """Return a realization with an axis for each loop and one for another value."""
        first, other = self.random.choice((0, 2)), self.random.choice(_EXTENTS)
        kinds = [tir.IterVarType.DATA_PAR] * (len(loops) - 1) + [tir.IterVarType.COMM_REDUCE]
        axes = [
            tir.IterVar(self.variable("v"), Range(const(first), const(extent)), kind)
            for extent, kind in zip(extents, kinds, strict=True)
        ]
        spatial = tir.IterVarType.DATA_PAR
        axes.append(tir.IterVar(self.variable("v"), Range(const(0), const(other)), spatial))
        values = [tir.add(variable, first) for variable in loops]
        values.append(tir.floormod(self.integer(1), other))
        where = self.condition() if self.random.random() < 0.3 else const(True)
        with self.inner_scope():
            for variable in loops:
                del self.scope.bounds[variable]
            bounds = [first + extent for extent in extents]
            variables = [axis.var for axis in axes]
            self.scope.bounds.update(zip(variables, [*bounds, other], strict=True))
            init = self.store(depth)[0] if self.random.random() < 0.4 else None
            own = [self.buffer("own", "int32")] if self.random.random() < 0.4 else []
            fills = [self.fill(buffer) for buffer in own]
            self.scope.readable += own
            self.scope.writable += own
            body = tir.flatten_seq([*fills, self.sequence(depth + 1)])
        notes = {"note": 1} if self.random.random() < 0.2 else {}
        block = tir.Block(axes, [], [], "block", body, own, [], notes, init)
        return tir.BlockRealize(values, where, block)

    def match(self, depth: int) -> list[Stmt]:
        """Return a block that matches a region of a buffer."""
        source = self.random.choice(self.scope.writable)
        extents = self.extents(source)
        sizes = [self.random.randint(1, extent) for extent in extents]
        starts = [self.index(x - size + 1) for x, size in zip(extents, sizes, strict=True)]
        region = [Range(start, const(size)) for start, size in zip(starts, sizes, strict=True)]
        fixed = self.random.randrange(len(sizes)) if sizes[0] == 1 else 0
        while any(size != 1 for size in sizes[:fixed]):
            fixed -= 1
        offset = self.variable("offset") if self.random.random() < 0.5 else None
        shape = [const(size) for size in sizes[fixed:]]
        strides = [self.variable("stride") for _ in shape] if offset is not None else None
        part = decl_buffer(shape, source.dtype, "part", strides=strides, elem_offset=offset)
        match = tir.MatchBufferRegion(part, tir.BufferRegion(source, region))
        with self.inner_scope():
            self.scope.readable.append(part)
            self.scope.writable = [part, part, *self.scope.writable]
            body = self.sequence(depth + 1)
        block = tir.Block([], [], [], "match", body, match_buffers=[match])
        return [tir.BlockRealize([], const(True), block)]

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
        place = Ramp(self.index(last - lanes + 1), const(1), lanes)
        scalar = tir.cast(self.value(buffer.dtype), buffer.dtype.with_lanes(lanes))
        counted = tir.cast(Ramp(self.index(3), const(2), lanes), buffer.dtype.with_lanes(lanes))
        value = self.random.choice((scalar, tir.add(scalar, counted)))
        mask = tir.less(place, tir.Broadcast(self.integer(1), lanes))
        predicate = mask if self.random.random() < 0.4 else None
        return [BufferStore(buffer, value, [*(self.index(x) for x in outer), place], predicate)]

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
