"""Rewriting of high-level functions, binding by binding.

A rewritten value is made by its constructor, which infers its type. If the type of a binding
changes, a new variable replaces the old one in all that follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvm_ffi import Object

from uir_nodes.ir import RelayExpr, Type
from uir_nodes.relay import (
    Binding,
    Block,
    Call,
    Constant,
    Function,
    RelayExprMutator,
    Tuple,
    TupleGetItem,
    Var,
    While,
)

from ..ir import structural_equal

__all__ = ["BindingRewriter"]

_WITH_OPERANDS = (Call, Tuple, TupleGetItem)


class BindingRewriter(RelayExprMutator):
    """Rewrites the bindings of high-level functions: each to none, one or several.

    Override `rewrite_binding`, or the method for a type of value (`visit_call`). Values are visited
    with the replacements of their variables, and a part that several share once; branches of an
    `If` and bodies of loops are blocks of their own.

    Examples
    --------
    >>> class DropCopies(BindingRewriter):
    ...     def rewrite_binding(self, binding):
    ...         if isinstance(binding.value, relay.Var):
    ...             self.replace(binding.var, self.visit(binding.value))
    ...         else:
    ...             super().rewrite_binding(binding)
    """

    def __init__(self) -> None:
        self._emitted: list[Binding] = []
        self._rewritten: dict[RelayExpr, RelayExpr] = {}

    def visit(self, node: Object, /) -> Any:
        """Return the rewritten node; a part that values of a block share is rewritten once.

        Parameters
        ----------
        node
            A value, or another node.

        Returns
        -------
        Object
            The rewritten node, the node itself if nothing changes.
        """
        if not isinstance(node, _WITH_OPERANDS):
            return super().visit(node)
        known = self._rewritten.get(node)
        if known is None:
            known = self._rewritten[node] = super().visit(node)
        return known

    def run(self, func: Function) -> Function:
        """Return the function with a rewritten body; the function itself if nothing changes.

        If the type of the result changes, so does that of the function.

        Parameters
        ----------
        func
            The function, which is not changed.

        Returns
        -------
        Function
            The rewritten function.
        """
        body = self.visit_block(func.body)
        if body.same_as(func.body):
            return func
        ret_type = _result_type(func, body)
        return Function(func.params, body, ret_type, attrs=func.attrs, span=func.span)

    def rewrite_binding(self, binding: Binding) -> None:
        """Rewrite a binding: emit none, one or several. The default rewrites the value.

        Parameters
        ----------
        binding
            The binding.
        """
        self.emit(binding, self.visit(binding.value))

    def rewrite_result(self, result: RelayExpr) -> RelayExpr:
        """Return the value of a block; the default rewrites it.

        Parameters
        ----------
        result
            The value before.

        Returns
        -------
        RelayExpr
            The value after.
        """
        visited: RelayExpr = self.visit(result)
        return visited

    def emit(self, binding: Binding, value: RelayExpr) -> None:
        """Emit a binding of a variable to a value.

        If the type of the value is not that of the variable, a new variable is bound, and replaces
        it.

        Parameters
        ----------
        binding
            The binding that this one comes from: itself is emitted if nothing changed.
        value
            The value.
        """
        var = binding.var
        if _has_type_of(var, value):
            is_same = value.same_as(binding.value)
            self._emitted.append(binding if is_same else Binding(var, value, span=binding.span))
            return
        new_var = Var(var.name, value.checked_type, span=var.span)
        self._emitted.append(Binding(new_var, value, span=binding.span))
        self.replace(var, new_var)

    def emit_new(self, value: RelayExpr, name: str) -> Var:
        """Emit a binding of a new variable; return the variable.

        Parameters
        ----------
        value
            The value.
        name
            The name of the variable.

        Returns
        -------
        Var
            The variable, of the type of the value.
        """
        var = Var(name, value.checked_type, span=value.span)
        self._emitted.append(Binding(var, value, span=value.span))
        return var

    def replace(self, var: Var, by: RelayExpr) -> None:
        """Replace all later uses of a variable.

        Parameters
        ----------
        var
            The variable.
        by
            What replaces it.
        """
        self._replacements[var] = by
        self._rewritten.clear()

    def use_of(self, var: Var) -> RelayExpr:
        """Return the current replacement of a variable, or the variable.

        Parameters
        ----------
        var
            The variable.

        Returns
        -------
        RelayExpr
            Its replacement from here on.
        """
        by: RelayExpr = self.replaced(var)
        return by

    def visit_var(self, node: Var, /) -> RelayExpr:
        """Return the current replacement of a variable, or the variable."""
        return self.use_of(node)

    def visit_constant(self, node: Constant, /) -> RelayExpr:
        """Return the constant."""
        return node

    def visit_function(self, node: Function, /) -> RelayExpr:
        """Rewrite the body of a function."""
        return self.run(node)

    def visit_while(self, node: While, /) -> RelayExpr:
        """Rewrite a loop; its variables get the types of the new initial values."""
        condition = self.visit(node.condition)
        initial: Any = self.visit_array(old_initial := node.initial)
        params = [
            self._param_for(var, value) for var, value in zip(node.params, initial, strict=True)
        ]
        body = self.visit(node.body)
        is_same = condition.same_as(node.condition) and body.same_as(node.body)
        if is_same and initial is old_initial and _are_same(params, node.params):
            return node
        return While(params, condition, initial, body, span=node.span)

    def _param_for(self, var: Var, value: RelayExpr) -> Var:
        if _has_type_of(var, value):
            return var
        new_var = Var(var.name, value.checked_type, span=var.span)
        self.replace(var, new_var)
        return new_var

    def visit_block(self, node: Block, /) -> Any:
        """Rewrite each binding, and then the result."""
        outer, self._emitted = self._emitted, []
        # The variables of a branch or of a loop are not in scope outside of it.
        outer_rewritten, self._rewritten = self._rewritten, {}
        try:
            for binding in node.bindings:
                self.rewrite_binding(binding)
            result = self.rewrite_result(node.result)
            bindings = self._emitted
        finally:
            self._emitted = outer
            self._rewritten = outer_rewritten
        if result.same_as(node.result) and _are_same(bindings, node.bindings):
            return node
        return Block(bindings, result)


def _result_type(func: Function, body: Block) -> Type | None:
    """Return the type of a function's result: that of the new body, if the old one had another."""
    before, after = func.body.result.checked_type, body.result.checked_type
    is_changed = before is not None and after is not None and not structural_equal(before, after)
    return after if is_changed else func.ret_type


def _has_type_of(var: Var, value: RelayExpr) -> bool:
    """Return whether a variable may replace a value: its type is that of the value."""
    if value.checked_type is None:
        return True
    return var.type_annotation is not None and structural_equal(
        value.checked_type, var.type_annotation
    )


def _are_same(emitted: Sequence[Object], before: Any) -> bool:
    """Return whether bindings or variables are those of before, one for one."""
    return len(emitted) == len(before) and all(
        one.same_as(other) for one, other in zip(emitted, before, strict=True)
    )
