"""The scopes of a builder that are no loops: branches, notes and blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from uir_nodes.ir import StringImm
from uir_nodes.tir import IterVar, Var

from .builder_loop import LoopBuilder
from .builder_scope import Scope
from .op import Operand, as_expr

if TYPE_CHECKING:
    from typing import Any

    from uir_nodes.tir import BufferRegion

__all__ = ["BranchBuilder"]


class BranchBuilder(LoopBuilder):
    """The part of a builder that enters branches, notes and blocks.

    Parameters
    ----------
    spans
        Whether statements say which line of the caller made them.
    """

    def if_scope(self, condition: Operand) -> Scope[None]:
        """Enter what is run where a condition holds.

        Parameters
        ----------
        condition
            A scalar boolean.

        Returns
        -------
        Scope[None]
            The scope, for `with`.
        """
        span, test = self._span(), as_expr(condition)
        return Scope(self.node, lambda: self.node.enter_if(test, span), None)

    def else_scope(self) -> Scope[None]:
        """Enter what is run where the condition of the `if_scope` just left does not hold.

        Returns
        -------
        Scope[None]
            The scope, for `with`.
        """
        span = self._span()
        return Scope(self.node, lambda: self.node.enter_else(span), None)

    def attr(self, node: Any, key: str, value: Operand | str) -> Scope[None]:
        """Enter the statements that a note holds in.

        Parameters
        ----------
        node
            What the note is about, such as a variable; None where it is about the statements.
        key
            The note's name.
        value
            The note's value.

        Returns
        -------
        Scope[None]
            The scope, for `with`.
        """
        span = self._span()
        note = StringImm(value) if isinstance(value, str) else as_expr(value)
        return Scope(self.node, lambda: self.node.enter_attr(node, key, note, span), None)

    def block(
        self,
        name: str,
        iters: Sequence[tuple[IterVar, Operand]] = (),
        *,
        reads: Sequence[BufferRegion] = (),
        writes: Sequence[BufferRegion] = (),
        predicate: Operand = True,
        annotations: Mapping[str, Any] | None = None,
    ) -> Scope[tuple[Var, ...]]:
        """Enter the body of a block.

        Parameters
        ----------
        name
            What schedules and printers call it.
        iters
            The iterations of the block, each with its value.
        reads
            What the block reads.
        writes
            What the block writes.
        predicate
            Where it does not hold the block is not run.
        annotations
            Hints for later passes, by name.

        Returns
        -------
        Scope[tuple[Var, ...]]
            The scope, for `with`: the variables of the iterations.
        """
        span, test = self._span(), as_expr(predicate)
        axes = [axis for axis, _ in iters]
        values = [as_expr(value, axis.var) for axis, value in iters]
        return Scope(
            self.node,
            lambda: self.node.enter_block(
                name, axes, values, reads, writes, test, annotations, span
            ),
            tuple(axis.var for axis in axes),
        )

    def init(self) -> Scope[None]:
        """Enter what the innermost block does before the first iteration of its reduction.

        Returns
        -------
        Scope[None]
            The scope, for `with`.
        """
        span = self._span()
        return Scope(self.node, lambda: self.node.enter_init(span), None)
