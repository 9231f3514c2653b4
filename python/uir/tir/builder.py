"""The builder of statements and functions, a wrapper of the C++ builder.

In: expressions or numbers, variables or names. Out: statements and functions whose spans are the
lines of the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from uir_nodes.ir import DictAttrs, PrimExpr, StringImm
from uir_nodes.tir import (
    AllocBuffer,
    AssertStmt,
    Bind,
    Buffer,
    DeclBuffer,
    Evaluate,
    PrimFunc,
    Stmt,
    Var,
    cast,
)

from . import _ffi_api
from .buffer import decl_buffer
from .builder_branch import BranchBuilder
from .op import Operand, as_expr

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

    from tvm_ffi import dtype as DataType

    from uir_nodes.ir import Type

__all__ = ["IRBuilder", "builder"]


class IRBuilder(BranchBuilder):
    """Builder of a statement or a function, with scopes as `with` blocks.

    Inside `with tir.builder() as ib:`, an assignment `B[i] = A[i] + 1` adds a store to the builder.

    Parameters
    ----------
    spans
        Whether the span of a statement is the line of the caller.

    Examples
    --------
    >>> with builder() as ib:
    ...     n = ib.param("n", "int32")
    ...     A, B = ib.buffer_param("A", (n,)), ib.buffer_param("B", (n,))
    ...     with ib.for_range(n, "i") as i:
    ...         B[i] = A[i] + 1
    >>> func = ib.prim_func("add_one")
    """

    def __enter__(self) -> IRBuilder:
        _ffi_api.push_builder(self.node)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _ffi_api.pop_builder(self.node)

    # Functions.

    def param(
        self, name: str | Var, dtype: DataType | str = "int32", annotation: Type | None = None
    ) -> Var:
        """Add a parameter to the function.

        Parameters
        ----------
        name
            The parameter's name, or the variable itself.
        dtype
            The data type of the value.
        annotation
            A more precise type than `dtype`.

        Returns
        -------
        Var
            The parameter.
        """
        return self.node.add_param(name if isinstance(name, Var) else Var(name, dtype, annotation))

    def buffer_param(
        self,
        name: str | Buffer,
        shape: Sequence[Operand] = (),
        dtype: DataType | str = "float32",
        **options: Any,
    ) -> Buffer:
        """Add a parameter that points to a buffer.

        Parameters
        ----------
        name
            The buffer's name, or the buffer itself.
        shape
            Extent of each dimension, outermost first.
        dtype
            The data type of an element.
        **options
            Further options of `decl_buffer`: strides, offset, scope, ...

        Returns
        -------
        Buffer
            The buffer; the parameter is named `<name>_handle`.
        """
        buffer = name if isinstance(name, Buffer) else decl_buffer(shape, dtype, name, **options)
        self.node.add_buffer(buffer)
        return buffer

    def prim_func(
        self,
        name: str | None = None,
        *,
        attrs: Mapping[str, object] | DictAttrs | None = None,
        ret_type: Type | None = None,
    ) -> PrimFunc:
        """Return the function that has been built.

        Parameters
        ----------
        name
            The symbol that the function exports; None for a private function.
        attrs
            Further attributes, by name.
        ret_type
            The type of the result; None for no result.

        Returns
        -------
        PrimFunc
            The function.

        Raises
        ------
        ValueError
            If a scope is open; the message shows where it was entered.
        """
        given = dict(attrs.items()) if attrs is not None else {}
        if name is not None:
            given["global_symbol"] = name
        return self.node.make_func(DictAttrs(given), ret_type, self._span())

    def get(self) -> Stmt:
        """Return the statement that has been built, without a function.

        Returns
        -------
        Stmt
            The statement.

        Raises
        ------
        ValueError
            If a scope is open; the message shows where it was entered.
        """
        return self.node.body()

    # Statements.

    def emit(self, stmt: Stmt | PrimExpr) -> None:
        """Add a statement, or an expression to evaluate for its effect.

        Parameters
        ----------
        stmt
            The statement or the expression.
        """
        self.node.emit(stmt if isinstance(stmt, Stmt) else Evaluate(stmt, span=self._span()))

    def store(
        self,
        buffer: Buffer,
        indices: Sequence[Operand] | Operand,
        value: Operand,
        predicate: PrimExpr | None = None,
    ) -> None:
        """Add a store to a buffer; the value is converted to the buffer's data type.

        Parameters
        ----------
        buffer
            The buffer.
        indices
            One integer for each dimension; only the last one may be a vector.
        value
            The value to store.
        predicate
            The mask of lanes to write; None for all.
        """
        given = indices if isinstance(indices, Sequence) else (indices,)
        at = [as_expr(index) for index in given]
        stored = value if isinstance(value, PrimExpr) else cast(value, buffer.dtype)
        self.node.store(buffer, at, stored, predicate, self._span())

    def bind(self, name: str | Var, value: Operand) -> Var:
        """Bind a variable in the following statements of the scope.

        Parameters
        ----------
        name
            The variable's name, or the variable itself.
        value
            Its value.

        Returns
        -------
        Var
            The variable.
        """
        bound = as_expr(value)
        var = name if isinstance(name, Var) else Var(name, bound.dtype)
        self.node.emit(Bind(var, bound, span=self._span()))
        return var

    let = bind

    def allocate(
        self,
        shape: Sequence[Operand] | Buffer,
        dtype: DataType | str = "float32",
        name: str = "buffer",
        scope: str = "global",
        *,
        annotations: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Buffer:
        """Allocate a buffer for the following statements of the scope.

        Parameters
        ----------
        shape
            Extent of each dimension, or the buffer itself.
        dtype
            The data type of an element.
        name
            The name of the buffer.
        scope
            The storage scope.
        annotations
            Hints for later passes, by name.
        **options
            Further options of `decl_buffer`.

        Returns
        -------
        Buffer
            The buffer.
        """
        if isinstance(shape, Buffer):
            buffer = shape
        else:
            buffer = decl_buffer(shape, dtype, name, scope=scope, **options)
        self.node.emit(AllocBuffer(buffer, annotations or {}, span=self._span()))
        return buffer

    def decl_buffer(
        self,
        shape: Sequence[Operand] | Buffer,
        dtype: DataType | str = "float32",
        name: str = "buffer",
        **options: Any,
    ) -> Buffer:
        """Declare a buffer over existing memory for the following statements.

        Parameters
        ----------
        shape
            Extent of each dimension, or the buffer itself.
        dtype
            The data type of an element.
        name
            The name of the buffer.
        **options
            Further options of `decl_buffer`, such as `data`, the data pointer.

        Returns
        -------
        Buffer
            The buffer.
        """
        buffer = shape if isinstance(shape, Buffer) else decl_buffer(shape, dtype, name, **options)
        self.node.emit(DeclBuffer(buffer, span=self._span()))
        return buffer

    def assert_(
        self, condition: Operand, *message: str | PrimExpr, kind: str = "RuntimeError"
    ) -> None:
        """Assert a condition at run time.

        Parameters
        ----------
        condition
            A scalar boolean that must hold.
        *message
            The message, in parts: strings, and scalar integers whose values are written.
        kind
            The kind of the error.
        """
        parts = [StringImm(part) if isinstance(part, str) else part for part in message]
        stmt = AssertStmt(StringImm(kind), as_expr(condition), parts, span=self._span())
        self.node.emit(stmt)

    def ret(self, value: Operand) -> None:
        """Return a value from the enclosing function.

        Parameters
        ----------
        value
            The value.
        """
        self.emit(_ffi_api.call_intrin("void", "tir.ret", [as_expr(value)]))


builder = IRBuilder
"""Make a builder: `with tir.builder() as ib:`."""
