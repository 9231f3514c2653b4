"""The rows about a compiled program: its functions, kernels, constants and memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tschema.runtime import map as mapped
from uir_nodes.arith import Analyzer
from uir_nodes.ir import IntImm, PrimExpr, TensorType
from uir_nodes.tir import SizeVar

from ..relay.type_text import type_text
from .program_facts import FunctionMemory, ProgramFacts
from .table import size_text

__all__ = ["summary"]

# Longer expressions of dimensions are shown for an example.
LONGEST = 24

# The sizes of an example: of first axes, of those of images, and of others.
ROWS, PIXELS, ELEMENTS = 1, 224, 128


class Example:
    """Sizes of the symbolic dimensions of functions, for which the rows show expressions.

    Parameters
    ----------
    types
        The types of the inputs.
    """

    def __init__(self, types: Iterable[object]) -> None:
        self.sizes: dict[str, int] = {}
        for type in types:
            shape = type.shape if isinstance(type, TensorType) else ()
            for axis, dim in enumerate(shape):
                if isinstance(dim, SizeVar):
                    size = ROWS if axis == 0 else PIXELS if len(shape) > 3 else ELEMENTS
                    self.sizes.setdefault(str(dim.name), size)

    def __str__(self) -> str:
        """Return the sizes as text."""
        return ", ".join(f"{name} = {size}" for name, size in self.sizes.items())

    def text_of(self, *exprs: object) -> str:
        """Return the sizes that occur in expressions, as text."""
        used: set[str] = set()

        def note(node: object) -> None:
            if isinstance(node, SizeVar):
                used.add(str(node.name))

        for expr in exprs:
            mapped(expr, note)
        return ", ".join(f"{name} = {size}" for name, size in self.sizes.items() if name in used)

    def value(self, expr: object) -> int | None:
        """Return an expression of sizes for the example; None if it has other variables."""
        if not isinstance(expr, PrimExpr):
            return expr if isinstance(expr, int) else None
        found = Analyzer().simplify(mapped(expr, self._size))
        return int(found.value) if isinstance(found, IntImm) else None

    def _size(self, node: object) -> PrimExpr | None:
        if not isinstance(node, SizeVar) or str(node.name) not in self.sizes:
            return None
        return IntImm(node.dtype, self.sizes[str(node.name)])

    def type_text(self, type: object) -> str:
        """Return a type; one whose dimensions are long expressions has those of the example."""
        if not isinstance(type, TensorType):
            return type_text(type)
        if all(len(str(dim)) <= LONGEST for dim in type.shape):
            return type_text(type)
        values = [self.value(dim) for dim in type.shape]
        shape = ", ".join("?" if one is None else str(one) for one in values)
        return f"{type.dtype} ({shape}) for {self}"

    def bytes_text(self, count: object) -> str:
        """Return a number of bytes, which may depend on symbolic dimensions."""
        value = self.value(getattr(count, "value", count))
        return f"({count}) B" if value is None else size_text(value)


def summary(facts: ProgramFacts, sizes: Mapping[str, Sequence[int]]) -> Iterator[tuple[str, str]]:
    """Yield the rows about a program, with the sizes of dimensions that have code of their own."""
    example = Example(one.type for func in facts.functions for one in func.inputs)
    for func in facts.functions:
        yield "function", func.name
        for given in func.inputs:
            yield "  input", f"{given.name}: {type_text(given.type)}"
        for result in func.outputs:
            text = example.type_text(result.type)
            yield "  output", f"{result.name}: {text}" if result.name else text
    yield from kernels(facts, example, sizes)
    yield "constants", f"{facts.constants}, {size_text(facts.constant_bytes)}"
    yield from memory(facts.memory, example)


def kernels(
    facts: ProgramFacts, example: Example, sizes: Mapping[str, Sequence[int]]
) -> Iterator[tuple[str, str]]:
    """Yield the rows about the kernels, and about those whose sizes vary."""
    if not facts.varying_kernels or not example.sizes:
        yield "kernels", str(facts.kernels)
        return
    names = ", ".join(example.sizes)
    yield "kernels", f"{facts.kernels}, {facts.varying_kernels} of which take any {names}"
    rest = [name for name in example.sizes if name not in sizes]
    if rest:
        options = f"`--dim {rest[-1]}=N` or `--dim {rest[-1]}=N,N,...`"
        yield "sizes", f"code that knows them is faster: {options}"
        return
    known = "; ".join(f"{name} = {', '.join(map(str, sizes[name]))}" for name in example.sizes)
    yield "sizes", f"code of their own: {known}; the code for others is slower"


def memory(found: Sequence[FunctionMemory], example: Example) -> Iterator[tuple[str, str]]:
    """Yield the rows about the memory of functions, with their names if there are several."""
    for place, one in enumerate(found):
        arena, live = example.bytes_text(one.arena), example.bytes_text(one.live)
        text = f"{arena} of one call, at least {live} are in use at once"
        sizes = example.text_of(one.arena, one.live)
        text += f", for {sizes}" if sizes else ""
        yield "" if place else "memory", text if len(found) == 1 else f"{one.function}: {text}"
