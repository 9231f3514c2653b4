"""The scopes of a builder for branches, attributes and blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from uir_nodes.ir import StringImm
from uir_nodes.tir import IterVar, Var

from .builder_loop import LoopBuilder
from .builder_scope import Scope
from .op import Operand, as_expr

if TYPE_CHECKING:
    from uir_nodes.tir import BufferRegion

__all__ = ["BranchBuilder"]


class BranchBuilder(LoopBuilder):
    """The part of a builder that enters branches, attributes and blocks.

    Parameters
    ----------
    spans
        Whether the span of a statement is the line of the caller.
    """

    def if_scope(self, condition: Operand) -> Scope[None]:
        """Enter the then-branch of a conditional.

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
        """Enter the else-branch of the `if_scope` that was just left.

        Returns
        -------
        Scope[None]
            The scope, for `with`.
        """
        span = self._span()
        return Scope(self.node, lambda: self.node.enter_else(span), None)

    def attr(self, node: object, key: str, value: Operand | str) -> Scope[None]:
        """Enter the body of an attribute statement.

        Parameters
        ----------
        node
            The object that the attribute describes, such as a variable; None for the body itself.
        key
            The attribute's name.
        value
            The attribute's value.

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
        annotations: Mapping[str, object] | None = None,
    ) -> Scope[tuple[Var, ...]]:
        """Enter the body of a block.

        Parameters
        ----------
        name
            The name that schedules and printers use.
        iters
            The iteration variables of the block, each with its value.
        reads
            The regions that the block reads.
        writes
            The regions that the block writes.
        predicate
            A scalar boolean: the block runs only if it holds.
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
        """Enter the initialization of the innermost block's reduction.

        Returns
        -------
        Scope[None]
            The scope, for `with`.
        """
        span = self._span()
        return Scope(self.node, lambda: self.node.enter_init(span), None)
