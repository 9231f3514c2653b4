"""Builders type bindings as they are made; InferType types the rest of a module."""

from __future__ import annotations

import pytest

from uir import ir, relay, tir
from uir.relay import Tensor
from uir.transform import InferType

CALLEE = ir.GlobalVar("te_add_one")
MAIN = ir.GlobalVar("main")


def add_one() -> tir.PrimFunc:
    n = tir.SizeVar("n")
    with tir.builder() as ib:
        a, b = ib.buffer_param("A", (n, 16)), ib.buffer_param("B", (n, 16))
        with ib.for_range(n, name="i") as i, ib.for_range(16, name="j") as j:
            b[i, j] = a[i, j] + 1.0
    return ib.prim_func("te_add_one")


def relay_add_one(rows: tir.SizeVar) -> relay.Function:
    rb = relay.builder()
    x = rb.param("x", Tensor((rows, 16)))
    y = rb.emit(relay.call_destination_passing(CALLEE, [x], Tensor((rows, 16))), "y")
    return rb.make_func(y)


def module(func: relay.Function) -> ir.IRModule:
    return ir.IRModule({CALLEE: add_one(), MAIN: func})


def test_a_builder_types_bindings_and_normalizes() -> None:
    rb = relay.builder()
    x = rb.param("x", Tensor((2,)))
    item = rb.emit(relay.TupleGetItem(relay.Tuple([x, relay.Tuple([x])]), 1), "item")
    assert ir.structural_equal(item.type_annotation, ir.TupleType([Tensor((2,))]))
    func = rb.make_func(relay.TupleGetItem(item, 0))
    assert [binding.var.name for binding in func.body.bindings] == ["item", "v1"]
    assert func.body.result.same_as(func.body.bindings[1].var)
    with pytest.raises(ValueError, match="an operand has no type"):
        rb.emit(relay.TupleGetItem(relay.Var("untyped"), 0))


def test_nested_calls_are_bound_first() -> None:
    rb = relay.builder()
    x = rb.param("x", Tensor((2,)))
    inner = relay.call_destination_passing(CALLEE, [x], Tensor((2,)))
    rb.emit(relay.call_destination_passing(CALLEE, [inner], Tensor((2,))), "outer")
    values = [binding.value for binding in rb.bindings]
    assert values[0].same_as(inner) and values[1].args[1].same_as(rb.bindings[0].var)


def test_func_type_of_a_prim_func() -> None:
    found = tir.func_type_of(add_one())
    n = tir.SizeVar("n")
    expected = ir.FuncType([Tensor((n, 16)), Tensor((n, 16))], ir.TupleType())
    relation = [relay.Var("f", type_) for type_ in (found, expected)]
    funcs = [relay.Function([var], relay.Block([], var)) for var in relation]
    assert ir.structural_equal(*funcs)


def test_typed_modules_stay() -> None:
    typed = module(relay_add_one(tir.SizeVar("n")))
    assert InferType()(typed).same_as(typed)


def test_calls_of_functions_bind_dimensions() -> None:
    n = tir.SizeVar("n")
    x = relay.Var("x", Tensor((4, 16)))
    y, z = relay.Var("y"), relay.Var("z")
    callee = ir.GlobalVar("callee")
    bindings = [relay.Binding(y, relay.Call(callee, [x])), relay.Binding(z, relay.Tuple([y]))]
    caller = relay.Function([x], relay.Block(bindings, z))
    before = ir.IRModule({MAIN: caller, callee: relay_add_one(n), CALLEE: add_one()})
    after = InferType()(before)
    func = after.lookup("main")
    assert ir.structural_equal(func.ret_type, ir.TupleType([Tensor((4, 16))]))
    assert ir.structural_equal(func.body.bindings[0].var.type_annotation, Tensor((4, 16)))
    assert after.lookup("callee").same_as(before.lookup("callee"))
    assert InferType()(after).same_as(after)


def caller(*shapes: tuple[int | tir.SizeVar, ...]) -> ir.IRModule:
    """Return a module that calls a function of (n, 16) with an argument of each shape."""
    x = [relay.Var(f"x{i}", Tensor(shape)) for i, shape in enumerate(shapes)]
    y = relay.Var("y")
    block = relay.Block([relay.Binding(y, relay.Call(ir.GlobalVar("f"), x))], y)
    return ir.IRModule({MAIN: relay.Function(x, block)})


def with_callee(before: ir.IRModule) -> ir.IRModule:
    var = before.lookup("main").body.bindings[0].value.op
    n = tir.SizeVar("n")
    params = [relay.Var("a", Tensor((n, 16))), relay.Var("b", Tensor((n, n)))]
    return ir.with_function(before, var, relay.Function(params, relay.Block([], params[0])))


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((4, 16), (4, 4)), None),
        (((4, 16), (4, 5)), "argument 1: dimension 1 is 5, expected 4 for `n`"),
        (((4, 17), (4, 4)), "argument 0: dimension 1 is 17, expected 16 for `16`"),
        (((4,), (4, 4)), r"argument 0 has shape \(4,\), expected \(n, 16\)"),
        (((4, 16),), "the function takes 2 arguments, got 1"),
    ],
)
def test_arguments_are_checked(shapes: tuple[tuple[int, ...], ...], message: str | None) -> None:
    before = with_callee(caller(*shapes))
    if message is None:
        assert InferType()(before).lookup("main").ret_type is not None
        return
    with pytest.raises(TypeError, match=message):
        InferType()(before)


def test_what_is_not_proved_is_assumed() -> None:
    m, k = tir.SizeVar("m"), tir.SizeVar("k")
    after = InferType()(with_callee(caller((m, 16), (m, k))))
    assumed = after.lookup("main").attrs.dict["shape_assumptions"]
    assert len(assumed) == 1 and ir.structural_equal(assumed[0], tir.EQ(m, k))


