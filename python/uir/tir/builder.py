"""Building statements and functions step by step, over the builder in C++.

In: numbers where expressions are meant, names where variables are.  Out: statements and functions
whose spans are the lines of the caller.
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
)

from . import _ffi_api
from .buffer import decl_buffer
from .builder_branch import BranchBuilder
from .op import Operand, as_expr, cast

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

    from tvm_ffi import dtype as DataType

    from uir_nodes.ir import Type

__all__ = ["IRBuilder", "builder"]


class IRBuilder(BranchBuilder):
    """Builder of a statement or a function: scopes are `with` blocks, the rest are calls.

    Within `with tir.builder() as ib:`, a write `B[i] = A[i] + 1` goes to the builder too.

    Parameters
    ----------
    spans
        Whether statements say which line of the caller made them.

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
            A type that says more than `dtype` does.

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
        """Add a parameter to the function that points to a buffer.

        Parameters
        ----------
        name
            The buffer's name, or the buffer itself.
        shape
            Extent of each dimension, outermost first.
        dtype
            The data type of an element.
        **options
            What else `decl_buffer` takes: strides, offset, scope and so on.

        Returns
        -------
        Buffer
            The buffer; the parameter is called `<name>_handle`.
        """
        buffer = name if isinstance(name, Buffer) else decl_buffer(shape, dtype, name, **options)
        self.node.add_buffer(buffer)
        return buffer

    def prim_func(
        self,
        name: str | None = None,
        *,
        attrs: Mapping[str, Any] | DictAttrs | None = None,
        ret_type: Type | None = None,
    ) -> PrimFunc:
        """Return the function that has been built.

        Parameters
        ----------
        name
            The symbol that the function exports; None for a private function.
        attrs
            What else is known about it.
        ret_type
            The type of the result; None for no result.

        Returns
        -------
        PrimFunc
            The function.

        Raises
        ------
        ValueError
            If a scope is open still; the message says where it was entered.
        """
        given = dict(attrs.items()) if attrs is not None else {}
        if name is not None:
            given["global_symbol"] = name
        return self.node.make_func(DictAttrs(given), ret_type, self._span())

    def get(self) -> Stmt:
        """Return what has been built, without a function around it.

        Returns
        -------
        Stmt
            The statement.

        Raises
        ------
        ValueError
            If a scope is open still; the message says where it was entered.
        """
        return self.node.body()

    # Statements.

    def emit(self, stmt: Stmt | PrimExpr) -> None:
        """Add a statement, or an expression that is computed for its effect.

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
        """Add a write to a buffer; the value is converted to its data type.

        Parameters
        ----------
        buffer
            The buffer.
        indices
            One integer for each dimension; the last one alone may be a vector.
        value
            What to write.
        predicate
            Which lanes to write; None for all.
        """
        given = indices if isinstance(indices, Sequence) else (indices,)
        at = [as_expr(index) for index in given]
        stored = value if isinstance(value, PrimExpr) else cast(value, buffer.dtype)
        self.node.store(buffer, at, stored, predicate, self._span())

    def bind(self, name: str | Var, value: Operand) -> Var:
        """Bind a variable for the statements that follow in the scope.

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
        """Allocate a buffer for the statements that follow in the scope.

        Parameters
        ----------
        shape
            Extent of each dimension, or the buffer itself.
        dtype
            The data type of an element.
        name
            What printers call the buffer.
        scope
            The memory that it lies in.
        annotations
            Hints for later passes, by name.
        **options
            What else `decl_buffer` takes.

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
        """Declare a buffer in memory that exists already, for the statements that follow.

        Parameters
        ----------
        shape
            Extent of each dimension, or the buffer itself.
        dtype
            The data type of an element.
        name
            What printers call the buffer.
        **options
            What else `decl_buffer` takes; `data` is the address.

        Returns
        -------
        Buffer
            The buffer.
        """
        buffer = shape if isinstance(shape, Buffer) else decl_buffer(shape, dtype, name, **options)
        self.node.emit(DeclBuffer(buffer, span=self._span()))
        return buffer

    def assert_(self, condition: Operand, *message: str, kind: str = "RuntimeError") -> None:
        """Check a condition at run time.

        Parameters
        ----------
        condition
            A scalar boolean that must hold.
        *message
            The message, in parts.
        kind
            The kind of the error.
        """
        parts = [StringImm(part) for part in message]
        stmt = AssertStmt(StringImm(kind), as_expr(condition), parts, span=self._span())
        self.node.emit(stmt)

    def ret(self, value: Operand) -> None:
        """Leave the function with a value.

        Parameters
        ----------
        value
            The value.
        """
        self.emit(_ffi_api.call_intrin("void", "tir.ret", [as_expr(value)]))


builder = IRBuilder
"""Make a builder: `with tir.builder() as ib:`."""
