"""Passes over the expressions, statements and buffers of tensor-level functions."""

# Most lines are docs. They are one file, because each file becomes a header that users include.

from schema.ir.expr import PrimExprNode
from schema.tir.var import VarNode
from schema.transform.config import PassOptionsNode
from schema.transform.passes import PassNode
from tschema import declare, function, ty


@function(makes_pass=True)
def CommonSubexprElim() -> PassNode:
    """
    Return a pass that binds repeated subexpressions to variables.

    It considers arithmetic, casts and selections, but not loads and calls. Conditions stay
    where they decide, and their parts are bound. A value is bound before its first use in the
    lowest common ancestor of its uses. A division that may fail is not hoisted to a path that
    does not compute it.

    Returns
    -------
    made
        The pass, of level 0.
    """
    ...


@function(makes_pass=True)
def CountWork() -> PassNode:
    """
    Return a pass that notes how much kernels compute, which profiles report.

    A kernel is a function with buffers that calls no other function of the module. It gets
    the attributes `flops`, the number of floating-point operations, and `bytes`, the size of
    the data that it reads and writes, as expressions of its parameters; an attribute is -1 if
    loops or sizes depend on data. Each operator and each call of a mathematical function is one
    operation, a conditional counts as if all its parts ran, and a buffer counts only by the
    parts that are read.

    Returns
    -------
    made
        The pass, of level 0. It counts the operations of the program, so it runs before loops
        are scheduled.

    Examples
    --------
    >>> import uir
    >>> from uir import te, transform
    >>> x = te.placeholder((8,), "float32", name="x")
    >>> y = te.compute((8,), lambda i: x[i] * 2.0 + 1.0, name="y")
    >>> counted = transform.CountWork()(uir.ir.module_from_func(te.create_prim_func([x, y])))
    >>> func = counted["main"]
    >>> func.get_attr("flops").value, func.get_attr("bytes").value
    (16, 64)
    """
    ...


@function(makes_pass=True)
def FlattenBuffer() -> PassNode:
    """
    Return a pass that flattens multi-dimensional buffers to one dimension.

    Strides and offsets become part of the indices, which are simplified. With
    `axis_separators`, each group of dimensions becomes one. Parameters keep their buffers; the
    body declares flat views of those that it uses.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for a block that matches buffers, which
        `LowerBlocks` lowers.
    """
    ...


@function(makes_pass=True)
def LowerBlocks() -> PassNode:
    """
    Return a pass that replaces blocks by plain statements.

    The values of a block's iteration variables take the place of these variables; a value
    that depends on memory is bound. The predicate of a block and the start of its
    reduction become conditionals, its pragmas `AttrStmt`s, and accesses of matched
    buffers become accesses of the regions that they match. A buffer of a block is allocated at
    the lowest common ancestor of its uses, outside of loops in the block that may carry its
    elements from one iteration to the next. Loops that are bound to threads become launches.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for a block without values for its
        iteration variables, and for a matched buffer that is not proved to have the shape,
        strides, offset, alignment and scope of its region.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> vi, i = tir.Var("vi"), tir.Var("i")
    >>> axis = tir.IterVar(vi, ir.Range(tir.const(0), tir.const(8)), tir.IterVarType.DATA_PAR)
    >>> block = tir.Block([axis], [], [], "double", tir.Evaluate(vi * 2))
    >>> realize = tir.BlockRealize([i], tir.const(True), block)
    >>> loop = tir.For(i, tir.const(0), tir.const(8), tir.ForKind.SERIAL, realize)
    >>> module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([], loop)})
    >>> str(transform.LowerBlocks()(module).lookup("main").body.body.value)
    'i * 2'
    """
    ...


