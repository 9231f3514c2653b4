"""The builder: scopes that are entered and left, and functions with parameters."""

from __future__ import annotations

import re

import pytest

from uir import tir
from uir.ir import IntImm, StringImm, structural_equal
from uir.tir import (
    AllocBuffer,
    AssertStmt,
    AttrStmt,
    Bind,
    Block,
    BlockRealize,
    BufferRegion,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    IterVar,
    IterVarType,
    PrimFunc,
    SeqStmt,
    Var,
    While,
)

from ..support import FLAG, I32, TRUE, X


def here() -> int:
    """Return the line of the caller."""
    from inspect import currentframe

    frame = currentframe()
    assert frame is not None and frame.f_back is not None
    return frame.f_back.f_lineno


def test_a_function_that_adds_one() -> None:
    with tir.builder() as ib:
        n = ib.param("n", "int32")
        a, b = ib.buffer_param("A", (n,)), ib.buffer_param("B", (n,))
        with ib.for_range(n, name="i") as i:
            b[i] = a[i] + 1
    func = ib.prim_func("add_one", attrs={"level": 2})
    assert [param.name for param in func.params] == ["n", "A_handle", "B_handle"]
    assert (func.get_attr("global_symbol"), func.get_attr("level")) == ("add_one", 2)
    loop_var = Var("i", "int32")
    store = BufferStore(b, a[loop_var] + 1, [loop_var])
    expected = PrimFunc(
        list(func.params),
        For(loop_var, IntImm("int32", 0), n, ForKind.SERIAL, store),
        {func.params[1]: a, func.params[2]: b},
        attrs=func.attrs,
    )
    assert structural_equal(func, expected)


def test_loops_of_all_kinds() -> None:
    ib = tir.builder()
    scopes = {
        ForKind.SERIAL: ib.serial(4),
        ForKind.PARALLEL: ib.parallel(2, 4),
        ForKind.VECTORIZED: ib.vectorized(4),
        ForKind.UNROLLED: ib.unrolled(4),
        ForKind.THREAD_BINDING: ib.thread_binding(4, "threadIdx.x"),
    }
    for scope in scopes.values():
        with scope as var:
            ib.emit(var)
    seq = ib.get()
    assert isinstance(seq, SeqStmt)
    assert [loop.kind for loop in seq.seq] == list(scopes)
    assert [loop.min.value for loop in seq.seq] == [0, 2, 0, 0, 0]
    assert [loop.extent.value for loop in seq.seq] == [4, 2, 4, 4, 4]
    assert seq.seq[4].thread_binding.thread_tag == "threadIdx.x"
    assert seq.seq[4].loop_var.name == "threadIdx_x"


def test_a_loop_with_a_step_and_hints() -> None:
    ib = tir.builder()
    n = Var("n", "int64")
    with ib.for_range(1, n, "k", step=2, annotations={"tile": 4}) as k:
        ib.emit(k)
    loop = ib.get()
    assert isinstance(loop, For)
    assert (k.dtype, loop.step.dtype, loop.step.value) == ("int64", "int64", 2)
    assert loop.annotations["tile"] == 4
    assert structural_equal(loop.extent, n - 1)


def test_a_branch_and_its_other_side() -> None:
    ib = tir.builder()
    with ib.while_loop(FLAG):
        with ib.if_scope(X < 3):
            ib.emit(X)
        with ib.else_scope():
            ib.emit(I32)
    loop = ib.get()
    assert isinstance(loop, While)
    branch = loop.body
    assert isinstance(branch, IfThenElse)
    assert branch.then_case.value.same_as(X)
    assert branch.else_case.value.same_as(I32)


def test_statements_of_all_kinds() -> None:
    ib = tir.builder()
    v = ib.bind("v", X + 1)
    local = ib.allocate((4, X), "int8", "local", "shared")
    view = ib.decl_buffer((4,), "int8", "view", data=local.data)
    ib.store(view, 0, 3)
    ib.store(local, (1, v), v)
    ib.assert_(X < 3, "too large: ", X, kind="ValueError")
    ib.emit(Evaluate(I32))
    ib.ret(v)
    with ib.attr(X, "hint", "fast"):
        ib.emit(I32)
    seq = ib.get()
    assert isinstance(seq, SeqStmt)
    assert [type(stmt) for stmt in seq.seq] == [
        Bind, AllocBuffer, DeclBuffer, BufferStore, BufferStore, AssertStmt, Evaluate, Evaluate,
        AttrStmt,
    ]  # fmt: skip
    assert local.scope() == "shared"
    assert structural_equal(seq.seq[3].value, IntImm("int8", 3))
    assert seq.seq[4].value.dtype == "int8"
    assert seq.seq[5].message_parts[0].value == "too large: "
    assert seq.seq[5].message_parts[1].same_as(X)
    assert seq.seq[7].value.op.name == "tir.ret"
    assert structural_equal(seq.seq[8].value, StringImm("fast"))


