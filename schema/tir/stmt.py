"""Statements, except blocks."""

# Long because of its documentation; the statements belong in one file.

from schema.ir.expr import PrimExprNode, StringImmNode
from schema.ir.span import SpanNode
from schema.tir.buffer import BufferNode
from schema.tir.reduce import IterVarNode
from schema.tir.var import VarNode
from tschema import Object, declare, field, function, method, ty


@declare
class ForKind(ty.IntEnum):
    """
    Execution of the iterations of a loop.

    Attributes
    ----------
    SERIAL
        Sequential.
    PARALLEL
        Parallel, on the threads of a pool, in any order.
    VECTORIZED
        As the lanes of a vector.
    UNROLLED
        Unrolled, without a loop.
    THREAD_BINDING
        One iteration on each thread of a launch, given by `thread_binding`.
    """

    SERIAL = 0
    PARALLEL = 1
    VECTORIZED = 2
    UNROLLED = 3
    THREAD_BINDING = 4


@declare
class StmtNode(Object):
    """
    Base of all statements, which run for their effect.

    See Also
    --------
    Stmt

    Attributes
    ----------
    span
        Source location of the statement; structural equality ignores it.
    """

    type_key = "uir.tir.Stmt"
    abstract = True
    dispatch = True
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore", repr=False)


@declare
class BindNode(StmtNode):
    """
    Binding of a variable in the following statements of the sequence.

    See Also
    --------
    Bind
    Let

    Attributes
    ----------
    var
        The variable, bound up to the end of the enclosing sequence.
    value
        Its value, of the data type of `var`.
    """

    type_key = "uir.tir.Bind"
    post_init = True
    var: VarNode = field(structural="def")
    value: PrimExprNode


@declare
class AttrStmtNode(StmtNode):
    """
    Statement with an attribute for later passes.

    See Also
    --------
    AttrStmt

    Attributes
    ----------
    node
        The object that the attribute describes, such as a variable; None for `body` itself.
    attr_key
        The attribute's name, such as `thread_extent`; not empty.
    value
        The attribute's value.
    body
        The statement.
    """

    type_key = "uir.tir.AttrStmt"
    post_init = True
    node: ty.Any
    attr_key: ty.String
    value: PrimExprNode
    body: StmtNode


@declare
class AssertStmtNode(StmtNode):
    """
    Run-time assertion, which raises an error if it fails.

    Passes may assume the condition in the following statements.

    See Also
    --------
    AssertStmt

    Attributes
    ----------
    kind
        The kind of the error, such as `ValueError`.
    condition
        A scalar boolean that must hold.
    message_parts
        The parts of the message, which are concatenated when the assertion fails: strings, which
        assertions can share, and scalar integers, whose values are written.
    """

    type_key = "uir.tir.AssertStmt"
    post_init = True
    kind: StringImmNode
    condition: PrimExprNode
    message_parts: ty.Array[PrimExprNode] = field(default_factory=list)


@declare
class BufferStoreNode(StmtNode):
    """
    Store of an element or a vector to a buffer.

    See Also
    --------
    BufferStore
    BufferLoad

    Attributes
    ----------
    buffer
        The buffer to write.
    value
        The value, of the element's data type with the lanes of the last index.
    indices
        One integer for each dimension; only the last one may be a vector.
    predicate
        The mask of lanes to write, a boolean with the lanes of the last index; None for all.
    """

    type_key = "uir.tir.BufferStore"
    post_init = True
    buffer: BufferNode
    value: PrimExprNode
    indices: ty.Array[PrimExprNode]
    predicate: ty.Optional[PrimExprNode] = field(default=None)


@declare
class AllocBufferNode(StmtNode):
    """
    Allocation of a buffer for the following statements of the sequence.

    See Also
    --------
    AllocBuffer

    Attributes
    ----------
    buffer
        The buffer, bound here with its data pointer.
    annotations
        Hints for later passes, by name.
    """

    type_key = "uir.tir.AllocBuffer"
    script = "tir.AllocBuffer({buffer}, {annotations})"
    buffer: BufferNode = field(structural="def_pattern")
    annotations: ty.Map[ty.String, ty.Any] = field(default_factory=dict)


@declare
class DeclBufferNode(StmtNode):
    """
    Declaration of a buffer over existing memory for the following statements of the sequence.

    See Also
    --------
    DeclBuffer

    Attributes
    ----------
    buffer
        The buffer, bound here; its memory is not allocated.
    annotations
        Hints for later passes, by name.
    """

    type_key = "uir.tir.DeclBuffer"
    script = "tir.DeclBuffer({buffer}, {annotations})"
    buffer: BufferNode = field(structural="def_pattern")
    annotations: ty.Map[ty.String, ty.Any] = field(default_factory=dict)


