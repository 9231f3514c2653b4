"""Random blocks in loops, and blocks that match regions of buffers."""

from __future__ import annotations

from random import Random

from uir import tir
from uir.ir import Range
from uir.tir import For, ForKind, Stmt, Var, const, decl_buffer

from .exprs import EXTENTS
from .stmts import StmtMaker

__all__ = ["BlockMaker"]


class BlockMaker(StmtMaker):
    """Makes statements, blocks among them."""

    def __init__(self, random: Random, size: int) -> None:
        super().__init__(random, size)
        self.kinds.append(self.block)

    def block(self, depth: int) -> list[Stmt]:
        """Return a block in loops, perhaps with a reduction and with memory of its own."""
        loops = [self.variable("i") for _ in range(self.random.randint(1, 2))]
        extents = [self.random.choice(EXTENTS[:4]) for _ in loops]
        with self.inner_scope():
            self.scope.bounds.update(zip(loops, extents, strict=True))
            stmt = self.realize(depth, loops, extents)
        for variable, extent in zip(reversed(loops), reversed(extents), strict=True):
            stmt = For(variable, const(0), const(extent), ForKind.SERIAL, stmt)
        return [stmt]

    def realize(self, depth: int, loops: list[Var], extents: list[int]) -> Stmt:
        """Return a realization with an axis for each loop and one for another value."""
        first, other = self.random.choice((0, 2)), self.random.choice(EXTENTS)
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
        pairs = zip(extents, sizes, strict=True)
        starts = [tir.cast(self.index(extent - size + 1), "int32") for extent, size in pairs]
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
