"""The builder of statements and functions, with nested scopes."""

# Long because it documents the fifteen methods of one class.

from schema.ir.attrs import DictAttrsNode
from schema.ir.expr import PrimExprNode
from schema.ir.span import SpanNode
from schema.ir.types import TypeNode
from schema.tir.buffer import BufferNode, BufferRegionNode
from schema.tir.function import PrimFuncNode
from schema.tir.reduce import IterVarNode
from schema.tir.stmt import ForKind, StmtNode
from schema.tir.var import VarNode
from tschema import Object, declare, field, function, method, ty


@declare
class BuilderScopeNode(Object):
    """
    Open scope of a builder, which collects statements until it is left.

    See Also
    --------
    BuilderScope
    Builder

    Attributes
    ----------
    name
        The scope's name in messages, such as `for i`.
    close
        Makes the statement of the scope from its body: `(BuilderScope, Stmt) -> Stmt`.
    span
        Source location where the scope was entered.
    stmts
        The statements added so far.
    init
        The initialization of a block's reduction.
    replaces
        The statement that the scope's statement replaces: an `if` without `else`.
    """

    type_key = "uir.tir.BuilderScope"
    structural = None
    mutable = True
    name: ty.String
    close: ty.Function = field(repr=False)
    span: ty.Optional[SpanNode] = field(default=None, repr=False)
    stmts: ty.Array[StmtNode] = field(default_factory=list, init=False)
    init: ty.Optional[StmtNode] = field(default=None, init=False)
    replaces: ty.Optional[StmtNode] = field(default=None, init=False)