@declare
class SeqStmtNode(StmtNode):
    """
    Sequence of statements.

    A binding in the sequence is visible in its following statements, and not outside.

    See Also
    --------
    SeqStmt

    Attributes
    ----------
    seq
        The statements, which are not sequences; empty for no effect.
    """

    type_key = "uir.tir.SeqStmt"
    post_init = True
    seq: ty.Array[StmtNode]


@declare
class IfThenElseNode(StmtNode):
    """
    Conditional statement.

    See Also
    --------
    IfThenElse

    Attributes
    ----------
    condition
        A scalar boolean.
    then_case
        The statement to run if the condition holds.
    else_case
        The statement to run otherwise, if any.
    """

    type_key = "uir.tir.IfThenElse"
    post_init = True
    condition: PrimExprNode
    then_case: StmtNode
    else_case: ty.Optional[StmtNode] = field(default=None)


@declare
class ForNode(StmtNode):
    """
    Loop over a range of integers.

    See Also
    --------
    For
    ForKind

    Attributes
    ----------
    loop_var
        The variable with the values `min`, `min + step`, ...; bound in `body`.
    min
        The first value, a scalar of the integer type of `loop_var`.
    extent
        The values are less than `min + extent`; a scalar of the same type.
    kind
        The execution of the iterations.
    body
        The body.
    thread_binding
        The thread index of `loop_var`; required for `ForKind.THREAD_BINDING`, else None.
    annotations
        Hints for later passes, by name.
    step
        The step between values, a positive scalar of the same type; None for 1.
    """

    type_key = "uir.tir.For"
    post_init = True
    loop_var: VarNode = field(structural="def")
    min: PrimExprNode
    extent: PrimExprNode
    kind: ForKind
    body: StmtNode
    thread_binding: ty.Optional[IterVarNode] = field(default=None)
    annotations: ty.Map[ty.String, ty.Any] = field(default_factory=dict)
    step: ty.Optional[PrimExprNode] = field(default=None)

    @method
    def trip_count(self) -> ty.Optional[ty.int64_t]:
        """
        Return the number of iterations, if `extent` and `step` are constant.

        Returns
        -------
        count
            The number of iterations; None if it is not constant.
        """
        ...


@declare
class WhileNode(StmtNode):
    """
    Loop with a condition.

    See Also
    --------
    While

    Attributes
    ----------
    condition
        A scalar boolean, evaluated before each iteration.
    body
        The body.
    """

    type_key = "uir.tir.While"
    post_init = True
    condition: PrimExprNode
    body: StmtNode


@declare
class BreakNode(StmtNode):
    """
    End of the innermost loop around the statement.

    The loop is a `While`, or a serial or unrolled `For`; there is no block between the loop and
    the statement.

    See Also
    --------
    Break
    """

    type_key = "uir.tir.Break"


@declare
class ContinueNode(StmtNode):
    """
    End of the present iteration of the innermost loop around the statement.

    The loop is a `While`, or a serial or unrolled `For`; there is no block between the loop and
    the statement.

    See Also
    --------
    Continue
    """

    type_key = "uir.tir.Continue"


@declare
class EvaluateNode(StmtNode):
    """
    Evaluation of an expression for its effect.

    See Also
    --------
    Evaluate

    Attributes
    ----------
    value
        The expression, usually a call.
    """

    type_key = "uir.tir.Evaluate"
    value: PrimExprNode


@function(api=True)
def flatten_seq(stmts: ty.Array[StmtNode]) -> StmtNode:
    """
    Make a sequence of statements, with nested sequences flattened.

    Parameters
    ----------
    stmts
        The statements.

    Returns
    -------
    stmt
        The sequence, or the single statement.
    """
    ...


@function
def buffer_vstore(
    buffer: BufferNode,
    begin: ty.Array[PrimExprNode],
    value: PrimExprNode,
    predicate: ty.Optional[PrimExprNode] = None,
) -> StmtNode:
    """
    Store a vector to consecutive elements of the last dimension of a buffer.

    Parameters
    ----------
    buffer
        The buffer.
    begin
        The indices of the first element.
    value
        The value, with one lane for each element.
    predicate
        The mask of lanes to write; None for all.

    Returns
    -------
    store
        The store.
    """
    ...
