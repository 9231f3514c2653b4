"""What is computed several times is computed once, where that changes nothing else."""

from __future__ import annotations

from uir.ir import (
    GlobalVar,
    IntImm,
    IRModule,
    PrimExpr,
    Range,
    SourceName,
    Span,
    structural_equal,
    verify,
)
from uir.tir import (
    And,
    AttrStmt,
    Bind,
    Block,
    BlockRealize,
    BufferLoad,
    BufferStore,
    Call,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    IterVar,
    IterVarType,
    Let,
    PrimFunc,
    Select,
    SeqStmt,
    Stmt,
    Var,
    call_intrin,
    const,
    decl_buffer,
    floordiv,
)
from uir.transform import CommonSubexprElim

A = decl_buffer([IntImm("int32", 16)], "int32", "A")
H, N, M = Var("a", "handle"), Var("n"), Var("m")


def store(value: PrimExpr, index: int = 0) -> Stmt:
    return BufferStore(A, value, [const(index)])


def module_of(*stmts: Stmt) -> IRModule:
    body = stmts[0] if len(stmts) == 1 else SeqStmt(stmts)
    return IRModule({GlobalVar("main"): PrimFunc([H, N, M], body, buffer_map={H: A})})


def becomes(before: IRModule, after: IRModule) -> bool:
    return structural_equal(CommonSubexprElim()(before), after)


def stays(*stmts: Stmt) -> bool:
    module = module_of(*stmts)
    return CommonSubexprElim()(module).same_as(module)


def value(name: str = "v") -> Var:
    return Var(name)


def loop(body: Stmt, variable: Var | None = None) -> For:
    return For(Var("i") if variable is None else variable, const(0), const(3), ForKind.SERIAL, body)


def test_a_value_is_bound_before_its_first_computation() -> None:
    x = value()
    before = module_of(store(const(1)), store((N + M) * (N + M)), store(N + M, 1))
    after = module_of(store(const(1)), Bind(x, N + M), store(x * x), store(x, 1))
    assert becomes(before, after)


def test_a_bigger_value_takes_its_parts_along() -> None:
    x, y = value(), value()
    before = module_of(store((N + M) * 3), store((N + M) * 3, 1), store(N + M, 2))
    after = module_of(Bind(x, N + M), Bind(y, x * 3), store(y), store(y, 1), store(x, 2))
    assert becomes(before, after)
    before = module_of(store((N + M) * 3), store((N + M) * 3, 1))
    assert becomes(before, module_of(Bind(x, (N + M) * 3), store(x), store(x, 1)))


def test_a_value_of_both_branches_is_bound_before_them() -> None:
    x = value()
    before = module_of(IfThenElse(N > 0, store(N * M + 1), store(N * M + 2)))
    after = module_of(Bind(x, N * M), IfThenElse(N > 0, store(x + 1), store(x + 2)))
    assert becomes(before, after)


def test_a_value_stays_in_the_loop_that_holds_all_its_computations() -> None:
    x, i = value(), Var("i")
    before = module_of(loop(store((i + N) * (i + N)), i))
    assert becomes(before, module_of(loop(SeqStmt([Bind(x, i + N), store(x * x)]), i)))
    assert stays(loop(store(N + M)))


def test_values_of_other_variables_of_one_name_differ() -> None:
    i, j = Var("i"), Var("i")
    assert stays(loop(store(i + N), i), loop(store(j + N), j))
    # The same variable, bound twice, has two values.
    assert stays(loop(store(i + N), i), loop(store(i + N, 1), i))


def test_what_reads_memory_or_calls_is_computed_as_often_as_before() -> None:
    load = BufferLoad(A, [const(3)])
    assert stays(store(load), store(load + 1), store(load + 1))
    call = Call("int32", GlobalVar("f"), [N])
    assert stays(store(call), store(call))
    assert stays(store(call + 1), store(call + 1))
    x = value()
    before = module_of(store(BufferLoad(A, [N * 2])), store(BufferLoad(A, [N * 2])))
    after = module_of(Bind(x, N * 2), store(BufferLoad(A, [x])), store(BufferLoad(A, [x])))
    assert becomes(before, after)


def test_a_division_that_may_fail_is_not_moved_to_where_it_may_not_be_computed() -> None:
    quotient = floordiv(M, N)
    assert stays(IfThenElse(N > 0, store(quotient + 1), store(quotient + 2)))
    lazy = call_intrin("int32", "tir.if_then_else", [N > 0, quotient + 1, quotient + 2])
    assert stays(store(lazy))
    x = value()
    eager = module_of(store(Select(N > 0, quotient, quotient + 1)))
    assert becomes(eager, module_of(Bind(x, quotient), store(Select(N > 0, x, x + 1))))
    before = module_of(store(quotient), IfThenElse(N > 0, store(quotient + 1)))
    assert becomes(before, module_of(Bind(x, quotient), store(x), IfThenElse(N > 0, store(x + 1))))


