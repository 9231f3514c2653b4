"""Index expressions of tiled programs, in a form that belongs to neither compiler.

An expression is a number, the name of a variable, or a list: an operator and its operands. The
programs are matmul, convolution, softmax, attention and a reshape, with their loops split and fused
as schedules do; tiles divide their loops or do not, sizes are numbers or `n`, borders are padded,
and innermost loops become lanes of vectors. Of each program there are offsets into buffers, plain,
packed and cached; conditions of guards and of bounds; and extents of loops.

The same seed makes the same expressions.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

__all__ = ["Case", "Form", "cases"]

Form = Any
LANES = 4


@dataclass
class Case:
    """
    An expression and what is known of its variables.

    Attributes
    ----------
    program
        The program that it is from.
    ranges
        The loops around it: for each variable the number that it is below, from 0.
    form
        The expression.
    is_condition
        Whether it is a boolean.
    """

    program: str
    ranges: dict[str, Form]
    form: Form
    is_condition: bool


def _op(name: str) -> Callable[[Form, Form], Form]:
    return lambda a, b: [name, a, b]


add, sub, mul = _op("Add"), _op("Sub"), _op("Mul")
div, mod, least = _op("FloorDiv"), _op("FloorMod"), _op("Min")
less, at_most, both = _op("LT"), _op("LE"), _op("And")


def ceil_div(size: Form, tile: int) -> Form:
    """Return the number of tiles that cover a size."""
    if isinstance(size, int):
        return -(-size // tile)
    return div(add(size, tile - 1), tile)


def offset(indices: list[Form], shape: list[Form]) -> Form:
    """Return the offset of an element in a buffer of a shape, rows first."""
    result = indices[0]
    for index, extent in zip(indices[1:], shape[1:], strict=True):
        result = add(mul(result, extent), index)
    return result


def product(sizes: list[Form]) -> Form:
    """Return the product of sizes, a number if all of them are."""
    if all(isinstance(size, int) for size in sizes):
        return math.prod(sizes)
    return reduce(mul, sizes)


@dataclass
class Nest:
    """
    Loops of a program, and the expressions that are found in it.

    Attributes
    ----------
    program
        Its name.
    draw
        Decides about tiles.
    ranges
        The loops so far.
    found
        The expressions so far.
    """

    program: str
    draw: random.Random
    ranges: dict[str, Form] = field(default_factory=dict)
    found: list[Case] = field(default_factory=list)

    def loop(self, name: str, extent: Form) -> Form:
        """Open a loop."""
        self.ranges[name] = extent
        return name

    def split(self, name: str, extent: Form) -> tuple[Form, Form]:
        """Open two loops for one; return its index, and the beginning of its tile."""
        tile = self.draw.choice([3, 4, 6, 8, 16, 32])
        outer = self.loop(f"{name}_o", ceil_div(extent, tile))
        inner = self.loop(f"{name}_i", tile)
        begin = mul(outer, tile)
        index = add(begin, inner)
        self.take(least(tile, sub(extent, begin)))
        self.guard(index, extent)
        return index, begin

    def split_fused(self, name: str, extents: list[Form]) -> list[Form]:
        """Open two loops for several that are fused; return the indices of these."""
        index, _ = self.split(name, product(extents))
        return self.digits(index, extents)

    def digits(self, index: Form, extents: list[Form]) -> list[Form]:
        """Return the indices of loops that are fused to one."""
        result = []
        for extent in extents[:0:-1]:
            result.append(mod(index, extent))
            index = div(index, extent)
        return [index, *reversed(result)]

    def take(self, form: Form) -> None:
        """Take an index or an extent."""
        self.found.append(Case(self.program, dict(self.ranges), form, False))

    def guard(self, index: Form, extent: Form) -> None:
        """Take the conditions that an index is inside."""
        self.test(less(index, extent))
        self.test(both(at_most(0, index), less(index, extent)))

    def test(self, condition: Form) -> None:
        """Take a condition."""
        self.found.append(Case(self.program, dict(self.ranges), condition, True))

    def access(self, indices: list[Form], shape: list[Form]) -> None:
        """Take what an access to a buffer computes, and the conditions that it is inside."""
        whole = offset(indices, shape)
        self.take(whole)
        self.test(less(whole, product(shape)))
        for index, extent in zip(indices, shape, strict=True):
            self.guard(index, extent)
        block = self.draw.choice([8, 16])
        self.take(div(whole, block))
        self.take(mod(whole, block))
        self.take(offset([div(whole, block), mod(whole, block)], [0, block]))

    def vector(self, index: Form, stride: Form) -> None:
        """Take an index with the lanes of a vector, and its parts in a packed layout."""
        lanes = ["Ramp", mul(index, LANES), stride, LANES]
        wide = ["Broadcast", 16, LANES]
        self.take(add(lanes, ["Broadcast", index, LANES]))
        self.take(div(lanes, wide))
        self.take(mod(lanes, wide))


def matmul(nest: Nest, sizes: list[Form]) -> None:
    """Collect from `C[i, j] += A[i, k] * B[k, j]`."""
    rows, columns, depth = sizes
    if nest.draw.random() < 0.5:
        i, j = nest.split_fused("f", [rows, columns])
        i_begin, j_begin = i, j
    else:
        i, i_begin = nest.split("i", rows)
        j, j_begin = nest.split("j", columns)
    k, k_begin = nest.split("k", depth)
    nest.access([i, k], [rows, depth])
    nest.access([k, j], [depth, columns])
    nest.access([i, j], [rows, columns])
    nest.take(offset([div(j, 16), k, mod(j, 16)], [0, depth, 16]))
    nest.take(offset([sub(i, i_begin), sub(k, k_begin)], [0, 32]))
    nest.take(sub(offset([k, j], [depth, columns]), offset([k, j_begin], [depth, columns])))
    nest.test(both(both(less(i, rows), less(j, columns)), less(k, depth)))
    nest.vector(k, 1)


def convolution(nest: Nest, sizes: list[Form]) -> None:
    """Collect from a convolution of rows and columns with a border of zeros."""
    height, width, channels = sizes
    kernel, stride, border = nest.draw.choice([(3, 1, 1), (3, 2, 1), (5, 1, 2), (1, 1, 0)])
    if nest.draw.random() < 0.5:
        row, column = nest.split_fused("p", [height, width])
    else:
        (row, _), (column, _) = nest.split("y", height), nest.split("x", width)
    channel, _ = nest.split("c", channels)
    y_k, x_k = nest.loop("ky", kernel), nest.loop("kx", kernel)
    y_in = sub(add(mul(row, stride), y_k), border)
    x_in = sub(add(mul(column, stride), x_k), border)
    high, wide = add(mul(height, stride), 2 * border), add(mul(width, stride), 2 * border)
    nest.access([add(y_in, border), add(x_in, border), channel], [high, wide, channels])
    nest.test(both(at_most(border, add(y_in, border)), less(y_in, mul(height, stride))))
    nest.test(both(at_most(0, x_in), less(x_in, mul(width, stride))))
    nest.test(at_most(0, add(y_in, border)))
    blocks = [div(channel, 8), y_k, x_k, mod(channel, 8)]
    nest.access(blocks, [ceil_div(channels, 8), kernel, kernel, 8])
    nest.vector(channel, 1)


def softmax(nest: Nest, sizes: list[Form]) -> None:
    """Collect from rows whose elements are one loop with them."""
    rows, columns, batch = sizes
    b = nest.loop("b", batch)
    row, column = nest.split_fused("f", [rows, columns])
    nest.access([b, row, column], [batch, rows, columns])
    nest.take(offset([row, column], [rows, columns]))
    last, begin = nest.split("r", columns)
    nest.access([b, row, last], [batch, rows, columns])
    nest.take(sub(last, begin))
    nest.test(less(begin, columns))
    nest.vector(last, 1)


def attention(nest: Nest, sizes: list[Form]) -> None:
    """Collect from heads of attention with a causal mask."""
    length, heads, depth = sizes
    head = nest.loop("h", heads)
    query, query_begin = nest.split("q", length)
    key, key_begin = nest.split("k", length)
    d, _ = nest.split("d", depth)
    nest.access([query, head, d], [length, heads, depth])
    nest.access([head, key, d], [heads, length, depth])
    nest.test(at_most(key, query))
    nest.test(at_most(key_begin, key))
    nest.test(less(sub(query, query_begin), 32))
    nest.test(less(add(query, sub(length, length)), add(query, 1)))
    flat = offset([head, query], [heads, length])
    nest.take(div(flat, length))
    nest.take(mod(flat, length))
    nest.take(add(mul(div(flat, length), length), mod(flat, length)))
    nest.vector(d, 1)


def reshape(nest: Nest, sizes: list[Form]) -> None:
    """Collect from a transposition between two shapes of as many elements."""
    rows, columns, depth = sizes
    i, j, k = nest.split_fused("f", [rows, columns, depth])
    nest.access([i, j, k], [rows, columns, depth])
    nest.access([j, k, i], [columns, depth, rows])
    flat = offset([i, j, k], [rows, columns, depth])
    nest.take(flat)
    a, b = nest.digits(flat, [rows, columns])
    nest.access([a, b], [rows, columns])
    block = nest.loop("t", 32)
    nest.take(div(add(mul(flat, 32), block), 64))
    nest.take(mod(add(mul(flat, 32), block), 64))
    nest.test(less(add(mul(flat, 32), block), mul(mul(mul(rows, columns), depth), 32)))


PROGRAMS = (matmul, convolution, softmax, attention, reshape)
SIZES: tuple[Form, ...] = (16, 24, 30, 32, 50, 64, 96, 100, "n", "n")


def _nests(draw: random.Random) -> Iterator[Nest]:
    while True:
        for program in PROGRAMS:
            nest = Nest(program.__name__, draw)
            # One symbolic size a program, so that offsets fit for all that are tried.
            sizes = [draw.choice(SIZES[:-2]) for _ in range(3)]
            if draw.random() < 0.4:
                sizes[draw.randrange(3)] = "n"
            program(nest, sizes)
            yield nest


def cases(count: int, seed: int = 0) -> list[Case]:
    """Return different expressions.

    Parameters
    ----------
    count
        How many.
    seed
        Of the sizes and tiles that are drawn.

    Returns
    -------
    list[Case]
        About as many of each program.
    """
    found: dict[str, Case] = {}
    for nest in _nests(random.Random(seed)):
        for case in nest.found:
            found.setdefault(repr((case.form, sorted(case.ranges.items(), key=str))), case)
            if len(found) == count:
                return list(found.values())
    raise AssertionError("programs end")