@function(makes_pass=True)
def LowerObjectFields() -> PassNode:
    """
    Return a pass that reads the fields of objects by their offsets.

    It replaces `tir.get_field` by `tir.object_field`, with the offset in the layout of the
    registered type. A reference that may be null, or whose type is not known to be the one that
    is needed, is checked by `tir.as_object`: where its field is read, where it is bound to a
    variable that `tir.reference_to` annotates, where it is an argument of such a parameter, and
    where a function returns it.

    Returns
    -------
    made
        The pass, of level 0. It raises TypeError for a type that is not registered, a field
        that is not plain memory or has another data type or offset than the program says, and
        ValueError for a field that the type does not have.

    Examples
    --------
    >>> import uir
    >>> from uir import transform
    >>> module = uir.script.parse('''
    ... @uir.script.ir_module
    ... class Module:
    ...     @tir.prim_func
    ...     def kind(loop: tir.handle("uir.tir.For")):
    ...         tir.ret(loop.kind)
    ... ''')
    >>> print(transform.LowerObjectFields()(module).lookup("kind").body)
    tir.ret(tir.object_field(loop, "uir.tir.For", "kind", tir.int64(56), dtype="int32"))
    """
    ...


@function(makes_pass=True)
def NarrowDataType(target_bits: ty.int64_t = 32) -> PassNode:
    """
    Return a pass that narrows indices to a smaller integer type if their bounds fit.

    Buffer indices, variables of loops, threads, blocks and bindings, regions of blocks, extents
    of buffers that the function allocates or declares, comparisons and casts of signed
    integers are narrowed if every intermediate result fits. A variable in an index that does
    not fit is not narrowed, and neither are parameters and their buffers.

    Parameters
    ----------
    target_bits
        The width to narrow to, 16 or 32 bits.

    Returns
    -------
    made
        The pass, of level 0.

    Raises
    ------
    ValueError
        If `target_bits` is not 16 or 32.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> a = tir.decl_buffer([tir.const(64, "int64")], "float32", "A")
    >>> i = tir.Var("i", "int64")
    >>> store = tir.BufferStore(a, tir.const(0.0), [i * 8])
    >>> zero, eight = tir.const(0, "int64"), tir.const(8, "int64")
    >>> loop = tir.For(i, zero, eight, tir.ForKind.SERIAL, store)
    >>> param = tir.Var("a", "handle")
    >>> module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([param], loop, {param: a})})
    >>> str(transform.NarrowDataType()(module).lookup("main").body.loop_var.dtype)
    'int32'
    """
    ...


@declare
class RemoveNoOpOptionsNode(PassOptionsNode):
    """
    Options of `RemoveNoOp`.

    See Also
    --------
    RemoveNoOp

    Attributes
    ----------
    use_dataflow_analysis
        Whether to remove stores to elements that a later statement of the same sequence
        overwrites before they are read; buffers of different pointers are taken not to overlap.
    """

    type_key = "uir.transform.RemoveNoOpOptions"
    use_dataflow_analysis: ty.bool = False


@function(makes_pass=True)
def RemoveNoOp() -> PassNode:
    """
    Return a pass that removes statements without effect.

    These are expressions without side effects, loops with an extent of 0 or an empty body,
    conditionals with empty branches, branches that a constant excludes, stores under a mask
    that is false, bindings of unused variables, and allocations of unused buffers. A store of
    an element to itself is removed if the indices are proved equal by the loops, conditions and
    bindings around it. Side effects of removed parts, such as those of a condition, are kept.
    `RemoveNoOpOptions` select further statements.

    Returns
    -------
    made
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> body = tir.Evaluate(tir.const(1))
    >>> loop = tir.For(tir.Var("i"), tir.const(0), tir.const(8), tir.ForKind.SERIAL, body)
    >>> module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([], loop)})
    >>> len(transform.RemoveNoOp()(module).lookup("main").body.seq)
    0
    """
    ...


@function(makes_pass=True)
def RemoveAssume() -> PassNode:
    """
    Return a pass that removes `tir.assume`, and statements that become empty.

    It runs after the passes that use the stated conditions: `Simplify`, `LoopPartition` and
    `NarrowDataType` assume the condition of a `tir.assume` in the statements after it. In a
    sequence, `FlattenBuffer` and `CheckIndices` run it first.

    Returns
    -------
    made
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> n = tir.Var("n")
    >>> body = tir.Evaluate(tir.call_intrin("bool", "tir.assume", [n > 0]))
    >>> module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([n], body)})
    >>> len(transform.RemoveAssume()(module).lookup("main").body.seq)
    0
    """
    ...


