"""The lines of script that come from each operator of a model.

In: a module after each pass, in order. Out: numbers of lines with the operators they come from. An
operator is a node or a line of the source that a binding of relay was made from. Its kernels are
found through the calls of the bindings, so that functions on buffers need no source of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tvm_ffi import Object

from tschema.runtime import WalkAction, walk
from uir_nodes.ir import BaseFunc, GlobalVar, IRModule, Span
from uir_nodes.relay import Binding, Block, Call, Function, If, While
from uir_nodes.tir import Call as PrimCall
from uir_nodes.tir import Evaluate, PrimFunc

from ...ir.source_text import source_text
from .script_text import line_ranges

__all__ = ["OperatorLines"]


@dataclass
class _Found:
    """The places of one version, and the operators that call each function."""

    places: list[tuple[Object, set[int]]] = field(default_factory=list)
    callers: dict[str, set[int]] = field(default_factory=dict)


class OperatorLines:
    """
    Follows the operators of a model through the versions of its module.

    Attributes
    ----------
    names
        The operators, in the order in which they were first seen.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        # What earlier versions told: the operators of kernels, and of the bindings that call them.
        self._kernels: dict[str, set[int]] = {}
        self._calls: dict[tuple[int, str], set[int]] = {}
        self._entries: set[str] = set()

    def of(self, module: IRModule) -> list[list[int]]:
        """Find the operators of the next version.

        Parameters
        ----------
        module
            The module.

        Returns
        -------
        list[list[int]]
            For each place its first and last line, 1-based, in the script without metadata, and
            the numbers of its operators in `names`.
        """
        functions = {str(var.name_hint): func for var, func in module.functions.items()}
        found = _Found()
        inside = self._take_bindings(functions, found)
        if not self.names:
            return []
        prims = {name: func for name, func in functions.items() if isinstance(func, PrimFunc)}
        self._take_statements(prims, found)
        for name, operators in found.callers.items():
            self._kernels.setdefault(name, set()).update(operators, inside.get(name, ()))
        self._take_helpers(prims)
        for name, func in prims.items():
            if self._kernels.get(name):
                found.places.append((func, self._kernels[name]))
        ranges = line_ranges(module, [node for node, _ in found.places])
        return [
            [*lines, *sorted(operators)]
            for lines, (_, operators) in zip(ranges, found.places, strict=True)
            if lines
        ]

    def _take_bindings(self, functions: dict[str, BaseFunc], found: _Found) -> dict[str, set[int]]:
        """Add the bindings of functions on tensors; return the operators in each function."""
        inside: dict[str, set[int]] = {}
        bindings: list[tuple[Binding, set[int]]] = []
        for name, func in functions.items():
            if isinstance(func, Function):
                own = [(one, self._operators(one)) for one in _bindings(func.body)]
                inside[name] = set[int]().union(*(operators for _, operators in own))
                bindings += own
        for binding, operators in bindings:
            callee = _callee(binding)
            if callee is not None and operators:
                call = (min(operators), str(binding.var.name))
                operators = (
                    self._calls.setdefault(call, set()) | operators | inside.get(callee, set())
                )
                self._calls[call] = operators
                found.callers.setdefault(callee, set()).update(operators)
            if operators:
                found.places.append((binding, operators))
        return inside

    def _take_statements(self, prims: dict[str, PrimFunc], found: _Found) -> None:
        """Add the calls of kernels, which the entry function has."""
        for name, func in prims.items():
            if name in self._kernels or name in found.callers:
                continue
            for statement, callee in _calls_of(func):
                operators = self._known(statement.span)
                if operators:
                    found.callers.setdefault(callee, set()).update(operators)
                    found.places.append((statement, operators | self._kernels.get(callee, set())))

    def _take_helpers(self, prims: dict[str, PrimFunc]) -> None:
        """Give functions that passes moved out of kernels, such as parallel loops, operators."""
        new = {name for name in prims if name not in self._kernels and name not in self._entries}
        for name in [name for name in prims if new and name in self._kernels]:
            for _, callee in _calls_of(prims[name]):
                if callee in new:
                    self._kernels.setdefault(callee, set()).update(self._kernels[name])
        self._entries |= new - set(self._kernels)

    def _operators(self, binding: Binding) -> set[int]:
        """Return the operator of a binding, numbered if it is new."""
        text = source_text(binding.value.span or binding.span)
        if not text:
            return set()
        number = self._numbers.setdefault(text, len(self.names))
        if number == len(self.names):
            self.names.append(text)
        return {number}

    def _known(self, span: Span | None) -> set[int]:
        number = self._numbers.get(source_text(span))
        return set() if number is None else {number}


def _bindings(block: Block) -> Iterator[Binding]:
    """Yield the bindings of a block, those in branches and loops too."""
    waiting = [block]
    while waiting:
        for binding in waiting.pop().bindings:
            yield binding
            value = binding.value
            if isinstance(value, If):
                waiting += [value.true_branch, value.false_branch]
            elif isinstance(value, While):
                waiting.append(value.body)


def _callee(binding: Binding) -> str | None:
    """Return the function of the module that a binding calls, or passes to an operator."""
    value = binding.value
    if not isinstance(value, Call):
        return None
    for one in (value.op, *value.args[:1]):
        if isinstance(one, GlobalVar):
            return str(one.name_hint)
    return None


def _calls_of(func: PrimFunc) -> list[tuple[Evaluate, str]]:
    """Return the statements of a function that call others, and their names."""
    found: list[tuple[Evaluate, str]] = []
    statements: list[Evaluate] = []

    def visit(node: object) -> WalkAction | None:
        if isinstance(node, Evaluate):
            statements.append(node)
        elif isinstance(node, PrimCall) and isinstance(node.op, GlobalVar) and statements:
            found.append((statements[-1], str(node.op.name_hint)))
        return None

    walk(func.body, visit)
    return found
