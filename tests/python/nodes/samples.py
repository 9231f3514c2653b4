"""One sample of every concrete type of uir, described once for all languages.

Out: `SAMPLES`, in an order in which each one comes after those that it is made of.  A sample gives
every argument of its constructor, and what the fields hold that the constructor sets by itself.
What is written here are plain values and the small classes below; how a language spells them is
for `cpp.py`, `rust.py` and `python.py` to know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    "Sequence[Value]", "Sequence[tuple[Value, Value]]", None,
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
UNTYPED: dict[str, Value] = {"checked_type": None}
INT32 = {"dtype": DType("int32")}
BOOL = {"dtype": DType("bool")}
LOG = GlobalFunction("uir.ir.describe")


def _sample(
    name: str, key: str, derived: Mapping[str, Value] | None = None, /, **arguments: Value
) -> Sample:
    """Describe an object by its constructor's arguments and its other fields."""
    return Sample(name, key, arguments, derived or {})


def _spanned(
    name: str, key: str, derived: Mapping[str, Value] | None = None, /, **arguments: Value
) -> Sample:
    """Describe an object that has a span."""
    return Sample(name, key, {**arguments, "span": SPAN}, derived or {})


def _operation(key: str, operands: tuple[str, ...], dtype: DType) -> Sample:
    """Describe an expression whose fields are operands and the data type that follows."""
    arguments = dict(zip("ab", map(Made, operands), strict=False))
    return Sample(key.rpartition(".")[2], key, {**arguments, "span": SPAN}, {"dtype": dtype})


IR = (
    _sample("source", "ir.SourceName", name="a source whose name is long.py"),
    _sample(
        "span", "ir.Span", source_name=Made("source"), line=3, column=5, end_line=4, end_column=1
    ),
    _spanned("one", "ir.IntImm", **INT32, value=1),
    _spanned("far", "ir.IntImm", dtype=DType("int64"), value=-(2**62)),
    _sample("yes", "ir.IntImm", **BOOL, value=1, span=None),
    _spanned("half", "ir.FloatImm", dtype=DType("float16"), value=-0.5),
    _spanned("text", "ir.StringImm", {"dtype": DType("handle")}, value="ValueError"),
    _spanned("prim", "ir.PrimType", dtype=DType("float32x4")),
    _spanned("pointer", "ir.PointerType", element_type=Made("prim"), storage_scope="shared"),
    _spanned("tuple", "ir.TupleType", fields=[Made("prim"), Made("pointer")]),
    _sample("nothing", "ir.TupleType", fields=[], span=None),
    _spanned("function_type", "ir.FuncType", arg_types=[Made("pointer")], ret_type=Made("tuple")),
    _spanned("tensor", "ir.TensorType", shape=[Made("one"), Made("far")], dtype=DType("bfloat16")),
    _spanned("range", "ir.Range", min=Made("one"), extent=Made("one")),
    _spanned("global", "ir.GlobalVar", UNTYPED, name_hint="main"),
    _sample(
        "attrs",
        "ir.DictAttrs",
        dict=[("global_symbol", "main"), ("level", 3), ("node", Made("far")), ("share", 0.5)],
    ),
    _spanned("extern", "ir.ExternFunc", UNTYPED, global_symbol="sgemm", attrs=Made("attrs")),
    _sample(
        "argument",
        "ir.AttrFieldInfo",
        name="x",
        type_info="float32 or float64",
        description="Of any size.",
    ),
    _spanned(
        "op",
        "ir.Op",
        UNTYPED,
        name="tests.square",
        description="Square of a number.",
        arguments=[Made("argument")],
        num_inputs=1,
    ),
    _sample(
        "module",
        "ir.IRModule",
        {"global_var_map_": [("main", Made("global"))]},
        functions=[(Made("global"), Made("extern"))],
        attrs=Made("attrs"),
    ),
    _sample("sources", "ir.SourceMap", sources=[("a.py", "x = 1")]),
    _spanned("note", "ir.Note", message="bound here", node=Made("one")),
    _spanned(
        "diagnostic",
        "ir.Diagnostic",
        message="bound twice",
        severity=Member("WARNING"),
        node=Made("far"),
        root=Made("module"),
        notes=[Made("note")],
        help="rename one of them",
    ),
)

