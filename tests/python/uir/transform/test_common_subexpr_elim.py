"""What is computed several times is computed once, where that changes nothing else."""

from __future__ import annotations

from uir import ir, tir
from uir.transform import CommonSubexprElim

A = tir.decl_buffer([ir.IntImm("int32", 16)], "int32", "A")
H, N, M = tir.Var("a", "handle"), tir.Var("n"), tir.Var("m")


def store(value: ir.PrimExpr, index: int = 0) -> tir.Stmt:
    return tir.BufferStore(A, value, [tir.const(index)])


def module_of(*stmts: tir.Stmt) -> ir.IRModule:
    body = stmts[0] if len(stmts) == 1 else tir.SeqStmt(stmts)
    return ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([H, N, M], body, buffer_map={H: A})})


def becomes(before: ir.IRModule, after: ir.IRModule) -> bool:
    return ir.structural_equal(CommonSubexprElim()(before), after)


def stays(*stmts: tir.Stmt) -> bool:
    module = module_of(*stmts)
    return CommonSubexprElim()(module).same_as(module)


def value(name: str = "v") -> tir.Var:
    return tir.Var(name)


def loop(
    body: tir.Stmt, variable: tir.Var | None = None, extent: ir.PrimExpr | None = None
) -> tir.For:
    return tir.For(
        tir.Var("i") if variable is None else variable,
        tir.const(0),
        tir.const(3) if extent is None else extent,
        tir.ForKind.SERIAL,
        body,
    )


def test_a_value_is_bound_before_its_first_computation() -> None:
    x = value()
    before = module_of(store(tir.const(1)), store((N + M) * (N + M)), store(N + M, 1))
    after = module_of(store(tir.const(1)), tir.Bind(x, N + M), store(x * x), store(x, 1))
    assert becomes(before, after)


def test_a_bigger_value_takes_its_parts_along() -> None:
    x, y = value(), value()
    before = module_of(store((N + M) * 3), store((N + M) * 3, 1), store(N + M, 2))
    after = module_of(tir.Bind(x, N + M), tir.Bind(y, x * 3), store(y), store(y, 1), store(x, 2))
    assert becomes(before, after)
    before = module_of(store((N + M) * 3), store((N + M) * 3, 1))
    assert becomes(before, module_of(tir.Bind(x, (N + M) * 3), store(x), store(x, 1)))


def test_a_value_of_both_branches_is_bound_before_them() -> None:
    x = value()
    before = module_of(tir.IfThenElse(N > 0, store(N * M + 1), store(N * M + 2)))
    after = module_of(tir.Bind(x, N * M), tir.IfThenElse(N > 0, store(x + 1), store(x + 2)))
    assert becomes(before, after)


def test_a_value_stays_in_the_loop_that_holds_all_its_computations() -> None:
    x, i = value(), tir.Var("i")
    before = module_of(loop(store((i + N) * (i + N)), i))
    assert becomes(before, module_of(loop(tir.SeqStmt([tir.Bind(x, i + N), store(x * x)]), i)))
    assert stays(loop(store(N + M)))


def test_values_of_other_variables_of_one_name_differ() -> None:
    i, j = tir.Var("i"), tir.Var("i")
    assert stays(loop(store(i + N), i), loop(store(j + N), j))
    # The same variable, bound twice, has two values.
    assert stays(loop(store(i + N), i), loop(store(i + N, 1), i))


def test_what_reads_memory_or_calls_is_computed_as_often_as_before() -> None:
    load = tir.BufferLoad(A, [tir.const(3)])
    assert stays(store(load), store(load + 1), store(load + 1))
    call = tir.Call("int32", ir.GlobalVar("f"), [N])
    assert stays(store(call), store(call))
    assert stays(store(call + 1), store(call + 1))
    x = value()
    before = module_of(store(tir.BufferLoad(A, [N * 2])), store(tir.BufferLoad(A, [N * 2])))
    after = module_of(
        tir.Bind(x, N * 2), store(tir.BufferLoad(A, [x])), store(tir.BufferLoad(A, [x]))
    )
    assert becomes(before, after)


def test_a_division_that_may_fail_is_not_moved_to_where_it_may_not_be_computed() -> None:
    quotient = tir.floordiv(M, N)
    assert stays(tir.IfThenElse(N > 0, store(quotient + 1), store(quotient + 2)))
    lazy = tir.call_intrin("int32", "tir.if_then_else", [N > 0, quotient + 1, quotient + 2])
    assert stays(store(lazy))
    x = value()
    eager = module_of(store(tir.Select(N > 0, quotient, quotient + 1)))
    assert becomes(eager, module_of(tir.Bind(x, quotient), store(tir.Select(N > 0, x, x + 1))))
    before = module_of(store(quotient), tir.IfThenElse(N > 0, store(quotient + 1)))
    assert becomes(
        before, module_of(tir.Bind(x, quotient), store(x), tir.IfThenElse(N > 0, store(x + 1)))
    )


def test_a_quotient_by_a_factor_of_the_extent_moves_inside_the_loop() -> None:
    x, i = value(), tir.Var("i")
    quotient = tir.floordiv(i, N)
    twice = tir.SeqStmt([loop(store(quotient + 1)), loop(store(quotient + 2))])
    once = tir.SeqStmt([tir.Bind(x, quotient), loop(store(x + 1)), loop(store(x + 2))])
    for extent in (N, N * M, M * 3 * N):
        assert becomes(module_of(loop(twice, i, extent)), module_of(loop(once, i, extent)))
    # In a loop over the sum, and in front of the loop, the divisor may be 0.
    assert stays(loop(twice, i, N + M))
    constant = tir.floordiv(M, N)
    assert stays(loop(store(constant + 1), i, N), loop(store(constant + 2), i, N))