def test_a_block_with_the_start_of_its_reduction() -> None:
    ib = tir.builder()
    a, b = tir.decl_buffer((4,), name="A"), tir.decl_buffer((), name="B")
    axis = IterVar(Var("vk"), None, IterVarType.COMM_REDUCE)
    writes = [BufferRegion(b, [])]
    loop = ib.for_range(4, name="k")
    with loop as k, ib.block("sum", [(axis, k)], reads=[a[0:4]], writes=writes) as (vk,):
        with ib.init():
            ib.store(b, (), 0.0)
        ib.store(b, (), tir.BufferLoad(b, []) + a[vk])
    made = ib.get()
    assert isinstance(made, For)
    realize = made.body
    assert isinstance(realize, BlockRealize)
    assert structural_equal(realize.predicate, TRUE)
    assert realize.iter_values[0].same_as(k)
    block = realize.block
    assert isinstance(block, Block)
    assert isinstance(block.init, BufferStore)
    assert isinstance(block.body, BufferStore)


def test_sequences_are_flat() -> None:
    ib = tir.builder()
    ib.emit(SeqStmt([Evaluate(I32), Evaluate(X)]))
    with ib.serial(4):
        pass
    seq = ib.get()
    assert isinstance(seq, SeqStmt)
    assert len(seq.seq) == 3
    assert structural_equal(seq.seq[2].body, SeqStmt([]))


def test_statements_say_which_line_made_them() -> None:
    ib = tir.builder()
    with ib.serial(4) as i:
        line, _ = here(), ib.emit(i)
    loop = ib.get()
    assert loop.span is not None and loop.body.span is not None
    assert (loop.span.line, loop.body.span.line) == (line - 1, line)
    assert loop.span.source_name.name == __file__
    quiet = tir.builder(spans=False)
    quiet.emit(X)
    assert quiet.get().span is None


def test_an_open_scope_is_an_error_that_says_where() -> None:
    ib = tir.builder()
    scope = ib.serial(4)
    line = here() - 1
    scope.__enter__()
    for finish in (ib.get, ib.prim_func):
        with pytest.raises(ValueError) as error:
            finish()
        assert str(error.value) == (
            f"Builder: scope `for i` (entered at {__file__}:{line}) is still open"
        )


def test_scopes_are_left_from_the_inside() -> None:
    ib = tir.builder(spans=False)
    outer, inner = ib.serial(4), ib.if_scope(FLAG)
    outer.__enter__()
    inner.__enter__()
    with pytest.raises(ValueError, match="scope `for i` must not be left before `if`$"):
        outer.__exit__(None, None, None)
    inner.__exit__(None, None, None)
    outer.__exit__(None, None, None)
    with pytest.raises(ValueError, match="scope `if` is not open$"):
        inner.__exit__(None, None, None)
    with pytest.raises(ValueError, match="scope `for i` can be entered only once$"):
        outer.__enter__()


def test_else_and_init_have_their_places() -> None:
    ib = tir.builder(spans=False)
    with pytest.raises(ValueError, match="without one, the innermost scope is none"):
        ib.else_scope().__enter__()
    with ib.if_scope(FLAG):
        ib.emit(X)
    with ib.else_scope():
        ib.emit(I32)
    with pytest.raises(ValueError, match="`else` must follow an `if`"):
        ib.else_scope().__enter__()
    with ib.serial(4), pytest.raises(ValueError, match="`init` must be in a block, once"):
        ib.init().__enter__()


def test_a_scope_that_raises_adds_nothing() -> None:
    ib = tir.builder()
    ib.emit(X)
    with pytest.raises(RuntimeError, match="stop"), ib.serial(4):
        ib.emit(I32)
        raise RuntimeError("stop")
    with pytest.raises(TypeError, match=re.escape("While: operand `condition`")):
        ib.while_loop(X).__enter__()
    assert structural_equal(ib.get(), Evaluate(X))


def test_writes_by_subscript_need_a_builder() -> None:
    buffer = tir.decl_buffer((4,), name="A")
    with pytest.raises(ValueError, match=re.escape("`A[...] = ...` must stand in")):
        buffer[0] = 1
    with tir.builder() as outer, tir.builder() as inner:
        buffer[0] = 1
    assert isinstance(inner.get(), BufferStore)
    assert structural_equal(outer.get(), SeqStmt([]))