VARS = (
    _spanned("x", "tir.Var", name="x", **INT32, type_annotation=None),
    _sample("y", "tir.Var", name="y", **INT32, type_annotation=None, span=None),
    _spanned(
        "address",
        "tir.Var",
        name="an address with a long name",
        dtype=DType("handle"),
        type_annotation=Made("pointer"),
    ),
    _spanned("n", "tir.SizeVar", name="n", dtype=DType("int64"), type_annotation=None),
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
    _spanned("cast", "tir.Cast", dtype=DType("float32"), value=Made("x")),
    _spanned(
        "select",
        "tir.Select",
        INT32,
        condition=Made("NE"),
        true_value=Made("x"),
        false_value=Made("one"),
    ),
    _spanned(
        "let",
        "tir.Let",
        {"dtype": DType("float16")},
        var=Made("x"),
        value=Made("one"),
        body=Made("half"),
    ),
    _spanned(
        "ramp", "tir.Ramp", {"dtype": DType("int32x8")}, base=Made("x"), stride=Made("one"), lanes=8
    ),
    _spanned(
        "broadcast",
        "tir.Broadcast",
        {"dtype": DType("float16x32767")},
        value=Made("half"),
        lanes=32767,
    ),
    _spanned(
        "shuffle",
        "tir.Shuffle",
        {"dtype": DType("int32x2")},
        vectors=[Made("ramp"), Made("x")],
        indices=[Made("one"), Made("x")],
    ),
    _spanned("call", "tir.Call", dtype=DType("float16"), op=Made("op"), args=[Made("half")]),
)

BUFFERS = (
    _spanned(
        "buffer",
        "tir.Buffer",
        data=Made("address"),
        dtype=DType("float32"),
        shape=[Made("one"), Made("n")],
        strides=[Made("n"), Made("one")],
        elem_offset=Made("far"),
        name="A",
        data_alignment=128,
        offset_factor=4,
        buffer_type=Member("AUTO_BROADCAST"),
        axis_separators=[1, 2],
    ),
    _sample("region", "tir.BufferRegion", buffer=Made("buffer"), region=[Made("range")] * 2),
    _sample("match", "tir.MatchBufferRegion", buffer=Made("buffer"), source=Made("region")),
    _spanned(
        "load",
        "tir.BufferLoad",
        {"dtype": DType("float32")},
        buffer=Made("buffer"),
        indices=[Made("x"), Made("one")],
        predicate=Made("yes"),
    ),
    _sample("object_type", "tir.ObjectType", key="uir.tir.For", nullable=True),
    _sample("producer", "tir.DataProducer", shape=[Made("n")], dtype=DType("int8"), name="B"),
    _spanned(
        "producer_load",
        "tir.ProducerLoad",
        {"dtype": DType("int8")},
        producer=Made("producer"),
        indices=[Made("x")],
    ),
    _spanned(
        "iter",
        "tir.IterVar",
        var=Made("x"),
        dom=Made("range"),
        iter_type=Member("COMM_REDUCE"),
        thread_tag="threadIdx.x",
    ),
    _spanned(
        "combiner",
        "tir.CommReducer",
        lhs=[Made("x")],
        rhs=[Made("y")],
        result=[Made("Add")],
        identity_element=[Made("one")],
    ),
    _spanned(
        "reduce",
        "tir.Reduce",
        INT32,
        combiner=Made("combiner"),
        axis=[Made("iter")],
        source=[Made("Mul")],
        condition=Made("yes"),
        value_index=0,
        init=[Made("one")],
    ),
)