def test_variables_inside_of_expressions_stay_inside() -> None:
    x, y = tir.Var("x"), value()
    let = tir.Let(x, tir.BufferLoad(A, [tir.const(0)]), (x + 1) * (x + 1))
    assert stays(store(let))
    before = module_of(store(tir.Let(x, N, x + (N + M)) + (N + M)))
    after = module_of(tir.Bind(y, N + M), store(tir.Let(x, N, x + y) + y))
    assert becomes(before, after)


def test_notes_keep_their_values() -> None:
    note = tir.AttrStmt(None, "note", N + M, store(N + M))
    assert stays(note)
    shared = N + M
    x = value()
    before = module_of(tir.AttrStmt(None, "note", shared, store(shared * shared)))
    after = module_of(
        tir.AttrStmt(None, "note", N + M, tir.SeqStmt([tir.Bind(x, N + M), store(x * x)]))
    )
    assert becomes(before, after)


def test_a_second_run_finds_nothing() -> None:
    once = CommonSubexprElim()(module_of(store((N + M) * (N + M)), store(N + M, 1)))
    assert CommonSubexprElim()(once).same_as(once)


def test_spans_are_kept() -> None:
    span = ir.Span(ir.SourceName("a.py"), 1, 2, 1, 5)
    first = tir.BufferStore(A, N + M, [tir.const(0)], span=span)
    module = CommonSubexprElim()(module_of(first, store(N + M, 1)))
    main = module.lookup("main")
    assert isinstance(main, tir.PrimFunc) and isinstance(main.body, tir.SeqStmt)
    assert main.body.seq[1].span == span


def test_shared_expressions_take_time_linear_in_their_number() -> None:
    expr: ir.PrimExpr = N
    for _ in range(200):
        expr = expr + expr
    module = CommonSubexprElim()(module_of(store(expr)))
    main = module.lookup("main")
    assert isinstance(main, tir.PrimFunc) and isinstance(main.body, tir.SeqStmt)
    assert len(main.body.seq) == 200


def test_statements_that_stand_in_two_places() -> None:
    shared = tir.SeqStmt([store(N + M), store(N + M, 1)])
    before = module_of(tir.IfThenElse(N > 0, shared), tir.IfThenElse(M > 0, shared))
    assert not CommonSubexprElim()(before).same_as(before)
    x = value()
    inner = [tir.IfThenElse(cond, tir.SeqStmt([store(x), store(x, 1)])) for cond in (N > 0, M > 0)]
    assert becomes(before, module_of(tir.Bind(x, N + M), *inner))
    assert stays(tir.Evaluate(N + M))


def test_values_of_the_variables_of_a_block_stay_in_it() -> None:
    v, i = value(), value("i")
    axis = tir.IterVar(v, ir.Range(tir.const(0), tir.const(3)), tir.IterVarType.DATA_PAR)
    block = tir.Block([axis], [], [], "block", store(v * 3), init=store(v * 3, 1))
    before = module_of(loop(tir.BlockRealize([i], ir.IntImm("bool", 1), block), i))
    after = CommonSubexprElim()(before)
    assert [problem.message for problem in ir.verify(after)] == []
    plain = tir.Block([axis], [], [], "block", tir.SeqStmt([store(v * 3), store(v * 3, 1)]))
    before = module_of(loop(tir.BlockRealize([i], ir.IntImm("bool", 1), plain), i))
    assert not CommonSubexprElim()(before).same_as(before)


def test_conditions_stay_and_their_parts_are_bound() -> None:
    assert stays(
        tir.IfThenElse(N < M, store(tir.const(0))), tir.IfThenElse(N < M, store(tir.const(1)))
    )
    both = tir.And(N < 3, M < N)
    assert stays(
        tir.IfThenElse(both, store(tir.const(0))), tir.IfThenElse(both, store(tir.const(1)))
    )
    x, y = value(), value()
    condition = N + 3 < M * 2
    before = module_of(
        tir.IfThenElse(condition, store(tir.const(0))), tir.IfThenElse(condition, store(M))
    )
    bound = x < y
    after = module_of(
        tir.Bind(x, N + 3),
        tir.Bind(y, M * 2),
        tir.IfThenElse(bound, store(tir.const(0))),
        tir.IfThenElse(bound, store(M)),
    )
    assert becomes(before, after)


def test_a_choice_is_bound_with_its_condition() -> None:
    x = value()
    choice = tir.Select(N + 1 < M, N, M)
    other = tir.Select(N + 1 < M, N, M)
    assert becomes(
        module_of(store(choice), store(other, 1)),
        module_of(tir.Bind(x, choice), store(x), store(x, 1)),
    )


def test_values_of_threads_that_are_launched_twice_stay_below_the_launches() -> None:
    axis = tir.IterVar(M, None, tir.IterVarType.THREAD_INDEX, "threadIdx.x")
    shared = N * 5
    launches = [
        tir.AttrStmt(axis, "thread_extent", tir.const(4), store(shared + (M * 33 + 8), place))
        for place in range(2)
    ]
    body = tir.SeqStmt([*launches, store(shared)])
    after = CommonSubexprElim()(
        ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([H, N], body, buffer_map={H: A})})
    )
    assert ir.verify(after) == []
    bound = after["main"].body.seq[0]
    assert isinstance(bound, tir.Bind)
    assert ir.structural_equal(bound.value, shared)