@function(makes_pass=True)
def RemoveStoreUndef() -> PassNode:
    """
    Return a pass that removes stores of values that depend on `tir.undef`.

    An element keeps its old value, which is as good as any other. A variable that is bound to
    such a value counts too.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for an index that depends on `tir.undef`.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> a = tir.decl_buffer([tir.const(4)], "int32", "A")
    >>> undef = tir.call_intrin("int32", "tir.undef", [])
    >>> param = tir.Var("a", "handle")
    >>> func = tir.PrimFunc([param], tir.BufferStore(a, undef, [tir.const(0)]), {param: a})
    >>> module = ir.IRModule({ir.GlobalVar("main"): func})
    >>> len(transform.RemoveStoreUndef()(module).lookup("main").body.seq)
    0
    """
    ...


@function(makes_pass=True)
def WidenBFloat16() -> PassNode:
    """
    Return a pass that computes with `bfloat16` as `float32`.

    Each operation takes its operands as `float32`, and its result is rounded to `bfloat16`.
    Conversions of other types go through `float32`; loads, stores and choices remain.

    Returns
    -------
    made
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> a = tir.decl_buffer([tir.const(4)], "bfloat16", "A")
    >>> param, first = tir.Var("a", "handle"), tir.BufferLoad(a, [tir.const(0)])
    >>> square = tir.BufferStore(a, first * first, [tir.const(1)])
    >>> func = tir.PrimFunc([param], square, {param: a})
    >>> module = ir.IRModule({ir.GlobalVar("main"): func})
    >>> print(transform.WidenBFloat16()(module).lookup("main").body)
    A[1] = tir.bfloat16(tir.float32(A[0]) * tir.float32(A[0]))
    """
    ...


@declare
class SimplifyOptionsNode(PassOptionsNode):
    """
    Options of `Simplify`.

    See Also
    --------
    Simplify

    Attributes
    ----------
    apply_constraints_to_boolean_branches
        Whether to simplify each operand of `and` and `or` under the condition of the other.
    convert_boolean_to_and_of_ors
        Whether to write conditions as a conjunction of disjunctions, and simplify these by each
        other: `(i == 0 or k == 20) and (k != 30 or i == 0)` becomes `i == 0 or k == 20`.
    """

    type_key = "uir.transform.SimplifyOptions"
    apply_constraints_to_boolean_branches: ty.bool = False
    convert_boolean_to_and_of_ors: ty.bool = False


@function(makes_pass=True)
def Simplify() -> PassNode:
    """
    Return a pass that simplifies expressions, and statements with constant conditions.

    It uses the ranges of loops and launches, the conditions of branches and assertions, those
    that `tir.assume` states, and values of bindings; extents of parameters are not negative.
    It removes loops that run at most once, conditionals whose condition is constant, and stores
    of an element to itself. Sums of `int32` and `int64` indices are assumed to fit their type;
    those of data wrap around, and floating-point numbers keep every bit (semantics.md).

    Returns
    -------
    made
        The pass, of level 0.

    Examples
    --------
    >>> from uir import ir, tir, transform
    >>> n = tir.Var("n")
    >>> func = tir.PrimFunc([n], tir.Evaluate(n + 1 - n))
    >>> module = ir.IRModule({ir.GlobalVar("main"): func})
    >>> after = transform.Simplify()(module)
    >>> int(after.lookup("main").body.value.value)
    1
    """
    ...


@function(makes_pass=True)
def StorageRewrite() -> PassNode:
    """
    Return a pass that lets allocations with disjoint live ranges share memory.

    Allocations in the same storage scope share memory if their live ranges are disjoint,
    or if a statement computes each element of one from the same element of the other.
    They move to the beginning of the enclosing function, parallel loop or block. Buffers of
    symbolic size share memory of the largest size if they are at the top of such a body and
    their elements have one size. Allocations of at most 4 bytes, and those whose address
    escapes, are not shared.

    Returns
    -------
    made
        The pass, of level 0.
    """
    ...


@function(makes_pass=True)
def Substitute(substitution: ty.Map[VarNode, PrimExprNode]) -> PassNode:
    """
    Return a pass that replaces variables by expressions.

    It also rewrites the shapes, strides, offsets and data pointers of buffers, but not the
    parameters of functions.

    Parameters
    ----------
    substitution
        The replacement of each variable, of its data type.

    Returns
    -------
    made
        The pass, of level 0. It raises TypeError if a replacement has another data type, or if
        a replaced variable is bound.
    """
    ...