STATEMENTS = (
    _spanned("evaluate", "tir.Evaluate", value=Made("call")),
    _spanned("bind", "tir.Bind", var=Made("x"), value=Made("one")),
    _spanned(
        "attr_stmt",
        "tir.AttrStmt",
        node=Made("iter"),
        attr_key="thread_extent",
        value=Made("n"),
        body=Made("evaluate"),
    ),
    _spanned(
        "assert_stmt",
        "tir.AssertStmt",
        kind=Made("text"),
        condition=Made("yes"),
        message_parts=[Made("text"), Made("text")],
    ),
    _spanned(
        "store",
        "tir.BufferStore",
        buffer=Made("buffer"),
        value=Made("cast"),
        indices=[Made("x"), Made("x")],
        predicate=Made("yes"),
    ),
    _spanned(
        "alloc",
        "tir.AllocBuffer",
        buffer=Made("buffer"),
        annotations=[("lifetime", 2), ("hint", "fast")],
    ),
    _spanned(
        "decl", "tir.DeclBuffer", buffer=Made("buffer"), annotations=[("of", Made("address"))]
    ),
    _spanned("seq", "tir.SeqStmt", seq=[Made("bind"), Made("store")]),
    _spanned(
        "branch",
        "tir.IfThenElse",
        condition=Made("LT"),
        then_case=Made("seq"),
        else_case=Made("evaluate"),
    ),
    _spanned(
        "loop",
        "tir.For",
        loop_var=Made("x"),
        min=Made("one"),
        extent=Made("y"),
        kind=Member("THREAD_BINDING"),
        body=Made("branch"),
        thread_binding=Made("iter"),
        annotations=[("unroll", True), ("factor", 4), ("name", None)],
        step=Made("one"),
    ),
    _spanned("break", "tir.Break"),
    _spanned("continue", "tir.Continue"),
    _spanned("repeat", "tir.While", condition=Made("LE"), body=Made("loop")),
    _spanned(
        "block",
        "tir.Block",
        iter_vars=[Made("iter")],
        reads=[Made("region")],
        writes=[Made("region")],
        name_hint="compute",
        body=Made("store"),
        alloc_buffers=[Made("buffer")],
        match_buffers=[Made("match")],
        annotations=[("tile", [1, 2])],
        init=Made("evaluate"),
    ),
    _spanned(
        "realize",
        "tir.BlockRealize",
        iter_values=[Made("one")],
        predicate=Made("yes"),
        block=Made("block"),
    ),
    _spanned(
        "function",
        "tir.PrimFunc",
        UNTYPED,
        params=[Made("x"), Made("address")],
        body=Made("realize"),
        buffer_map=[(Made("address"), Made("buffer"))],
        ret_type=Made("nothing"),
        attrs=Made("attrs"),
    ),
)

ERRORS = (
    _sample(
        "error_context",
        "ir.ErrorContext",
        node=Made("one"),
        exception=3,
        pass_name="simplify",
        script="1",
    ),
)

TENSORS = (
    _sample(
        "target",
        "target.Target",
        kind="c",
        isa="x86-64-v4",
        checks="bounds",
        division="numpy",
        glibc="2.17",
    ),
    _sample(
        "placeholder",
        "te.PlaceholderOp",
        name="A",
        shape=[Made("n")],
        dtype=DType("int8"),
        tag="",
        attrs=[],
    ),
    _sample(
        "te_tensor",
        "te.Tensor",
        {"shape": [Made("n")], "dtype": DType("int8"), "name": "A"},
        op=Made("placeholder"),
        value_index=0,
    ),
    _sample("none", "ir.IntImm", **INT32, value=0, span=None),
    _sample("all", "ir.Range", min=Made("none"), extent=Made("one"), span=None),
    _spanned(
        "index",
        "tir.IterVar",
        var=Made("x"),
        dom=Made("all"),
        iter_type=Member("DATA_PAR"),
        thread_tag="",
    ),
    _sample(
        "compute",
        "te.ComputeOp",
        name="B",
        axis=[Made("index")],
        body=[Made("Mul"), Made("far")],
        tag="scale",
        attrs=[("level", 3)],
    ),
    _sample(
        "external",
        "te.ExternOp",
        name="C",
        input_placeholders=[],
        output_placeholders=[Made("buffer")],
        inputs=[],
        body=Made("evaluate"),
        tag="",
        attrs=[],
    ),
)

