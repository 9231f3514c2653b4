"""Building statements and functions step by step, scope within scope."""

# Long, as it documents the fifteen methods of one class, which cannot stand in two files.

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
    Scope of a builder, to which statements are added until it is left.

    See Also
    --------
    BuilderScope
    Builder

    Attributes
    ----------
    name
        What messages call it, such as `for i`.
    close
        Makes the statement of the scope: `(BuilderScope, Stmt) -> Stmt`, the second one its body.
    span
        Where it was entered.
    stmts
        The statements added so far.
    init
        What a block does before the first iteration of its reduction.
    replaces
        The statement that is replaced by that of the scope: an `if` without `else`.
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

    Scopes are entered and left like brackets; statements go to the innermost one. Everything else
    is an error that says which scope is open, and where it was entered.

    See Also
    --------
    Builder
    PrimFunc

    Attributes
    ----------
    stmts
        The statements outside all scopes, so far.
    scopes
        The open scopes, the outermost first.
    params
        The parameters of the function, so far.
    buffer_map
        What those of data type `handle` point to.
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
        Add a statement to the innermost scope; the parts of a sequence one by one.

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
        Add a write to a buffer; the value is converted to its data type.

        Parameters
        ----------
        buffer
            The buffer.
        indices
            One integer for each dimension; the last one alone may be a vector.
        value
            What to write, a number or a boolean.
        predicate
            Which lanes to write; None for all.
        span
            Where that is written.
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
            How the iterations are run.
        thread_binding
            The index of a launch, for loops of that kind.
        annotations
            Hints for later passes, by name.
        step
            The distance of the values; None for 1.
        span
            Where that is written.

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
        Enter the body of a loop that runs as long as a condition holds.

        Parameters
        ----------
        condition
            A scalar boolean.
        span
            Where that is written.

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
        Enter what is run where a condition holds.

        Parameters
        ----------
        condition
            A scalar boolean.
        span
            Where that is written.

        Returns
        -------
        scope
            The scope.
        """
        ...

    @method
    def enter_else(self, span: ty.Optional[SpanNode] = None) -> BuilderScopeNode:
        """
        Enter what is run where the condition of the `if` just left does not hold.

        Parameters
        ----------
        span
            Where that is written.

        Returns
        -------
        scope
            The scope.
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
        Enter the statements that a note holds in.

        Parameters
        ----------
        node
            What the note is about.
        attr_key
            The note's name.
        value
            The note's value.
        span
            Where that is written.

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
            What schedules and printers call it.
        iter_vars
            The iterations of the block.
        iter_values
            The value of each.
        reads
            What the block reads.
        writes
            What the block writes.
        predicate
            Where it does not hold the block is not run; None for everywhere.
        annotations
            Hints for later passes, by name.
        span
            Where that is written.

        Returns
        -------
        scope
            The scope.
        """
        ...

    @method
    def enter_init(self, span: ty.Optional[SpanNode] = None) -> BuilderScopeNode:
        """
        Enter what the innermost block does before the first iteration of its reduction.

        Parameters
        ----------
        span
            Where that is written.

        Returns
        -------
        scope
            The scope.
        """
        ...

    @method
    def leave(self, scope: BuilderScopeNode) -> None:
        """
        Leave the innermost scope, and add its statement to the one around it.

        Parameters
        ----------
        scope
            The scope that should be the innermost one.
        """
        ...

    @method
    def abandon(self, scope: BuilderScopeNode) -> None:
        """
        Leave a scope, and those within it, without a statement.

        Parameters
        ----------
        scope
            An open scope.
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
        Add a parameter to the function that points to a buffer.

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
        Return what has been built; an open scope is an error.

        Returns
        -------
        stmt
            The statement.
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
        Return the function that has been built; an open scope is an error.

        Parameters
        ----------
        attrs
            What is known about the function beside its body.
        ret_type
            The type of the result; None for no result.
        span
            Where the function is written.

        Returns
        -------
        func
            The function.
        """
        ...


@function
def push_builder(builder: BuilderNode) -> None:
    """
    Make a builder the current one of the thread.

    Parameters
    ----------
    builder
        The builder.
    """
    ...


@function
def pop_builder(builder: BuilderNode) -> None:
    """
    Make the builder before it the current one of the thread.

    Parameters
    ----------
    builder
        The current builder.
    """
    ...


@function
def current_builder() -> ty.Optional[BuilderNode]:
    """
    Return the current builder of the thread.

    Returns
    -------
    builder
        The builder that was pushed last; None without one.
    """
    ...