@declare
class BuilderNode(Object):
    """
    Builder of a statement or a function.

    Scopes nest, and statements go to the innermost one. If a scope is not left in order, the
    error shows the open scope and its entry.

    See Also
    --------
    Builder
    PrimFunc

    Attributes
    ----------
    stmts
        The statements outside all scopes.
    scopes
        The open scopes, outermost first.
    params
        The parameters of the function.
    buffer_map
        The buffers that parameters of data type `handle` point to.
    """

    type_key = "uir.tir.Builder"
    mutable = True
    stmts: ty.Array[StmtNode] = field(default_factory=list, init=False)
    scopes: ty.Array[BuilderScopeNode] = field(default_factory=list, init=False)
    params: ty.Array[VarNode] = field(default_factory=list, init=False)
    buffer_map: ty.Map[VarNode, BufferNode] = field(default_factory=dict, init=False)

    @method
    def emit(self, stmt: StmtNode) -> None:
        """
        Add a statement to the innermost scope; a sequence is flattened.

        Parameters
        ----------
        stmt
            The statement.
        """
        ...

    @method
    def store(
        self,
        buffer: BufferNode,
        indices: ty.Array[PrimExprNode],
        value: PrimExprNode,
        predicate: ty.Optional[PrimExprNode] = None,
        span: ty.Optional[SpanNode] = None,
    ) -> None:
        """
        Add a store to a buffer; the value is converted to the buffer's data type.

        Parameters
        ----------
        buffer
            The buffer.
        indices
            One integer for each dimension; only the last one may be a vector.
        value
            The value, a number or a boolean.
        predicate
            The mask of lanes to write; None for all.
        span
            Source location.
        """
        ...

    @method
    def enter_for(
        self,
        loop_var: VarNode,
        min: PrimExprNode,
        extent: PrimExprNode,
        kind: ForKind = ForKind.SERIAL,
        thread_binding: ty.Optional[IterVarNode] = None,
        annotations: ty.Optional[ty.Map[ty.String, ty.Any]] = None,
        step: ty.Optional[PrimExprNode] = None,
        span: ty.Optional[SpanNode] = None,
    ) -> BuilderScopeNode:
        """
        Enter the body of a loop.

        Parameters
        ----------
        loop_var
            The variable of the loop.
        min
            The first value.
        extent
            The values are below `min + extent`.
        kind
            The execution of the iterations.
        thread_binding
            The thread index, for `ForKind.THREAD_BINDING`.
        annotations
            Hints for later passes, by name.
        step
            The step between values; None for 1.
        span
            Source location.

        Returns
        -------
        scope
            The scope.
        """
        ...

    @method
    def enter_while(
        self, condition: PrimExprNode, span: ty.Optional[SpanNode] = None
    ) -> BuilderScopeNode:
        """
        Enter the body of a while loop.

        Parameters
        ----------
        condition
            A scalar boolean.
        span
            Source location.

        Returns
        -------
        scope
            The scope.
        """
        ...

    @method
    def enter_if(
        self, condition: PrimExprNode, span: ty.Optional[SpanNode] = None
    ) -> BuilderScopeNode:
        """
        Enter the then-branch of a conditional.

        Parameters
        ----------
        condition
            A scalar boolean.
        span
            Source location.

        Returns
        -------
        scope
            The scope.
        """
        ...

    @method
    def enter_else(self, span: ty.Optional[SpanNode] = None) -> BuilderScopeNode:
        """
        Enter the else-branch of the conditional that was just left.

        Parameters
        ----------
        span
            Source location.

        Returns
        -------
        scope
            The scope.

        Raises
        ------
        ValueError
            If no conditional was just left.
        """
        ...

    @method
    def enter_attr(
        self,
        node: ty.Any,
        attr_key: ty.String,
        value: PrimExprNode,
        span: ty.Optional[SpanNode] = None,
    ) -> BuilderScopeNode:
        """
        Enter the body of an attribute statement.

        Parameters
        ----------
        node
            The object that the attribute describes.
        attr_key
            The attribute's name.
        value
            The attribute's value.
        span
            Source location.

        Returns
        -------
        scope
            The scope.
        """
        ...

    @method
    def enter_block(
        self,
        name_hint: ty.String,
        iter_vars: ty.Array[IterVarNode],
        iter_values: ty.Array[PrimExprNode],
        reads: ty.Array[BufferRegionNode],
        writes: ty.Array[BufferRegionNode],
        predicate: ty.Optional[PrimExprNode] = None,
        annotations: ty.Optional[ty.Map[ty.String, ty.Any]] = None,
        span: ty.Optional[SpanNode] = None,
    ) -> BuilderScopeNode:
        """
        Enter the body of a block.

        Parameters
        ----------
        name_hint
            The name that schedules and printers use.
        iter_vars
            The iteration variables of the block.
        iter_values
            The value of each iteration variable.
        reads
            The regions that the block reads.
        writes
            The regions that the block writes.
        predicate
            A scalar boolean: the block runs only if it holds; None for always.
        annotations
            Hints for later passes, by name.
        span
            Source location.

        Returns
        -------
        scope
            The scope.
        """
        ...

    @method
    def enter_init(self, span: ty.Optional[SpanNode] = None) -> BuilderScopeNode:
        """
        Enter the initialization of the innermost block's reduction.

        Parameters
        ----------
        span
            Source location.

        Returns
        -------
        scope
            The scope.

        Raises
        ------
        ValueError
            If the innermost scope is not a block, or has an initialization.
        """
        ...

    @method
    def leave(self, scope: BuilderScopeNode) -> None:
        """
        Leave the innermost scope, and add its statement to the enclosing one.

        Parameters
        ----------
        scope
            The scope, which must be the innermost one.

        Raises
        ------
        ValueError
            If `scope` is not the innermost scope.
        """
        ...

    @method
    def abandon(self, scope: BuilderScopeNode) -> None:
        """
        Leave a scope and its nested scopes without adding a statement.

        Parameters
        ----------
        scope
            An open scope.

        Raises
        ------
        ValueError
            If `scope` is not open.
        """
        ...

    @method
    def add_param(self, param: VarNode) -> VarNode:
        """
        Add a parameter to the function.

        Parameters
        ----------
        param
            The parameter.

        Returns
        -------
        param
            The parameter.
        """
        ...

    @method
    def add_buffer(self, buffer: BufferNode) -> VarNode:
        """
        Add a parameter that points to a buffer.

        Parameters
        ----------
        buffer
            The buffer.

        Returns
        -------
        param
            The parameter, of data type `handle`.
        """
        ...

    @method
    def body(self) -> StmtNode:
        """
        Return the statement that has been built.

        Returns
        -------
        stmt
            The statement.

        Raises
        ------
        ValueError
            If a scope is open.
        """
        ...

    @method
    def make_func(
        self,
        attrs: ty.Optional[DictAttrsNode] = None,
        ret_type: ty.Optional[TypeNode] = None,
        span: ty.Optional[SpanNode] = None,
    ) -> PrimFuncNode:
        """
        Return the function that has been built.

        Parameters
        ----------
        attrs
            The attributes of the function.
        ret_type
            The type of the result; None for no result.
        span
            Source location of the function.

        Returns
        -------
        func
            The function.

        Raises
        ------
        ValueError
            If a scope is open.
        """
        ...


@function
def push_builder(builder: BuilderNode) -> None:
    """
    Push a builder; it becomes the current one of the thread.

    Parameters
    ----------
    builder
        The builder.
    """
    ...


@function
def pop_builder(builder: BuilderNode) -> None:
    """
    Pop the current builder of the thread.

    Parameters
    ----------
    builder
        The current builder.

    Raises
    ------
    ValueError
        If `builder` is not the current one.
    """
    ...


@function
def current_builder() -> ty.Optional[BuilderNode]:
    """
    Return the current builder of the thread.

    Returns
    -------
    builder
        The builder that was pushed last, if any.
    """
    ...
