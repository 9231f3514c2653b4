"""Nodes of high-level functions check their operands, know their types and survive copies."""

from __future__ import annotations

import copy
import pickle

import pytest
import tvm_ffi

from uir import ir, relay, tir
from uir.relay import Tensor

X = relay.Var("x", Tensor((2, 3)))
Y = relay.Var("y", Tensor((2, 3)))
ONES = relay.const([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])


def identity(param: relay.Var) -> relay.Function:
    return relay.Function([param], relay.Block([], param))


def test_types_follow_from_operands() -> None:
    pair = relay.Tuple([X, relay.const(1, "int64")])
    assert ir.structural_equal(
        pair.checked_type, ir.TupleType([Tensor((2, 3)), Tensor((), "int64")])
    )
    assert ir.structural_equal(relay.TupleGetItem(pair, 1).checked_type, Tensor((), "int64"))
    assert relay.Tuple([relay.Var("untyped")]).checked_type is None
    func = identity(X)
    assert ir.structural_equal(func.ret_type, Tensor((2, 3)))
    assert ir.structural_equal(func.func_type(), ir.FuncType([Tensor((2, 3))], Tensor((2, 3))))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: relay.TupleGetItem(X, 0), "must be a tuple, got `relay.Tensor"),
        (lambda: relay.TupleGetItem(relay.Tuple([X]), 1), "must be below 1, .* got 1"),
        (lambda: relay.TupleGetItem(relay.Tuple([X]), -1), "must not be negative"),
        (lambda: relay.If(X, relay.Block([], X), relay.Block([], X)), "must be a tensor of shape"),
        (
            lambda: relay.If(
                relay.const(True), relay.Block([], X), relay.Block([], relay.const(1.0))
            ),
            "both branches must have the same type",
        ),
        (lambda: relay.Function([X, X], relay.Block([], X)), "`x` occurs twice"),
        (lambda: identity(relay.Var("x")), "parameter `x` must have a type annotation"),
        (lambda: relay.call_destination_passing(X, [], Tensor(())), "must be a GlobalVar or an"),
        (
            lambda: relay.call_destination_passing(ir.ExternFunc("f"), [], []),
            "there must be an output",
        ),
        (
            lambda: relay.call_destination_passing(ir.ExternFunc("f"), [], ir.TupleType()),
            "an output must be a tensor",
        ),
        (lambda: relay.Call(X, []), "`op` must be a function, got `relay.Tensor"),
        (lambda: relay.const([[1], [1, 2]]), "must have the same lengths"),
        (lambda: relay.const(300, "int8"), "300 does not fit the data type `int8`"),
        (lambda: Tensor(("n", 4)), 'got "n": make a variable, `n = uir.tir.SizeVar'),
        (
            lambda: Tensor((4, 2.5)),
            "must be an integer or an expression, got `2.5` of type `float`",
        ),
        (lambda: Tensor(4), "`shape` must be a sequence of extents, got `4`"),
    ],
)
def test_wrong_operands_are_refused(make: object, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        make()  # type: ignore[operator]


def test_equality_is_up_to_the_names_of_variables() -> None:
    other = relay.Var("other", Tensor((2, 3)))
    wider = relay.Var("x", Tensor((2, 4)))
    assert ir.structural_equal(identity(X), identity(other))
    assert ir.structural_hash(identity(X)) == ir.structural_hash(identity(other))
    assert not ir.structural_equal(identity(X), identity(wider))


def test_constant_dimensions_have_one_form() -> None:
    for dtype in ("int8", "int64", "uint16"):
        assert ir.structural_equal(
            ir.TensorType([ir.IntImm(dtype, 7)], "bool"), Tensor((7,), "bool")
        )
    assert str(Tensor((2**40,)).shape[0].dtype) == "int64"


def test_dimensions_are_bound_by_parameters() -> None:
    n, m = tir.SizeVar("n"), tir.SizeVar("m")

    def square(rows: tir.SizeVar, columns: tir.SizeVar) -> relay.Function:
        return identity(relay.Var("x", Tensor((rows, columns))))

    assert ir.structural_equal(square(n, n), square(m, m))
    assert not ir.structural_equal(square(n, m), square(n, n))


def test_constants_compare_by_elements() -> None:
    assert ir.structural_equal(relay.const([1, 2]), relay.const([1, 2]))
    assert not ir.structural_equal(relay.const([1, 2]), relay.const([1, 3]))
    assert not ir.structural_equal(relay.const([1, 2]), relay.const([[1, 2]]))
    assert not ir.structural_equal(relay.const(1, "int32"), relay.const(1, "int64"))


@pytest.mark.parametrize("copied", ["json", "binary", "pickle", "deepcopy"])
def test_copies_keep_tensors_and_their_sharing(copied: str) -> None:
    makers = {
        "json": lambda node: ir.load_json(ir.save_json(node)),
        "binary": lambda node: ir.load_binary(ir.save_binary(node)),
        "pickle": lambda node: pickle.loads(pickle.dumps(node)),
        "deepcopy": copy.deepcopy,
    }
    made = makers[copied](relay.Tuple([ONES, ONES, relay.const(0.5, "float16")]))
    assert made.fields[0].same_as(made.fields[1]) and not made.fields[0].same_as(ONES)
    assert ir.structural_equal(made, relay.Tuple([ONES, ONES, relay.const(0.5, "float16")]))
    assert ir.structural_equal(made.checked_type.fields[2], Tensor((), "float16"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"shape":[2],"dtype":"int8","data":"AAA="}', None),
        ('{"shape":[3],"dtype":"int8","data":"AAA="}', "a tensor of 3 bytes has 2 bytes of data"),
        ('{"shape":[-1],"dtype":"int8","data":""}', "must not have the extent -1"),
        ('{"shape":[4611686018427387904,8],"dtype":"int8","data":""}', "is too large"),
        ('{"shape":[2],"dtype":"int8","data":"A*A="}', "is not base64"),
        ('{"shape":[2],"dtype":"int8","data":"AAA"}', "is not base64"),
        ('{"shape":[2],"dtype":"int8"}', "a tensor must have `data`"),
        ("[]", "the data of a tensor must be an object"),
    ],
)
def test_damaged_tensors_are_refused(data: str, message: str | None) -> None:
    text = (
        '{"metadata":{"tschema_json":1},"nodes":[{"type":"ffi.Tensor","data":%s}],"root_index":0}'
    )
    if message is None:
        assert isinstance(ir.load_json(text % data), tvm_ffi.Tensor)
        return
    with pytest.raises((TypeError, ValueError), match=message):
        ir.load_json(text % data)


def test_tvm_ffis_reader_makes_tensors_and_its_writer_refuses_them_by_name() -> None:
    """Hooks of ours on `ffi.Tensor` would end the process when TVM registers its own."""
    with pytest.raises(TypeError, match=r"`ffi\.Tensor` does not support ToJSONGraph"):
        tvm_ffi.serialization.to_json_graph_str(ONES)
    program = relay.Tuple([ONES])
    loaded = tvm_ffi.serialization.from_json_graph_str(ir.save_json(program))
    assert ir.structural_equal(loaded, program)


def test_functors_dispatch_on_the_nodes() -> None:
    class Names(relay.RelayExprVisitor):
        def __init__(self) -> None:
            self.names: list[str] = []

        def visit_var(self, node: relay.Var, /) -> None:
            self.names.append(node.name)

    class Swap(relay.RelayExprMutator):
        def visit_var(self, node: relay.Var, /) -> relay.Var:
            return Y if node.same_as(X) else node

    pair = relay.Tuple([X, relay.Tuple([X, ONES])])
    names = Names()
    names.visit(pair)
    assert names.names == ["x", "x"]
    assert ir.structural_equal(Swap().visit(pair), relay.Tuple([Y, relay.Tuple([Y, ONES])]))