def test_variables_inside_of_expressions_stay_inside() -> None:
    x, y = Var("x"), value()
    let = Let(x, BufferLoad(A, [const(0)]), (x + 1) * (x + 1))
    assert stays(store(let))
    before = module_of(store(Let(x, N, x + (N + M)) + (N + M)))
    after = module_of(Bind(y, N + M), store(Let(x, N, x + y) + y))
    assert becomes(before, after)


def test_notes_keep_their_values() -> None:
    note = AttrStmt(None, "note", N + M, store(N + M))
    assert stays(note)
    shared = N + M
    x = value()
    before = module_of(AttrStmt(None, "note", shared, store(shared * shared)))
    after = module_of(AttrStmt(None, "note", N + M, SeqStmt([Bind(x, N + M), store(x * x)])))
    assert becomes(before, after)


def test_a_second_run_finds_nothing() -> None:
    once = CommonSubexprElim()(module_of(store((N + M) * (N + M)), store(N + M, 1)))
    assert CommonSubexprElim()(once).same_as(once)


def test_spans_are_kept() -> None:
    span = Span(SourceName("a.py"), 1, 2, 1, 5)
    first = BufferStore(A, N + M, [const(0)], span=span)
    module = CommonSubexprElim()(module_of(first, store(N + M, 1)))
    main = module.lookup("main")
    assert isinstance(main, PrimFunc) and isinstance(main.body, SeqStmt)
    assert main.body.seq[1].span == span


def test_shared_expressions_take_time_linear_in_their_number() -> None:
    expr: PrimExpr = N
    for _ in range(200):
        expr = expr + expr
    module = CommonSubexprElim()(module_of(store(expr)))
    main = module.lookup("main")
    assert isinstance(main, PrimFunc) and isinstance(main.body, SeqStmt)
    assert len(main.body.seq) == 200


def test_statements_that_stand_in_two_places() -> None:
    shared = SeqStmt([store(N + M), store(N + M, 1)])
    before = module_of(IfThenElse(N > 0, shared), IfThenElse(M > 0, shared))
    assert not CommonSubexprElim()(before).same_as(before)
    x = value()
    inner = [IfThenElse(cond, SeqStmt([store(x), store(x, 1)])) for cond in (N > 0, M > 0)]
    assert becomes(before, module_of(Bind(x, N + M), *inner))
    assert stays(Evaluate(N + M))


def test_values_of_the_variables_of_a_block_stay_in_it() -> None:
    v, i = value(), value("i")
    axis = IterVar(v, Range(const(0), const(3)), IterVarType.DATA_PAR)
    block = Block([axis], [], [], "block", store(v * 3), init=store(v * 3, 1))
    before = module_of(loop(BlockRealize([i], IntImm("bool", 1), block), i))
    after = CommonSubexprElim()(before)
    assert [problem.message for problem in verify(after)] == []
    plain = Block([axis], [], [], "block", SeqStmt([store(v * 3), store(v * 3, 1)]))
    before = module_of(loop(BlockRealize([i], IntImm("bool", 1), plain), i))
    assert not CommonSubexprElim()(before).same_as(before)


def test_conditions_stay_and_their_parts_are_bound() -> None:
    assert stays(IfThenElse(N < M, store(const(0))), IfThenElse(N < M, store(const(1))))
    both = And(N < 3, M < N)
    assert stays(IfThenElse(both, store(const(0))), IfThenElse(both, store(const(1))))
    x, y = value(), value()
    condition = N + 3 < M * 2
    before = module_of(IfThenElse(condition, store(const(0))), IfThenElse(condition, store(M)))
    bound = x < y
    after = module_of(
        Bind(x, N + 3),
        Bind(y, M * 2),
        IfThenElse(bound, store(const(0))),
        IfThenElse(bound, store(M)),
    )
    assert becomes(before, after)


def test_a_choice_is_bound_with_its_condition() -> None:
    x = value()
    choice = Select(N + 1 < M, N, M)
    other = Select(N + 1 < M, N, M)
    assert becomes(
        module_of(store(choice), store(other, 1)), module_of(Bind(x, choice), store(x), store(x, 1))
    )


def test_values_of_threads_that_are_launched_twice_stay_below_the_launches() -> None:
    axis = IterVar(M, None, IterVarType.THREAD_INDEX, "threadIdx.x")
    shared = N * 5
    launches = [
        AttrStmt(axis, "thread_extent", const(4), store(shared + (M * 33 + 8), place))
        for place in range(2)
    ]
    body = SeqStmt([*launches, store(shared)])
    after = CommonSubexprElim()(
        IRModule({GlobalVar("main"): PrimFunc([H, N], body, buffer_map={H: A})})
    )
    assert verify(after) == []
    bound = after["main"].body.seq[0]
    assert isinstance(bound, Bind)
    assert structural_equal(bound.value, shared)