BUILDERS = (
    _spanned(
        "scope",
        "tir.BuilderScope",
        {"stmts": [], "init": None, "replaces": None},
        name="for i",
        close=LOG,
    ),
    _sample("builder", "tir.Builder", {"stmts": [], "scopes": [], "params": [], "buffer_map": []}),
)

PASSES = (
    _sample(
        "info",
        "transform.PassInfo",
        opt_level=3,
        name="simplify",
        required=["lower", "unroll"],
        traceable=True,
    ),
    _sample(
        "instrument",
        "transform.PassInstrument",
        name="logger",
        on_enter=LOG,
        on_exit=None,
        on_should_run=GlobalFunction("uir.ir.op_attr"),
        on_before=LOG,
        on_after=GlobalFunction("uir.ir.get_op"),
    ),
    _sample(
        "context",
        "transform.PassContext",
        opt_level=1,
        required_pass=["simplify"],
        disabled_pass=[],
        instruments=[Made("instrument")],
        config=[],
    ),
    _sample("inline_options", "transform.InlineOptions", primitive=True),
    _sample("fold_options", "transform.FoldConstantOptions", max_bytes=8, max_growth=3),
    _sample("fuse_options", "transform.FuseOpsOptions", max_ops=16),
    _sample(
        "decompose_options", "transform.DecomposeOpsOptions", keep=["uir.relay.gelu"], row=True
    ),
    _sample(
        "schedule_options",
        "schedule.ScheduleOptions",
        rows=[[("recipe", "contraction"), ("rows", 4)]],
    ),
    _sample(
        "kernel_profile",
        "runtime.KernelProfile",
        name="matmul",
        source="model.py:12",
        calls=2,
        total=0.5,
        min=0.125,
        median=0.25,
        flops=1024,
        bytes_moved=-1,
    ),
    _sample(
        "profile",
        "runtime.Profile",
        name="main",
        calls=1,
        total=0.75,
        kernels=[Made("kernel_profile")],
    ),
    _sample(
        "partition_options",
        "transform.LoopPartitionOptions",
        partition_const_loop=True,
        no_unroll_loop_with_extent_one=True,
        unroll_loop_with_partition_hint_no_interval=False,
    ),
    _sample(
        "hoist_options",
        "transform.HoistExpressionOptions",
        hoisted_conditionals=3,
        hoisted_let_bindings=1,
    ),
    _sample(
        "hoist_if_options", "transform.HoistIfThenElseOptions", support_block_scope_hoisting=True
    ),
    _sample("remove_no_op_options", "transform.RemoveNoOpOptions", use_dataflow_analysis=True),
    _sample(
        "simplify_options",
        "transform.SimplifyOptions",
        apply_constraints_to_boolean_branches=True,
        convert_boolean_to_and_of_ors=True,
    ),
    _sample(
        "unroll_options",
        "transform.UnrollLoopOptions",
        auto_max_step=4,
        auto_max_depth=2,
        auto_max_extent=16,
        explicit_unroll=False,
        unroll_local_access=True,
    ),
    _sample("parallel_options", "transform.LowerParallelOptions", min_work=0),
    _sample("module_pass", "transform.ModulePass", pass_info=Made("info"), pass_func=LOG),
    _sample("func_pass", "transform.PrimFuncPass", pass_info=Made("info"), pass_func=LOG),
    _sample("relay_func_pass", "transform.FunctionPass", pass_info=Made("info"), pass_func=LOG),
    _sample(
        "sequential",
        "transform.Sequential",
        {
            "pass_info": Printed(
                'uir.transform.PassInfo(opt_level=3, name="simplify", '
                'required=("lower", "unroll"), traceable=False)'
            )
        },
        passes=[Made("module_pass"), Made("func_pass")],
        opt_level=3,
        name="simplify",
        required=["lower", "unroll"],
    ),
)

