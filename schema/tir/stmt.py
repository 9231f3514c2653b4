"""Statements, all but blocks."""

# Long, as its classes are read side by side; most of the lines are their documentation.

from schema.ir.expr import PrimExprNode, StringImmNode
from schema.ir.span import SpanNode
from schema.tir.buffer import BufferNode
from schema.tir.reduce import IterVarNode
from schema.tir.var import VarNode
from tschema import Object, declare, field, function, method, ty


@declare
class ForKind(ty.IntEnum):
    """
    How the iterations of a loop are run.

    Attributes
    ----------
    SERIAL
        One after the other.
    PARALLEL
        On the threads of a pool, in any order.
    VECTORIZED
        As the lanes of vectors.
    UNROLLED
        One after the other, without a loop.
    THREAD_BINDING
        Each on the thread of a launch that `thread_binding` names.
    """

    SERIAL = 0
    PARALLEL = 1
    VECTORIZED = 2
    UNROLLED = 3
    THREAD_BINDING = 4


@declare
class StmtNode(Object):
    """
    Base of all statements: what is run for its effect.

    See Also
    --------
    Stmt

    Attributes
    ----------
    span
        Where the statement was written; structural equality ignores it.
    """

    type_key = "uir.tir.Stmt"
    abstract = True
    dispatch = True
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural="ignore", repr=False)


@declare
class BindNode(StmtNode):
    """
    Binding of a variable for the statements that follow in the same sequence.

    See Also
    --------
    Bind
    Let

    Attributes
    ----------
    var
        The variable; it is bound from here to the end of the enclosing sequence.
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
    Statement with a note attached, which later passes act on.

    See Also
    --------
    AttrStmt

    Attributes
    ----------
    node
        What the note is about, such as a variable; None where it is about `body` alone.
    attr_key
        The note's name, such as `thread_extent`; not empty.
    value
        The note's value.
    body
        The statement that it holds in.
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
    Check at run time, which raises an error if it fails.

    Passes may take the condition for true in the statements that follow.

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
        The message, in parts that are put together when the check fails, so that many checks
        share their common parts.
    """

    type_key = "uir.tir.AssertStmt"
    post_init = True
    kind: StringImmNode
    condition: PrimExprNode
    message_parts: ty.Array[StringImmNode] = field(default_factory=list)


@declare
class BufferStoreNode(StmtNode):
    """
    Write of an element, or of a short vector of elements, to a buffer.

    See Also
    --------
    BufferStore
    BufferLoad

    Attributes
    ----------
    buffer
        The buffer to write.
    value
        What to write: the element's data type, with the lanes of the last index.
    indices
        One integer for each dimension; the last one alone may be a vector.
    predicate
        Which lanes to write, a boolean with the lanes of the last index; None for all.
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
    Allocation of a buffer for the statements that follow in the same sequence.

    See Also
    --------
    AllocBuffer

    Attributes
    ----------
    buffer
        The buffer; it and the variable of its address are bound here.
    annotations
        Hints for later passes, by name.
    """

    type_key = "uir.tir.AllocBuffer"
    buffer: BufferNode = field(structural="def_pattern")
    annotations: ty.Map[ty.String, ty.Any] = field(default_factory=dict)


@declare
class DeclBufferNode(StmtNode):
    """
    Declaration of a buffer in memory that exists already, for the statements that follow.

    See Also
    --------
    DeclBuffer

    Attributes
    ----------
    buffer
        The buffer; it is bound here, and its address is not allocated.
    annotations
        Hints for later passes, by name.
    """

    type_key = "uir.tir.DeclBuffer"
    buffer: BufferNode = field(structural="def_pattern")
    annotations: ty.Map[ty.String, ty.Any] = field(default_factory=dict)


@declare
class SeqStmtNode(StmtNode):
    """
    Statements that are run one after the other.

    What one of them binds, those behind it see, and no statement outside the sequence does.

    See Also
    --------
    SeqStmt

    Attributes
    ----------
    seq
        The statements; none of them is a sequence itself. Empty, it does nothing.
    """

    type_key = "uir.tir.SeqStmt"
    post_init = True
    seq: ty.Array[StmtNode]


@declare
class IfThenElseNode(StmtNode):
    """
    Choice between two statements.

    See Also
    --------
    IfThenElse

    Attributes
    ----------
    condition
        A scalar boolean.
    then_case
        What to run if it holds.
    else_case
        What to run otherwise; None for nothing.
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
        The variable that takes the values `min`, `min + step` and so on; it is bound in `body`.
    min
        The first value, a scalar of the integer type of `loop_var`.
    extent
        The values are below `min + extent`; a scalar of the same type.
    kind
        How the iterations are run.
    body
        What to run for each value.
    thread_binding
        The index of a launch that `loop_var` stands for; with `ForKind.THREAD_BINDING`, and
        only then.
    annotations
        Hints for later passes, by name.
    step
        The distance of the values, a positive scalar of the same type; None for 1.
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
        Return how often the body is run, where `extent` and `step` are constants.

        Returns
        -------
        count
            The number of iterations, None where it is not known before the program runs.
        """
        ...


@declare
class WhileNode(StmtNode):
    """
    Loop that runs as long as a condition holds.

    See Also
    --------
    While

    Attributes
    ----------
    condition
        A scalar boolean, computed before each iteration.
    body
        What to run in each iteration.
    """

    type_key = "uir.tir.While"
    post_init = True
    condition: PrimExprNode
    body: StmtNode


@declare
class EvaluateNode(StmtNode):
    """
    Expression that is computed for its effect, its value dropped.

    See Also
    --------
    Evaluate

    Attributes
    ----------
    value
        The expression, mostly a call.
    """

    type_key = "uir.tir.Evaluate"
    value: PrimExprNode


@function
def flatten_seq(stmts: ty.Array[StmtNode]) -> StmtNode:
    """
    Put statements one after the other.

    Parameters
    ----------
    stmts
        The statements; the parts of sequences among them are taken for themselves.

    Returns
    -------
    stmt
        The sequence, or the statement if there is only one.
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
    Make a write of a vector to neighbours in the last dimension of a buffer.

    Parameters
    ----------
    buffer
        The buffer.
    begin
        The indices of the first element.
    value
        What to write: as many elements as it has lanes.
    predicate
        Which lanes to write; None for all.

    Returns
    -------
    store
        The write.
    """
    ...
