"""One sample of every concrete type of uir, described once for all languages.

Out: `SAMPLES`, in an order in which each one comes after those that it is made of.  A sample gives
every argument of its constructor, and what the fields hold that the constructor sets by itself.
What is written here are plain values and the small classes below; how a language spells them is
for `cpp.py`, `rust.py` and `python.py` to know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, Union

__all__ = [
    "SAMPLES",
    "DType",
    "GlobalFunction",
    "Made",
    "Member",
    "Printed",
    "Sample",
    "Scalar",
    "Value",
]


@dataclass(frozen=True)
class Made:
    """Another sample, by its name."""

    name: str


@dataclass(frozen=True)
class DType:
    """A data type, as tvm-ffi writes it."""

    text: str


@dataclass(frozen=True)
class Member:
    """A member of the enum that the field is declared with."""

    name: str


@dataclass(frozen=True)
class GlobalFunction:
    """A registered function, by its global name."""

    name: str


@dataclass(frozen=True)
class Scalar:
    """A tensor of shape `()` and data type `float32`, by its element."""

    value: float


@dataclass(frozen=True)
class Printed:
    """An object that the constructor makes by itself, by what it prints."""

    text: str


Value: TypeAlias = Union[
    bool, int, float, str, Made, DType, Member, GlobalFunction, Printed, Scalar,
    "list[Value]", "list[tuple[Value, Value]]", None,
]  # fmt: skip
"""What an argument is; a list of pairs stands for a map."""


@dataclass(frozen=True)
class Sample:
    """One object.

    Attributes
    ----------
    name
        How other samples call it.
    key
        Its type key, without the package.
    arguments
        Every argument of the constructor.
    derived
        The fields that are not arguments, or that the constructor changes.
    """

    name: str
    key: str
    arguments: Mapping[str, Value]
    derived: Mapping[str, Value] = field(default_factory=dict)

    @property
    def type_key(self) -> str:
        """The type key."""
        return f"uir.{self.key}"


SPAN = Made("span")
SPANNED: dict[str, Value] = {"span": SPAN}
UNTYPED: dict[str, Value] = {"checked_type": None}
INT32 = {"dtype": DType("int32")}
BOOL = {"dtype": DType("bool")}
LOG = GlobalFunction("uir.ir.describe")


def _operation(key: str, operands: tuple[str, ...], dtype: DType) -> Sample:
    """Describe an expression whose fields are operands and the data type that follows."""
    arguments = dict(zip("ab", map(Made, operands), strict=False))
    return Sample(key.rpartition(".")[2], key, {**arguments, **SPANNED}, {"dtype": dtype})


IR = (
    Sample("source", "ir.SourceName", {"name": "a source whose name is long.py"}),
    Sample(
        "span",
        "ir.Span",
        {"source_name": Made("source"), "line": 3, "column": 5, "end_line": 4, "end_column": 1},
    ),
    Sample("one", "ir.IntImm", {**INT32, "value": 1, **SPANNED}),
    Sample("far", "ir.IntImm", {"dtype": DType("int64"), "value": -(2**62), **SPANNED}),
    Sample("yes", "ir.IntImm", {**BOOL, "value": 1, "span": None}),
    Sample("half", "ir.FloatImm", {"dtype": DType("float16"), "value": -0.5, **SPANNED}),
    Sample("text", "ir.StringImm", {"value": "ValueError", **SPANNED}, {"dtype": DType("handle")}),
    Sample("prim", "ir.PrimType", {"dtype": DType("float32x4"), **SPANNED}),
    Sample(
        "pointer",
        "ir.PointerType",
        {"element_type": Made("prim"), "storage_scope": "shared", **SPANNED},
    ),
    Sample("tuple", "ir.TupleType", {"fields": [Made("prim"), Made("pointer")], **SPANNED}),
    Sample("nothing", "ir.TupleType", {"fields": [], "span": None}),
    Sample(
        "function_type",
        "ir.FuncType",
        {"arg_types": [Made("pointer")], "ret_type": Made("tuple"), **SPANNED},
    ),
    Sample(
        "tensor",
        "ir.TensorType",
        {"shape": [Made("one"), Made("far")], "dtype": DType("bfloat16"), **SPANNED},
    ),
    Sample("range", "ir.Range", {"min": Made("one"), "extent": Made("one"), **SPANNED}),
    Sample("global", "ir.GlobalVar", {"name_hint": "main", **SPANNED}, UNTYPED),
    Sample(
        "attrs",
        "ir.DictAttrs",
        {"dict": [("global_symbol", "main"), ("level", 3), ("node", Made("far")), ("share", 0.5)]},
    ),
    Sample(
        "extern",
        "ir.ExternFunc",
        {"global_symbol": "sgemm", "attrs": Made("attrs"), **SPANNED},
        UNTYPED,
    ),
    Sample(
        "argument",
        "ir.AttrFieldInfo",
        {"name": "x", "type_info": "float32 or float64", "description": "Of any size."},
    ),
    Sample(
        "op",
        "ir.Op",
        {
            "name": "tests.square",
            "description": "Square of a number.",
            "arguments": [Made("argument")],
            "num_inputs": 1,
            **SPANNED,
        },
        UNTYPED,
    ),
    Sample(
        "module",
        "ir.IRModule",
        {"functions": [(Made("global"), Made("extern"))], "attrs": Made("attrs")},
        {"global_var_map_": [("main", Made("global"))]},
    ),
    Sample("sources", "ir.SourceMap", {"sources": [("a.py", "x = 1")]}),
    Sample("note", "ir.Note", {"message": "bound here", "span": SPAN, "node": Made("one")}),
    Sample(
        "diagnostic",
        "ir.Diagnostic",
        {
            "message": "bound twice",
            "severity": Member("WARNING"),
            "span": SPAN,
            "node": Made("far"),
            "root": Made("module"),
            "notes": [Made("note")],
            "help": "rename one of them",
        },
    ),
)

VARS = (
    Sample("x", "tir.Var", {"name": "x", **INT32, "type_annotation": None, **SPANNED}),
    Sample("y", "tir.Var", {"name": "y", **INT32, "type_annotation": None, "span": None}),
    Sample(
        "address",
        "tir.Var",
        {
            "name": "an address with a long name",
            "dtype": DType("handle"),
            "type_annotation": Made("pointer"),
            **SPANNED,
        },
    ),
    Sample(
        "n",
        "tir.SizeVar",
        {"name": "n", "dtype": DType("int64"), "type_annotation": None, **SPANNED},
    ),
)

OPERATIONS = (
    *(
        _operation(f"tir.{name}", ("x", "one"), DType("int32"))
        for name in ("Add", "Sub", "Mul", "Div", "Mod", "FloorDiv", "FloorMod", "Min", "Max")
    ),
    *(
        _operation(f"tir.{name}", ("x", "one"), DType("bool"))
        for name in ("EQ", "NE", "LT", "LE", "GT", "GE")
    ),
    _operation("tir.And", ("EQ", "yes"), DType("bool")),
    _operation("tir.Or", ("yes", "LT"), DType("bool")),
    _operation("tir.Not", ("GE",), DType("bool")),
)

EXPRESSIONS = (
    Sample("cast", "tir.Cast", {"dtype": DType("float32"), "value": Made("x"), **SPANNED}),
    Sample(
        "select",
        "tir.Select",
        {
            "condition": Made("NE"),
            "true_value": Made("x"),
            "false_value": Made("one"),
            **SPANNED,
        },
        INT32,
    ),
    Sample(
        "let",
        "tir.Let",
        {"var": Made("x"), "value": Made("one"), "body": Made("half"), **SPANNED},
        {"dtype": DType("float16")},
    ),
    Sample(
        "ramp",
        "tir.Ramp",
        {"base": Made("x"), "stride": Made("one"), "lanes": 8, **SPANNED},
        {"dtype": DType("int32x8")},
    ),
    Sample(
        "broadcast",
        "tir.Broadcast",
        {"value": Made("half"), "lanes": 32767, **SPANNED},
        {"dtype": DType("float16x32767")},
    ),
    Sample(
        "shuffle",
        "tir.Shuffle",
        {"vectors": [Made("ramp"), Made("x")], "indices": [Made("one"), Made("x")], **SPANNED},
        {"dtype": DType("int32x2")},
    ),
    Sample(
        "call",
        "tir.Call",
        {"dtype": DType("float16"), "op": Made("op"), "args": [Made("half")], **SPANNED},
    ),
)

BUFFERS = (
    Sample(
        "buffer",
        "tir.Buffer",
        {
            "data": Made("address"),
            "dtype": DType("float32"),
            "shape": [Made("one"), Made("n")],
            "strides": [Made("n"), Made("one")],
            "elem_offset": Made("far"),
            "name": "A",
            "data_alignment": 128,
            "offset_factor": 4,
            "buffer_type": Member("AUTO_BROADCAST"),
            "axis_separators": [1, 2],
            **SPANNED,
        },
    ),
    Sample("region", "tir.BufferRegion", {"buffer": Made("buffer"), "region": [Made("range")] * 2}),
    Sample(
        "match",
        "tir.MatchBufferRegion",
        {"buffer": Made("buffer"), "source": Made("region")},
    ),
    Sample(
        "load",
        "tir.BufferLoad",
        {
            "buffer": Made("buffer"),
            "indices": [Made("x"), Made("one")],
            "predicate": Made("yes"),
            **SPANNED,
        },
        {"dtype": DType("float32")},
    ),
    Sample("object_type", "tir.ObjectType", {"key": "uir.tir.For", "nullable": True}),
    Sample(
        "producer",
        "tir.DataProducer",
        {"shape": [Made("n")], "dtype": DType("int8"), "name": "B"},
    ),
    Sample(
        "producer_load",
        "tir.ProducerLoad",
        {"producer": Made("producer"), "indices": [Made("x")], **SPANNED},
        {"dtype": DType("int8")},
    ),
    Sample(
        "iter",
        "tir.IterVar",
        {
            "var": Made("x"),
            "dom": Made("range"),
            "iter_type": Member("COMM_REDUCE"),
            "thread_tag": "threadIdx.x",
            **SPANNED,
        },
    ),
    Sample(
        "combiner",
        "tir.CommReducer",
        {
            "lhs": [Made("x")],
            "rhs": [Made("y")],
            "result": [Made("Add")],
            "identity_element": [Made("one")],
            **SPANNED,
        },
    ),
    Sample(
        "reduce",
        "tir.Reduce",
        {
            "combiner": Made("combiner"),
            "axis": [Made("iter")],
            "source": [Made("Mul")],
            "condition": Made("yes"),
            "value_index": 0,
            "init": [Made("one")],
            **SPANNED,
        },
        INT32,
    ),
)

STATEMENTS = (
    Sample("evaluate", "tir.Evaluate", {"value": Made("call"), **SPANNED}),
    Sample("bind", "tir.Bind", {"var": Made("x"), "value": Made("one"), **SPANNED}),
    Sample(
        "attr_stmt",
        "tir.AttrStmt",
        {
            "node": Made("iter"),
            "attr_key": "thread_extent",
            "value": Made("n"),
            "body": Made("evaluate"),
            **SPANNED,
        },
    ),
    Sample(
        "assert_stmt",
        "tir.AssertStmt",
        {
            "kind": Made("text"),
            "condition": Made("yes"),
            "message_parts": [Made("text"), Made("text")],
            **SPANNED,
        },
    ),
    Sample(
        "store",
        "tir.BufferStore",
        {
            "buffer": Made("buffer"),
            "value": Made("cast"),
            "indices": [Made("x"), Made("x")],
            "predicate": Made("yes"),
            **SPANNED,
        },
    ),
    Sample(
        "alloc",
        "tir.AllocBuffer",
        {"buffer": Made("buffer"), "annotations": [("lifetime", 2), ("hint", "fast")], **SPANNED},
    ),
    Sample(
        "decl",
        "tir.DeclBuffer",
        {"buffer": Made("buffer"), "annotations": [("of", Made("address"))], **SPANNED},
    ),
    Sample("seq", "tir.SeqStmt", {"seq": [Made("bind"), Made("store")], **SPANNED}),
    Sample(
        "branch",
        "tir.IfThenElse",
        {
            "condition": Made("LT"),
            "then_case": Made("seq"),
            "else_case": Made("evaluate"),
            **SPANNED,
        },
    ),
    Sample(
        "loop",
        "tir.For",
        {
            "loop_var": Made("x"),
            "min": Made("one"),
            "extent": Made("y"),
            "kind": Member("THREAD_BINDING"),
            "body": Made("branch"),
            "thread_binding": Made("iter"),
            "annotations": [("unroll", True), ("factor", 4), ("name", None)],
            "step": Made("one"),
            **SPANNED,
        },
    ),
    Sample("break", "tir.Break", {**SPANNED}),
    Sample("continue", "tir.Continue", {**SPANNED}),
    Sample("repeat", "tir.While", {"condition": Made("LE"), "body": Made("loop"), **SPANNED}),
    Sample(
        "block",
        "tir.Block",
        {
            "iter_vars": [Made("iter")],
            "reads": [Made("region")],
            "writes": [Made("region")],
            "name_hint": "compute",
            "body": Made("store"),
            "alloc_buffers": [Made("buffer")],
            "match_buffers": [Made("match")],
            "annotations": [("tile", [1, 2])],
            "init": Made("evaluate"),
            **SPANNED,
        },
    ),
    Sample(
        "realize",
        "tir.BlockRealize",
        {
            "iter_values": [Made("one")],
            "predicate": Made("yes"),
            "block": Made("block"),
            **SPANNED,
        },
    ),
    Sample(
        "function",
        "tir.PrimFunc",
        {
            "params": [Made("x"), Made("address")],
            "body": Made("realize"),
            "buffer_map": [(Made("address"), Made("buffer"))],
            "ret_type": Made("nothing"),
            "attrs": Made("attrs"),
            **SPANNED,
        },
        UNTYPED,
    ),
)

ERRORS = (
    Sample(
        "error_context",
        "ir.ErrorContext",
        {"node": Made("one"), "exception": 3, "pass_name": "simplify", "script": "1"},
    ),
)

TENSORS = (
    Sample(
        "target",
        "target.Target",
        {"kind": "c", "isa": "x86-64-v4", "checks": "bounds", "division": "numpy", "glibc": "2.17"},
    ),
    Sample(
        "placeholder",
        "te.PlaceholderOp",
        {"name": "A", "shape": [Made("n")], "dtype": DType("int8"), "tag": "", "attrs": []},
    ),
    Sample(
        "te_tensor",
        "te.Tensor",
        {"op": Made("placeholder"), "value_index": 0},
        {"shape": [Made("n")], "dtype": DType("int8"), "name": "A"},
    ),
    Sample("none", "ir.IntImm", {**INT32, "value": 0, "span": None}),
    Sample("all", "ir.Range", {"min": Made("none"), "extent": Made("one"), "span": None}),
    Sample(
        "index",
        "tir.IterVar",
        {
            "var": Made("x"),
            "dom": Made("all"),
            "iter_type": Member("DATA_PAR"),
            "thread_tag": "",
            **SPANNED,
        },
    ),
    Sample(
        "compute",
        "te.ComputeOp",
        {
            "name": "B",
            "axis": [Made("index")],
            "body": [Made("Mul"), Made("far")],
            "tag": "scale",
            "attrs": [("level", 3)],
        },
    ),
    Sample(
        "external",
        "te.ExternOp",
        {
            "name": "C",
            "input_placeholders": [],
            "output_placeholders": [Made("buffer")],
            "inputs": [],
            "body": Made("evaluate"),
            "tag": "",
            "attrs": [],
        },
    ),
)

BUILDERS = (
    Sample(
        "scope",
        "tir.BuilderScope",
        {"name": "for i", "close": LOG, "span": SPAN},
        {"stmts": [], "init": None, "replaces": None},
    ),
    Sample(
        "builder", "tir.Builder", {}, {"stmts": [], "scopes": [], "params": [], "buffer_map": []}
    ),
)

PASSES = (
    Sample(
        "info",
        "transform.PassInfo",
        {"opt_level": 3, "name": "simplify", "required": ["lower", "unroll"], "traceable": True},
    ),
    Sample(
        "instrument",
        "transform.PassInstrument",
        {
            "name": "logger",
            "on_enter": LOG,
            "on_exit": None,
            "on_should_run": GlobalFunction("uir.ir.op_attr"),
            "on_before": LOG,
            "on_after": GlobalFunction("uir.ir.get_op"),
        },
    ),
    Sample(
        "context",
        "transform.PassContext",
        {
            "opt_level": 1,
            "required_pass": ["simplify"],
            "disabled_pass": [],
            "instruments": [Made("instrument")],
            "config": [],
        },
    ),
    Sample("inline_options", "transform.InlineOptions", {"primitive": True}),
    Sample("fold_options", "transform.FoldConstantOptions", {"max_bytes": 8, "max_growth": 3}),
    Sample("fuse_options", "transform.FuseOpsOptions", {"max_ops": 16}),
    Sample(
        "decompose_options",
        "transform.DecomposeOpsOptions",
        {"keep": ["uir.relay.gelu"], "row": True},
    ),
    Sample(
        "schedule_options",
        "schedule.ScheduleOptions",
        {"rows": [[("recipe", "contraction"), ("rows", 4)]]},
    ),
    Sample(
        "kernel_profile",
        "runtime.KernelProfile",
        {
            "name": "matmul",
            "source": "model.py:12",
            "calls": 2,
            "total": 0.5,
            "min": 0.125,
            "median": 0.25,
            "flops": 1024,
            "bytes_moved": -1,
        },
    ),
    Sample(
        "profile",
        "runtime.Profile",
        {"name": "main", "calls": 1, "total": 0.75, "kernels": [Made("kernel_profile")]},
    ),
    Sample(
        "partition_options",
        "transform.LoopPartitionOptions",
        {
            "partition_const_loop": True,
            "no_unroll_loop_with_extent_one": True,
            "unroll_loop_with_partition_hint_no_interval": False,
        },
    ),
    Sample(
        "hoist_options",
        "transform.HoistExpressionOptions",
        {"hoisted_conditionals": 3, "hoisted_let_bindings": 1},
    ),
    Sample(
        "hoist_if_options",
        "transform.HoistIfThenElseOptions",
        {"support_block_scope_hoisting": True},
    ),
    Sample(
        "remove_no_op_options",
        "transform.RemoveNoOpOptions",
        {"use_dataflow_analysis": True},
    ),
    Sample(
        "simplify_options",
        "transform.SimplifyOptions",
        {
            "apply_constraints_to_boolean_branches": True,
            "convert_boolean_to_and_of_ors": True,
        },
    ),
    Sample(
        "unroll_options",
        "transform.UnrollLoopOptions",
        {
            "auto_max_step": 4,
            "auto_max_depth": 2,
            "auto_max_extent": 16,
            "explicit_unroll": False,
            "unroll_local_access": True,
        },
    ),
    Sample("parallel_options", "transform.LowerParallelOptions", {"min_work": 0}),
    Sample("module_pass", "transform.ModulePass", {"pass_info": Made("info"), "pass_func": LOG}),
    Sample("func_pass", "transform.PrimFuncPass", {"pass_info": Made("info"), "pass_func": LOG}),
    Sample(
        "relay_func_pass",
        "transform.FunctionPass",
        {"pass_info": Made("info"), "pass_func": LOG},
    ),
    Sample(
        "sequential",
        "transform.Sequential",
        {
            "passes": [Made("module_pass"), Made("func_pass")],
            "opt_level": 3,
            "name": "simplify",
            "required": ["lower", "unroll"],
        },
        {
            "pass_info": Printed(
                'uir.transform.PassInfo(opt_level=3, name="simplify", '
                'required=("lower", "unroll"), traceable=False)'
            )
        },
    ),
)

ARITH = (
    Sample("interval", "arith.IntInterval", {"min_value": -4, "max_value": 2**62}),
    Sample("congruence", "arith.IntCongruence", {"coeff": 8, "base": 3}),
    Sample("analyzer", "arith.Analyzer", {}, {"state": None}),
    Sample("int_set", "arith.IntSet", {"min_value": Made("one"), "max_value": None}),
    Sample("mark", "arith.IterMark", {"source": Made("one"), "extent": Made("one")}),
    Sample(
        "split",
        "arith.IterSplitExpr",
        {
            "source": Made("mark"),
            "lower_factor": Made("one"),
            "extent": Made("one"),
            "scale": Made("one"),
        },
    ),
    Sample("sum", "arith.IterSumExpr", {"args": [Made("split")], "base": Made("one")}),
    Sample("iter_map", "arith.IterMapResult", {"indices": [Made("sum")], "errors": ["no"]}),
    Sample(
        "division",
        "arith.SubspaceDivision",
        {
            "outer": [Made("mark")],
            "inner": [Made("mark")],
            "outer_predicate": Made("one"),
            "inner_predicate": Made("one"),
            "errors": ["no"],
        },
    ),
    Sample(
        "step",
        "arith.ExplanationStep",
        {
            "method": Member("RULE"),
            "rule": "x + x -> x * 2",
            "source": "rules/arithmetic.cc, row 3",
            "index": 2,
            "path": [0, 1],
            "before": Made("x"),
            "after": Made("one"),
            "facts": [],
            "result": Made("one"),
        },
    ),
    Sample(
        "explanation",
        "arith.Explanation",
        {"expr": Made("x"), "steps": [Made("step")], "result": Made("one")},
    ),
)

RELAY = (
    Sample(
        "typed",
        "relay.Var",
        {"name": "x", "type_annotation": Made("tensor"), **SPANNED},
        {"checked_type": Made("tensor")},
    ),
    Sample("untyped", "relay.Var", {"name": "y", "type_annotation": None, "span": None}, UNTYPED),
    Sample(
        "constant",
        "relay.Constant",
        {"data": Scalar(1.5), **SPANNED},
        {"checked_type": Printed("uir.ir.TensorType(shape=(), dtype=float32)")},
    ),
    Sample("pair", "relay.Tuple", {"fields": [Made("typed"), Made("untyped")], **SPANNED}, UNTYPED),
    Sample(
        "item",
        "relay.TupleGetItem",
        {"tuple_value": Made("untyped"), "index": 2**62, **SPANNED},
        UNTYPED,
    ),
    Sample("passing", "relay.CallDestinationPassingAttrs", {"out_types": [Made("tensor")]}),
    Sample(
        "relay_call",
        "relay.Call",
        {
            "op": Made("untyped"),
            "args": [Made("constant"), Made("typed")],
            "attrs": Made("passing"),
            **SPANNED,
        },
        {**UNTYPED, "assumptions": None},
    ),
    Sample(
        "binding",
        "relay.Binding",
        {"var": Made("untyped"), "value": Made("relay_call"), **SPANNED},
    ),
    Sample(
        "relay_block",
        "relay.Block",
        {"bindings": [Made("binding")], "result": Made("untyped")},
    ),
    Sample(
        "choice",
        "relay.If",
        {
            "condition": Made("untyped"),
            "true_branch": Made("relay_block"),
            "false_branch": Made("relay_block"),
            **SPANNED,
        },
        UNTYPED,
    ),
    Sample(
        "relay_function",
        "relay.Function",
        {
            "params": [Made("typed")],
            "body": Made("relay_block"),
            "ret_type": None,
            "attrs": Made("attrs"),
            **SPANNED,
        },
        UNTYPED,
    ),
    Sample("relay_builder", "relay.Builder", {}, {"params": [], "bindings": []}),
)

SAMPLES = (
    *(*IR, *VARS, *OPERATIONS, *EXPRESSIONS, *BUFFERS, *STATEMENTS),
    *(*ERRORS, *TENSORS, *BUILDERS, *ARITH, *PASSES, *RELAY),
)