ARITH = (
    _sample("interval", "arith.IntInterval", min_value=-4, max_value=2**62),
    _sample("congruence", "arith.IntCongruence", coeff=8, base=3),
    _sample("analyzer", "arith.Analyzer", {"state": None}),
    _sample("int_set", "arith.IntSet", min_value=Made("one"), max_value=None),
    _sample("mark", "arith.IterMark", source=Made("one"), extent=Made("one")),
    _sample(
        "split",
        "arith.IterSplitExpr",
        source=Made("mark"),
        lower_factor=Made("one"),
        extent=Made("one"),
        scale=Made("one"),
    ),
    _sample("sum", "arith.IterSumExpr", args=[Made("split")], base=Made("one")),
    _sample("iter_map", "arith.IterMapResult", indices=[Made("sum")], errors=["no"]),
    _sample(
        "division",
        "arith.SubspaceDivision",
        outer=[Made("mark")],
        inner=[Made("mark")],
        outer_predicate=Made("one"),
        inner_predicate=Made("one"),
        errors=["no"],
    ),
    _sample(
        "step",
        "arith.ExplanationStep",
        method=Member("RULE"),
        rule="x + x -> x * 2",
        source="rules/arithmetic.cc, row 3",
        index=2,
        path=[0, 1],
        before=Made("x"),
        after=Made("one"),
        facts=[],
        result=Made("one"),
    ),
    _sample(
        "explanation", "arith.Explanation", expr=Made("x"), steps=[Made("step")], result=Made("one")
    ),
)

RELAY = (
    _spanned(
        "typed",
        "relay.Var",
        {"checked_type": Made("tensor")},
        name="x",
        type_annotation=Made("tensor"),
    ),
    _sample("untyped", "relay.Var", UNTYPED, name="y", type_annotation=None, span=None),
    _spanned(
        "constant",
        "relay.Constant",
        {"checked_type": Printed("uir.ir.TensorType(shape=(), dtype=float32)")},
        data=Scalar(1.5),
    ),
    _spanned("pair", "relay.Tuple", UNTYPED, fields=[Made("typed"), Made("untyped")]),
    _spanned("item", "relay.TupleGetItem", UNTYPED, tuple_value=Made("untyped"), index=2**62),
    _sample("passing", "relay.CallDestinationPassingAttrs", out_types=[Made("tensor")]),
    _spanned(
        "relay_call",
        "relay.Call",
        {**UNTYPED, "assumptions": None},
        op=Made("untyped"),
        args=[Made("constant"), Made("typed")],
        attrs=Made("passing"),
    ),
    _spanned("binding", "relay.Binding", var=Made("untyped"), value=Made("relay_call")),
    _sample("relay_block", "relay.Block", bindings=[Made("binding")], result=Made("untyped")),
    _spanned(
        "choice",
        "relay.If",
        UNTYPED,
        condition=Made("untyped"),
        true_branch=Made("relay_block"),
        false_branch=Made("relay_block"),
    ),
    _spanned(
        "relay_function",
        "relay.Function",
        UNTYPED,
        params=[Made("typed")],
        body=Made("relay_block"),
        ret_type=None,
        attrs=Made("attrs"),
    ),
    _sample("relay_builder", "relay.Builder", {"params": [], "bindings": []}),
)

SAMPLES = (
    *(*IR, *VARS, *OPERATIONS, *EXPRESSIONS, *BUFFERS, *STATEMENTS),
    *(*ERRORS, *TENSORS, *BUILDERS, *ARITH, *PASSES, *RELAY),
)
