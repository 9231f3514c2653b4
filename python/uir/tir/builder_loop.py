"""The loops of a builder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from uir_nodes.ir import PrimExpr
from uir_nodes.tir import Builder, ForKind, IterVar, IterVarType, Var, cast

from .builder_scope import Scope, caller_span
from .op import Operand, as_expr

if TYPE_CHECKING:
    from tvm_ffi import dtype as DataType

    from uir_nodes.ir import Span
    from uir_nodes.tir import BuilderScope

__all__ = ["LoopBuilder"]


class LoopBuilder:
    """The part of a builder that enters loops.

    Parameters
    ----------
    spans
        Whether the span of a statement is the line of the caller.
    """

    def __init__(self, spans: bool = True) -> None:
        self.node = Builder()
        self._spans = spans

    def _span(self, depth: int = 3) -> Span | None:
        """Return the location of the caller of the calling method."""
        return caller_span(depth) if self._spans else None

    def for_range(
        self,
        begin: Operand,
        end: Operand | None = None,
        name: str = "i",
        *,
        kind: ForKind = ForKind.SERIAL,
        step: Operand | None = None,
        dtype: DataType | str | None = None,
        annotations: Mapping[str, object] | None = None,
    ) -> Scope[Var]:
        """Enter a loop from `begin` to `end`, or from 0 to `begin` without `end`.

        Parameters
        ----------
        begin
            The first value, or the number of values.
        end
            The exclusive upper bound.
        name
            The name of the loop variable.
        kind
            The execution of the iterations.
        step
            The step between values; None for 1.
        dtype
            The data type of the variable; None for that of the bounds.
        annotations
            Hints for later passes, by name.

        Returns
        -------
        Scope[Var]
            The scope, for `with`: the variable of the loop.
        """
        return self._loop(begin, end, name, kind, step, dtype, annotations, None)

    def serial(self, begin: Operand, end: Operand | None = None, name: str = "i") -> Scope[Var]:
        """Enter a serial loop.

        Parameters
        ----------
        begin
            The first value, or the number of values.
        end
            The exclusive upper bound.
        name
            The name of the loop variable.

        Returns
        -------
        Scope[Var]
            The scope, for `with`: the variable of the loop.
        """
        return self._loop(begin, end, name, ForKind.SERIAL, None, None, None, None)

    def parallel(self, begin: Operand, end: Operand | None = None, name: str = "i") -> Scope[Var]:
        """Enter a parallel loop over the threads of a pool.

        Parameters
        ----------
        begin
            The first value, or the number of values.
        end
            The exclusive upper bound.
        name
            The name of the loop variable.

        Returns
        -------
        Scope[Var]
            The scope, for `with`: the variable of the loop.
        """
        return self._loop(begin, end, name, ForKind.PARALLEL, None, None, None, None)

    def vectorized(self, begin: Operand, end: Operand | None = None, name: str = "i") -> Scope[Var]:
        """Enter a vectorized loop.

        Parameters
        ----------
        begin
            The first value, or the number of values.
        end
            The exclusive upper bound.
        name
            The name of the loop variable.

        Returns
        -------
        Scope[Var]
            The scope, for `with`: the variable of the loop.
        """
        return self._loop(begin, end, name, ForKind.VECTORIZED, None, None, None, None)

    def unrolled(self, begin: Operand, end: Operand | None = None, name: str = "i") -> Scope[Var]:
        """Enter an unrolled loop.

        Parameters
        ----------
        begin
            The first value, or the number of values.
        end
            The exclusive upper bound.
        name
            The name of the loop variable.

        Returns
        -------
        Scope[Var]
            The scope, for `with`: the variable of the loop.
        """
        return self._loop(begin, end, name, ForKind.UNROLLED, None, None, None, None)

    def thread_binding(self, extent: Operand, thread_tag: str, name: str = "") -> Scope[Var]:
        """Enter a loop over the threads of a launch.

        Parameters
        ----------
        extent
            The number of threads.
        thread_tag
            The thread index, such as `threadIdx.x`.
        name
            The name of the variable; empty for the tag.

        Returns
        -------
        Scope[Var]
            The scope, for `with`: the variable of the loop.
        """
        kind = ForKind.THREAD_BINDING
        shown = name or thread_tag.replace(".", "_")
        return self._loop(extent, None, shown, kind, None, None, None, thread_tag)

    def while_loop(self, condition: Operand) -> Scope[None]:
        """Enter a while loop.

        Parameters
        ----------
        condition
            A scalar boolean, evaluated before each iteration.

        Returns
        -------
        Scope[None]
            The scope, for `with`.
        """
        span, test = self._span(), as_expr(condition)
        return Scope(self.node, lambda: self.node.enter_while(test, span), None)

    def _loop(
        self,
        begin: Operand,
        end: Operand | None,
        name: str,
        kind: ForKind,
        step: Operand | None,
        dtype: DataType | str | None,
        annotations: Mapping[str, object] | None,
        thread_tag: str | None,
    ) -> Scope[Var]:
        first, last = (0, begin) if end is None else (begin, end)
        bounds = [bound for bound in (last, first) if isinstance(bound, PrimExpr)]
        common = dtype or (bounds[0].dtype if bounds else "int32")
        low, high = cast(first, common), cast(last, common)
        by = None if step is None else cast(step, common)
        span = self._span(4)
        var = Var(name, common, span=span)
        thread = None
        if thread_tag is not None:
            thread = IterVar(Var("", common), None, IterVarType.THREAD_INDEX, thread_tag)

        def enter() -> BuilderScope:
            extent = high - low
            return self.node.enter_for(var, low, extent, kind, thread, annotations, by, span)

        return Scope(self.node, enter, var)