def test_a_missing_function_and_an_untyped_recursion_are_errors() -> None:
    with pytest.raises(ValueError, match="the module has no function `f`"):
        InferType()(caller((4, 16)))
    x, y = relay.Var("x", Tensor((2,))), relay.Var("y")
    loop = relay.Function([x], relay.Block([relay.Binding(y, relay.Call(MAIN, [x]))], y))
    with pytest.raises(TypeError, match="the recursive function `main` must have a type"):
        InferType()(ir.IRModule({MAIN: loop}))


def test_a_wrong_type_of_the_result_is_an_error() -> None:
    x = relay.Var("x", Tensor((2,)))
    func = relay.Function([x], relay.Block([], x), Tensor((3,)))
    with pytest.raises(TypeError, match="the result: dimension 0 is 2, expected 3"):
        InferType()(ir.IRModule({MAIN: func}))


def passing(*arguments: ir.Type, outputs: list[ir.Type]) -> ir.IRModule:
    """Return a module that passes arguments of some types to `te_add_one`."""
    params = [relay.Var(f"x{place}", type_) for place, type_ in enumerate(arguments)]
    call = relay.call_destination_passing(CALLEE, params, outputs)
    return module(relay.Function(params, relay.Block([], call)))


def test_the_number_of_parameters_is_compared() -> None:
    kind = Tensor((4, 16))
    with pytest.raises(
        TypeError, match="`te_add_one` has 2 parameters, got 2 arguments and 1 outp"
    ):
        InferType()(passing(kind, kind, outputs=[kind]))
    callee = relay.Function([], relay.Block([], relay.const(1.0)))
    wrong = ir.with_function(passing(kind, outputs=[kind]), CALLEE, callee)
    with pytest.raises(TypeError, match="`te_add_one` is a `uir.relay.Function`, which"):
        InferType()(wrong)


def test_dimensions_bind_in_any_order() -> None:
    n = tir.SizeVar("n")
    params = [relay.Var("a", Tensor((n * 2,))), relay.Var("b", Tensor((n,)))]
    callee = relay.Function(params, relay.Block([], params[0]))
    x, y = relay.Var("x", Tensor((8,))), relay.Var("y", Tensor((4,)))
    call = relay.Call(ir.GlobalVar("f"), [x, y])
    main = relay.Function([x, y], relay.Block([], call))
    after = InferType()(ir.IRModule({MAIN: main, call.op: callee}))
    assert ir.structural_equal(after.lookup("main").ret_type, Tensor((8,)))
    assert "shape_assumptions" not in after.lookup("main").attrs.dict


def test_what_a_callee_assumes_is_assumed_by_its_callers() -> None:
    n, m, p, q = (tir.SizeVar(name) for name in "nmpq")
    a, b = relay.Var("a", Tensor((n,))), relay.Var("b", Tensor((m,)))
    callee = relay.Function([a, b], relay.Block([], relay.add(a, b)))
    x, y = relay.Var("x", Tensor((p,))), relay.Var("y", Tensor((q,)))
    var = ir.GlobalVar("f")
    main = relay.Function([x, y], relay.Block([], relay.Call(var, [x, y])))
    after = InferType()(ir.IRModule({MAIN: main, var: callee}))
    for name, pair in (("f", (n, m)), ("main", (p, q))):
        (assumed,) = after.lookup(name).attrs.dict["shape_assumptions"]
        assert ir.structural_equal(assumed, tir.EQ(*pair))
    assert InferType()(after).same_as(after)
    x, y = relay.Var("x", Tensor((4,))), relay.Var("y", Tensor((5,)))
    main = relay.Function([x, y], relay.Block([], relay.Call(var, [x, y])))
    with pytest.raises(TypeError, match="the function assumes `n == m`, which does not hold"):
        InferType()(ir.IRModule({MAIN: main, var: callee}))


def untyped(func: relay.Function) -> relay.Function:
    """Return a function with the calls of another one, without a type that can be inferred."""
    known: dict[ir.RelayExpr, ir.RelayExpr] = {}
    bindings = []
    for binding in func.body.bindings:
        var = relay.Var(binding.var.name)
        args = [known.get(arg, arg) for arg in binding.value.args]
        bindings.append(relay.Binding(var, relay.Call(binding.value.op, args, binding.value.attrs)))
        known[binding.var] = var
    return relay.Function(func.params, relay.Block(bindings, known[func.body.result]))


def test_equal_calls_share_a_type_and_others_do_not() -> None:
    n = tir.SizeVar("n")
    rb = relay.builder()
    x, y = rb.param("x", Tensor((n, 24))), rb.param("y", Tensor((24,)))
    for _ in range(2):
        for shape in ((n, 2, 12), (n, 3, 8), (n, 4, 6), (n, 6, 4), (n, 8, 3), (n, 12, 2)):
            split = rb.emit(relay.reshape(x, shape))
            rb.emit(relay.sum(split, axis=[-1]))
            rb.emit(relay.sum(split, axis=[-1], keepdims=True))
        rb.emit(relay.softmax(rb.emit(relay.add(x, y)), axis=0))
        last = rb.emit(relay.relu(x))
    built = rb.make_func(last)
    typed = InferType()(ir.IRModule({MAIN: untyped(built)}))[MAIN]
    types = [
        [binding.var.type_annotation for binding in func.body.bindings] for func in (typed, built)
    ]
    assert all(ir.structural_equal(here, there) for here, there in zip(*types, strict=True))
    assert ir.structural_equal(typed.ret_type, built.ret_type)
    half = len(types[0]) // 2
    assert sum(types[0][i].same_as(types[0][half + i]) for i in range(half)) >= half - 6
