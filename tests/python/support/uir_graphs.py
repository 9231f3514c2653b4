"""Random uir objects: the rules of the nodes that check more than the types of their operands.

Out: `GRAPHS`, strategies of every type of uir.  Numbers are mostly `int32` scalars and conditions
`bool` scalars, so that operands fit each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tschema.ir.model import Type
from tschema.testing import Draw, Graphs
from uir import relay
from uir.ir import IntImm, StringImm
from uir.te import PlaceholderOp
from uir.tir import Buffer, Evaluate, Var

from .project import ROOT

__all__ = ["GRAPHS"]

_NAMES = st.sampled_from(["x", "y", "i", "n", "a name that is longer than a word"])


def _number(make: Draw, depth: int) -> Any:
    """Return an `int32` scalar."""
    return make.node(
        "uir.ir.PrimExpr",
        depth - 1,
        where=lambda node: node.dtype == "int32",
        otherwise=lambda: IntImm("int32", make.draw(st.integers(-9, 9))),
    )


def _condition(make: Draw, depth: int) -> Any:
    """Return a `bool` scalar."""
    return make.node(
        "uir.ir.PrimExpr",
        depth - 1,
        where=lambda node: node.dtype == "bool",
        otherwise=lambda: IntImm("bool", make.draw(st.integers(0, 1))),
    )


def _variable(make: Draw, dtype: str = "int32", *, fresh: bool = True) -> Any:
    return make.node(
        "uir.tir.Var",
        0,
        where=lambda node: node.dtype == dtype,
        otherwise=lambda: Var(make.draw(_NAMES), dtype),
        fresh=fresh,
    )


def _several(make: Draw, one: Callable[[Draw, int], Any], depth: int, low: int = 0) -> list[Any]:
    """Return a few values, as few as there may be where no level is left."""
    size = make.draw(st.integers(low, 3)) if depth > 0 else low
    return [one(make, depth) for _ in range(size)]


def _imm(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    if make.draw(st.integers(0, 3)):
        return {"dtype": "int32", "value": make.draw(st.integers(-(2**31), 2**31 - 1))}
    return {"dtype": "bool", "value": make.draw(st.integers(0, 1))}


def _float(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"dtype": "float32", "value": make.draw(st.floats(width=32))}


def _var(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"name": make.draw(_NAMES), "dtype": "int32"}


def _binary(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"a": _number(make, depth), "b": _number(make, depth)}


def _logical(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    names = [field.name for field in make.graphs.schema.fields(type_) if field.name in "ab"]
    return {name: _condition(make, depth) for name in names}


def _select(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {
        "condition": _condition(make, depth),
        "true_value": _number(make, depth),
        "false_value": _number(make, depth),
    }


def _cast(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    dtype = make.draw(st.sampled_from(["int32", "int64", "float32"]))
    return {"dtype": dtype, "value": _number(make, depth)}


def _let(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"var": _variable(make), "value": _number(make, depth), "body": _number(make, depth)}


def _ramp(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    lanes = make.draw(st.integers(2, 8))
    return {"base": _number(make, depth), "stride": _number(make, depth), "lanes": lanes}


def _broadcast(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"value": _number(make, depth), "lanes": make.draw(st.integers(2, 8))}


def _shuffle(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    vectors = _several(make, _number, depth, low=1)
    index = make.draw(st.integers(0, len(vectors) - 1))
    return {"vectors": vectors, "indices": [IntImm("int32", index)] * make.draw(st.integers(1, 3))}


def _call(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    callee = make.node("uir.ir.GlobalVar", 0)
    return {"dtype": "int32", "op": callee, "args": _several(make, _number, depth)}


def _buffer(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {
        "data": _variable(make, "handle"),
        "dtype": "int32",
        "shape": _several(make, _number, depth, low=1),
        "name": make.draw(_NAMES),
    }


def _some_buffer(make: Draw, depth: int) -> Any:
    def otherwise() -> Any:
        return Buffer(Var("data", "handle"), "int32", [IntImm("int32", 4)])

    return make.node("uir.tir.Buffer", depth - 1, otherwise=otherwise)


def _load(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    buffer = _some_buffer(make, depth)
    return {"buffer": buffer, "indices": [_number(make, depth) for _ in buffer.shape]}


def _store(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {**_load(make, type_, depth), "value": _number(make, depth)}


def _region(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    buffer = _some_buffer(make, depth)
    return {
        "buffer": buffer,
        "region": [make.node("uir.ir.Range", depth - 1) for _ in buffer.shape],
    }


def _match(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    source = make.node("uir.tir.BufferRegion", depth - 1)
    return {"buffer": source.buffer, "source": source}


def _producer_load(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    producer = make.node("uir.tir.DataProducer", depth - 1)
    return {"producer": producer, "indices": [_number(make, depth) for _ in producer.shape]}


def _producer(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"shape": _several(make, _number, depth), "dtype": "int32", "name": make.draw(_NAMES)}


def _range(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"min": _number(make, depth), "extent": _number(make, depth)}


def _iter_var(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    iter_type = make.draw(st.sampled_from([0, 1, 2, 3]))
    dom = make.node("uir.ir.Range", depth - 1)
    return {"var": _variable(make), "dom": dom, "iter_type": iter_type}


def _combiner(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {
        "lhs": [_variable(make)],
        "rhs": [_variable(make)],
        "result": [_number(make, depth)],
        "identity_element": [_number(make, depth)],
    }


def _reduce(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {
        "combiner": make.node("uir.tir.CommReducer", depth - 1),
        "axis": [make.node("uir.tir.IterVar", depth - 1)],
        "source": [_number(make, depth)],
        "condition": _condition(make, depth),
    }


def _statement(make: Draw, depth: int) -> Any:
    def otherwise() -> Any:
        return Evaluate(IntImm("int32", 0))

    def is_single(node: Any) -> bool:
        return type(node).__name__ != "SeqStmt"

    return make.node("uir.tir.Stmt", depth - 1, where=is_single, otherwise=otherwise)


def _bind(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"var": _variable(make), "value": _number(make, depth)}


def _attr_stmt(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {
        "node": make.draw(st.none() | st.integers(0, 9)),
        "attr_key": make.draw(_NAMES),
        "value": _number(make, depth),
        "body": _statement(make, depth),
    }


def _assert_stmt(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"kind": StringImm("ValueError"), "condition": _condition(make, depth)}


def _seq(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"seq": _several(make, _statement, depth)}


def _branch(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    arguments = {"condition": _condition(make, depth), "then_case": _statement(make, depth)}
    if make.draw(st.booleans()):
        arguments["else_case"] = _statement(make, depth)
    return arguments


def _for(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {
        "loop_var": _variable(make),
        "min": _number(make, depth),
        "extent": _number(make, depth),
        "kind": make.draw(st.integers(0, 3)),
        "body": _statement(make, depth),
        "annotations": make.draw(st.dictionaries(_NAMES, st.integers(0, 3), max_size=2)),
    }


def _while(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"condition": _condition(make, depth), "body": _statement(make, depth)}


def _realize(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    block = make.node("uir.tir.Block", depth - 1)
    values = [_number(make, depth) for _ in block.iter_vars]
    return {"iter_values": values, "predicate": _condition(make, depth), "block": block}


def _function(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    params = [_variable(make) for _ in range(make.draw(st.integers(0, 2)))]
    arguments: dict[str, Any] = {"body": _statement(make, depth)}
    if make.draw(st.booleans()):
        handle = Var("a_handle", "handle")
        params.append(handle)
        arguments["buffer_map"] = {handle: _some_buffer(make, depth)}
    return {"params": params, **arguments}


def _tensor(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    shape = _several(make, _number, depth)
    return {"op": PlaceholderOp(make.draw(_NAMES), shape, "float32")}


def _relay(make: Draw, depth: int) -> Any:
    """Return a value of relay: operators are the registered ones, and tensors are no nodes."""
    is_tuple = depth > 0 and make.draw(st.booleans())
    return make.node("uir.relay.Tuple" if is_tuple else "uir.relay.Var", depth - 1)


def _untyped(make: Draw) -> Any:
    return relay.Var(make.draw(_NAMES))


def _relay_call(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    return {"op": _untyped(make), "args": _several(make, _relay, depth)}


def _relay_block(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    bindings = make.draw(st.integers(0, 2)) if depth > 0 else 0
    return {
        "bindings": [make.node("uir.relay.Binding", depth - 1) for _ in range(bindings)],
        "result": _relay(make, depth),
    }


def _relay_if(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    block = relay.Block([], _untyped(make))
    return {"condition": _untyped(make), "true_branch": block, "false_branch": block}


def _relay_while(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    params = [
        relay.Var(name, relay.Tensor(())) for name in ("s", "t")[: make.draw(st.integers(1, 2))]
    ]
    return {
        "params": params,
        "condition": _untyped(make),
        "initial": [_untyped(make) for _ in params],
        "body": relay.Block([], _untyped(make)),
    }


def _relay_function(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    param = relay.Var(make.draw(_NAMES), relay.Tensor((make.draw(st.integers(0, 9)),)))
    return {
        "params": [param] if make.draw(st.booleans()) else [],
        "body": make.node("uir.relay.Block", depth - 1),
    }


def _iter_mark(make: Draw, type_: Type, depth: int) -> dict[str, Any]:
    is_fused = depth > 1 and make.draw(st.booleans())
    source = make.node("uir.arith.IterSumExpr", depth - 1) if is_fused else _number(make, depth)
    return {"source": source, "extent": _number(make, depth)}


GRAPHS = Graphs(
    ROOT / "generated" / "schema.json",
    {
        "uir.arith.IterMark": _iter_mark,
        "uir.ir.IntImm": _imm,
        "uir.ir.FloatImm": _float,
        "uir.ir.Range": _range,
        "uir.ir.TensorType": lambda make, type_, depth: {
            "shape": _several(make, _number, depth),
            "dtype": "float32",
        },
        "uir.tir.Var": _var,
        "uir.tir.BinaryOp": _binary,
        "uir.tir.CmpOp": _binary,
        "uir.tir.LogicOp": _logical,
        "uir.tir.And": _logical,
        "uir.tir.Or": _logical,
        "uir.tir.Not": _logical,
        "uir.tir.Select": _select,
        "uir.tir.Cast": _cast,
        "uir.tir.Let": _let,
        "uir.tir.Ramp": _ramp,
        "uir.tir.Broadcast": _broadcast,
        "uir.tir.Shuffle": _shuffle,
        "uir.tir.Call": _call,
        "uir.tir.Buffer": _buffer,
        "uir.tir.BufferLoad": _load,
        "uir.tir.BufferStore": _store,
        "uir.tir.BufferRegion": _region,
        "uir.tir.MatchBufferRegion": _match,
        "uir.tir.DataProducer": _producer,
        "uir.tir.ProducerLoad": _producer_load,
        "uir.tir.IterVar": _iter_var,
        "uir.tir.CommReducer": _combiner,
        "uir.tir.Reduce": _reduce,
        "uir.tir.Bind": _bind,
        "uir.tir.AttrStmt": _attr_stmt,
        "uir.tir.AssertStmt": _assert_stmt,
        "uir.tir.SeqStmt": _seq,
        "uir.tir.IfThenElse": _branch,
        "uir.tir.For": _for,
        "uir.tir.While": _while,
        "uir.tir.BlockRealize": _realize,
        "uir.tir.PrimFunc": _function,
        "uir.te.Tensor": _tensor,
        "uir.relay.Tuple": lambda make, type_, depth: {"fields": _several(make, _relay, depth)},
        "uir.relay.TupleGetItem": lambda make, type_, depth: {
            "tuple_value": _untyped(make),
            "index": make.draw(st.integers(0, 3)),
        },
        "uir.relay.Call": _relay_call,
        "uir.relay.Binding": lambda make, type_, depth: {
            "var": make.node("uir.relay.Var", 0),
            "value": _relay(make, depth),
        },
        "uir.relay.Block": _relay_block,
        "uir.relay.If": _relay_if,
        "uir.relay.While": _relay_while,
        "uir.relay.Function": _relay_function,
    },
)
