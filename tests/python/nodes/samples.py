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


class _Sample:
    """The name and the type key of a sample, and the fields that its arguments do not determine."""

    def __init__(self, name: str, key: str, /, **derived: Value) -> None:
        self._name, self._key, self._derived = name, key, derived

    def of(self, **arguments: Value) -> Sample:
        """Describe an object of these arguments."""
        return Sample(self._name, self._key, arguments, self._derived)

    def spanned(self, **arguments: Value) -> Sample:
        """Describe an object of these arguments and a span."""
        return self.of(**arguments, span=SPAN)


def _operation(key: str, operands: tuple[str, ...], dtype: DType) -> Sample:
    """Describe an expression whose fields are operands and the data type that follows."""
    arguments = dict(zip("ab", map(Made, operands), strict=False))
    return Sample(key.rpartition(".")[2], key, {**arguments, "span": SPAN}, {"dtype": dtype})


IR = (
    _Sample("source", "ir.SourceName").of(name="a source whose name is long.py"),
    _Sample("span", "ir.Span").of(
        source_name=Made("source"), line=3, column=5, end_line=4, end_column=1
    ),
    _Sample("one", "ir.IntImm").spanned(**INT32, value=1),
    _Sample("far", "ir.IntImm").spanned(dtype=DType("int64"), value=-(2**62)),
    _Sample("yes", "ir.IntImm").of(**BOOL, value=1, span=None),
    _Sample("half", "ir.FloatImm").spanned(dtype=DType("float16"), value=-0.5),
    _Sample("text", "ir.StringImm", dtype=DType("handle")).spanned(value="ValueError"),
    _Sample("prim", "ir.PrimType").spanned(dtype=DType("float32x4")),
    _Sample("pointer", "ir.PointerType").spanned(element_type=Made("prim"), storage_scope="shared"),
    _Sample("tuple", "ir.TupleType").spanned(fields=[Made("prim"), Made("pointer")]),
    _Sample("nothing", "ir.TupleType").of(fields=[], span=None),
    _Sample("function_type", "ir.FuncType").spanned(
        arg_types=[Made("pointer")], ret_type=Made("tuple")
    ),
    _Sample("tensor", "ir.TensorType").spanned(
        shape=[Made("one"), Made("far")], dtype=DType("bfloat16")
    ),
    _Sample("range", "ir.Range").spanned(min=Made("one"), extent=Made("one")),
    _Sample("global", "ir.GlobalVar", **UNTYPED).spanned(name_hint="main"),
    _Sample("attrs", "ir.DictAttrs").of(
        dict=[("global_symbol", "main"), ("level", 3), ("node", Made("far")), ("share", 0.5)]
    ),
    _Sample("extern", "ir.ExternFunc", **UNTYPED).spanned(
        global_symbol="sgemm", attrs=Made("attrs")
    ),
    _Sample("argument", "ir.AttrFieldInfo").of(
        name="x", type_info="float32 or float64", description="Of any size."
    ),
    _Sample("op", "ir.Op", **UNTYPED).spanned(
        name="tests.square",
        description="Square of a number.",
        arguments=[Made("argument")],
        num_inputs=1,
    ),
    _Sample("module", "ir.IRModule", global_var_map_=[("main", Made("global"))]).of(
        functions=[(Made("global"), Made("extern"))], attrs=Made("attrs")
    ),
    _Sample("sources", "ir.SourceMap").of(sources=[("a.py", "x = 1")]),
    _Sample("note", "ir.Note").spanned(message="bound here", node=Made("one")),
    _Sample("diagnostic", "ir.Diagnostic").spanned(
        message="bound twice",
        severity=Member("WARNING"),
        node=Made("far"),
        root=Made("module"),
        notes=[Made("note")],
        help="rename one of them",
    ),
)

VARS = (
    _Sample("x", "tir.Var").spanned(name="x", **INT32, type_annotation=None),
    _Sample("y", "tir.Var").of(name="y", **INT32, type_annotation=None, span=None),
    _Sample("address", "tir.Var").spanned(
        name="an address with a long name", dtype=DType("handle"), type_annotation=Made("pointer")
    ),
    _Sample("n", "tir.SizeVar").spanned(name="n", dtype=DType("int64"), type_annotation=None),
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
    _Sample("cast", "tir.Cast").spanned(dtype=DType("float32"), value=Made("x")),
    _Sample("select", "tir.Select", **INT32).spanned(
        condition=Made("NE"), true_value=Made("x"), false_value=Made("one")
    ),
    _Sample("let", "tir.Let", dtype=DType("float16")).spanned(
        var=Made("x"), value=Made("one"), body=Made("half")
    ),
    _Sample("ramp", "tir.Ramp", dtype=DType("int32x8")).spanned(
        base=Made("x"), stride=Made("one"), lanes=8
    ),
    _Sample("broadcast", "tir.Broadcast", dtype=DType("float16x32767")).spanned(
        value=Made("half"), lanes=32767
    ),
    _Sample("shuffle", "tir.Shuffle", dtype=DType("int32x2")).spanned(
        vectors=[Made("ramp"), Made("x")], indices=[Made("one"), Made("x")]
    ),
    _Sample("call", "tir.Call").spanned(dtype=DType("float16"), op=Made("op"), args=[Made("half")]),
)

BUFFERS = (
    _Sample("buffer", "tir.Buffer").spanned(
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
    _Sample("region", "tir.BufferRegion").of(buffer=Made("buffer"), region=[Made("range")] * 2),
    _Sample("match", "tir.MatchBufferRegion").of(buffer=Made("buffer"), source=Made("region")),
    _Sample("load", "tir.BufferLoad", dtype=DType("float32")).spanned(
        buffer=Made("buffer"), indices=[Made("x"), Made("one")], predicate=Made("yes")
    ),
    _Sample("object_type", "tir.ObjectType").of(key="uir.tir.For", nullable=True),
    _Sample("producer", "tir.DataProducer").of(shape=[Made("n")], dtype=DType("int8"), name="B"),
    _Sample("producer_load", "tir.ProducerLoad", dtype=DType("int8")).spanned(
        producer=Made("producer"), indices=[Made("x")]
    ),
    _Sample("iter", "tir.IterVar").spanned(
        var=Made("x"), dom=Made("range"), iter_type=Member("COMM_REDUCE"), thread_tag="threadIdx.x"
    ),
    _Sample("combiner", "tir.CommReducer").spanned(
        lhs=[Made("x")], rhs=[Made("y")], result=[Made("Add")], identity_element=[Made("one")]
    ),
    _Sample("reduce", "tir.Reduce", **INT32).spanned(
        combiner=Made("combiner"),
        axis=[Made("iter")],
        source=[Made("Mul")],
        condition=Made("yes"),
        value_index=0,
        init=[Made("one")],
    ),
)

STATEMENTS = (
    _Sample("evaluate", "tir.Evaluate").spanned(value=Made("call")),
    _Sample("bind", "tir.Bind").spanned(var=Made("x"), value=Made("one")),
    _Sample("attr_stmt", "tir.AttrStmt").spanned(
        node=Made("iter"), attr_key="thread_extent", value=Made("n"), body=Made("evaluate")
    ),
    _Sample("assert_stmt", "tir.AssertStmt").spanned(
        kind=Made("text"), condition=Made("yes"), message_parts=[Made("text"), Made("text")]
    ),
    _Sample("store", "tir.BufferStore").spanned(
        buffer=Made("buffer"),
        value=Made("cast"),
        indices=[Made("x"), Made("x")],
        predicate=Made("yes"),
    ),
    _Sample("alloc", "tir.AllocBuffer").spanned(
        buffer=Made("buffer"), annotations=[("lifetime", 2), ("hint", "fast")]
    ),
    _Sample("decl", "tir.DeclBuffer").spanned(
        buffer=Made("buffer"), annotations=[("of", Made("address"))]
    ),
    _Sample("seq", "tir.SeqStmt").spanned(seq=[Made("bind"), Made("store")]),
    _Sample("branch", "tir.IfThenElse").spanned(
        condition=Made("LT"), then_case=Made("seq"), else_case=Made("evaluate")
    ),
    _Sample("loop", "tir.For").spanned(
        loop_var=Made("x"),
        min=Made("one"),
        extent=Made("y"),
        kind=Member("THREAD_BINDING"),
        body=Made("branch"),
        thread_binding=Made("iter"),
        annotations=[("unroll", True), ("factor", 4), ("name", None)],
        step=Made("one"),
    ),
    _Sample("break", "tir.Break").spanned(),
    _Sample("continue", "tir.Continue").spanned(),
    _Sample("repeat", "tir.While").spanned(condition=Made("LE"), body=Made("loop")),
    _Sample("block", "tir.Block").spanned(
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
    _Sample("realize", "tir.BlockRealize").spanned(
        iter_values=[Made("one")], predicate=Made("yes"), block=Made("block")
    ),
    _Sample("function", "tir.PrimFunc", **UNTYPED).spanned(
        params=[Made("x"), Made("address")],
        body=Made("realize"),
        buffer_map=[(Made("address"), Made("buffer"))],
        ret_type=Made("nothing"),
        attrs=Made("attrs"),
    ),
)

ERRORS = (
    _Sample("error_context", "ir.ErrorContext").of(
        node=Made("one"), exception=3, pass_name="simplify", script="1"
    ),
)

TENSORS = (
    _Sample("target", "target.Target").of(
        kind="c", isa="x86-64-v4", checks="bounds", division="numpy", glibc="2.17"
    ),
    _Sample("placeholder", "te.PlaceholderOp").of(
        name="A", shape=[Made("n")], dtype=DType("int8"), tag="", attrs=[]
    ),
    _Sample("te_tensor", "te.Tensor", shape=[Made("n")], dtype=DType("int8"), name="A").of(
        op=Made("placeholder"), value_index=0
    ),
    _Sample("none", "ir.IntImm").of(**INT32, value=0, span=None),
    _Sample("all", "ir.Range").of(min=Made("none"), extent=Made("one"), span=None),
    _Sample("index", "tir.IterVar").spanned(
        var=Made("x"), dom=Made("all"), iter_type=Member("DATA_PAR"), thread_tag=""
    ),
    _Sample("compute", "te.ComputeOp").of(
        name="B",
        axis=[Made("index")],
        body=[Made("Mul"), Made("far")],
        tag="scale",
        attrs=[("level", 3)],
    ),
    _Sample("external", "te.ExternOp").of(
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
    _Sample("scope", "tir.BuilderScope", stmts=[], init=None, replaces=None).spanned(
        name="for i", close=LOG
    ),
    _Sample("builder", "tir.Builder", stmts=[], scopes=[], params=[], buffer_map=[]).of(),
)

PASSES = (
    _Sample("info", "transform.PassInfo").of(
        opt_level=3, name="simplify", required=["lower", "unroll"], traceable=True
    ),
    _Sample("instrument", "transform.PassInstrument").of(
        name="logger",
        on_enter=LOG,
        on_exit=None,
        on_should_run=GlobalFunction("uir.ir.op_attr"),
        on_before=LOG,
        on_after=GlobalFunction("uir.ir.get_op"),
        on_count=LOG,
    ),
    _Sample("space", "tuning.SpaceFunctions").of(
        name="product",
        own_trace=["vectorize"],
        size=3,
        on_traces=LOG,
        on_draw=GlobalFunction("uir.ir.op_attr"),
        on_change=LOG,
        on_features=LOG,
    ),
    _Sample("cost_model", "tuning.CostModelFunctions").of(
        name="ridge", on_predict=LOG, on_update=GlobalFunction("uir.ir.get_op")
    ),
    _Sample("strategy", "tuning.SearchStrategyFunctions").of(
        name="evolution", on_propose=LOG, on_tell=LOG, proposed=[]
    ),
    _Sample("context", "transform.PassContext").of(
        opt_level=1,
        required_pass=["simplify"],
        disabled_pass=[],
        instruments=[Made("instrument")],
        config=[],
    ),
    _Sample("inline_options", "transform.InlineOptions").of(primitive=True),
    _Sample("fold_options", "transform.FoldConstantOptions").of(max_bytes=8, max_growth=3),
    _Sample("fuse_options", "transform.FuseOpsOptions").of(max_ops=16),
    _Sample("decompose_options", "transform.DecomposeOpsOptions").of(
        keep=["uir.relay.gelu"], row=True
    ),
    _Sample("schedule_options", "schedule.ScheduleOptions").of(
        rows=[[("recipe", "contraction"), ("rows", 4)]]
    ),
    _Sample("kernel_profile", "runtime.KernelProfile").of(
        name="matmul",
        source="model.py:12",
        calls=2,
        total=0.5,
        min=0.125,
        median=0.25,
        flops=1024,
        bytes_moved=-1,
    ),
    _Sample("profile", "runtime.Profile").of(
        name="main", calls=1, total=0.75, kernels=[Made("kernel_profile")]
    ),
    _Sample("partition_options", "transform.LoopPartitionOptions").of(
        partition_const_loop=True,
        no_unroll_loop_with_extent_one=True,
        unroll_loop_with_partition_hint_no_interval=False,
    ),
    _Sample("hoist_options", "transform.HoistExpressionOptions").of(
        hoisted_conditionals=3, hoisted_let_bindings=1
    ),
    _Sample("hoist_if_options", "transform.HoistIfThenElseOptions").of(
        support_block_scope_hoisting=True
    ),
    _Sample("remove_no_op_options", "transform.RemoveNoOpOptions").of(use_dataflow_analysis=True),
    _Sample("simplify_options", "transform.SimplifyOptions").of(
        apply_constraints_to_boolean_branches=True, convert_boolean_to_and_of_ors=True
    ),
    _Sample("unroll_options", "transform.UnrollLoopOptions").of(
        auto_max_step=4,
        auto_max_depth=2,
        auto_max_extent=16,
        explicit_unroll=False,
        unroll_local_access=True,
    ),
    _Sample("parallel_options", "transform.LowerParallelOptions").of(min_work=0),
    _Sample("module_pass", "transform.ModulePass").of(pass_info=Made("info"), pass_func=LOG),
    _Sample("func_pass", "transform.PrimFuncPass").of(pass_info=Made("info"), pass_func=LOG),
    _Sample("relay_func_pass", "transform.FunctionPass").of(pass_info=Made("info"), pass_func=LOG),
    _Sample(
        "sequential",
        "transform.Sequential",
        pass_info=Printed(
            'uir.transform.PassInfo(opt_level=3, name="simplify", '
            'required=("lower", "unroll"), traceable=False)'
        ),
    ).of(
        passes=[Made("module_pass"), Made("func_pass")],
        opt_level=3,
        name="simplify",
        required=["lower", "unroll"],
    ),
)

ARITH = (
    _Sample("interval", "arith.IntInterval").of(min_value=-4, max_value=2**62),
    _Sample("congruence", "arith.IntCongruence").of(coeff=8, base=3),
    _Sample("analyzer", "arith.Analyzer", state=None).of(),
    _Sample("int_set", "arith.IntSet").of(min_value=Made("one"), max_value=None),
    _Sample("mark", "arith.IterMark").of(source=Made("one"), extent=Made("one")),
    _Sample("split", "arith.IterSplitExpr").of(
        source=Made("mark"), lower_factor=Made("one"), extent=Made("one"), scale=Made("one")
    ),
    _Sample("sum", "arith.IterSumExpr").of(args=[Made("split")], base=Made("one")),
    _Sample("iter_map", "arith.IterMapResult").of(indices=[Made("sum")], errors=["no"]),
    _Sample("division", "arith.SubspaceDivision").of(
        outer=[Made("mark")],
        inner=[Made("mark")],
        outer_predicate=Made("one"),
        inner_predicate=Made("one"),
        errors=["no"],
    ),
    _Sample("step", "arith.ExplanationStep").of(
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
    _Sample("explanation", "arith.Explanation").of(
        expr=Made("x"), steps=[Made("step")], result=Made("one")
    ),
)

RELAY = (
    _Sample("typed", "relay.Var", checked_type=Made("tensor")).spanned(
        name="x", type_annotation=Made("tensor")
    ),
    _Sample("untyped", "relay.Var", **UNTYPED).of(name="y", type_annotation=None, span=None),
    _Sample(
        "constant",
        "relay.Constant",
        checked_type=Printed("uir.ir.TensorType(shape=(), dtype=float32)"),
    ).spanned(data=Scalar(1.5)),
    _Sample("pair", "relay.Tuple", **UNTYPED).spanned(fields=[Made("typed"), Made("untyped")]),
    _Sample("item", "relay.TupleGetItem", **UNTYPED).spanned(
        tuple_value=Made("untyped"), index=2**62
    ),
    _Sample("passing", "relay.CallDestinationPassingAttrs").of(out_types=[Made("tensor")]),
    _Sample("required", "relay.RequireAttrs").of(conditions=[Made("LE")]),
    _Sample("relay_call", "relay.Call", **UNTYPED, assumptions=None).spanned(
        op=Made("untyped"), args=[Made("constant"), Made("typed")], attrs=Made("passing")
    ),
    _Sample("binding", "relay.Binding").spanned(var=Made("untyped"), value=Made("relay_call")),
    _Sample("relay_block", "relay.Block").of(bindings=[Made("binding")], result=Made("untyped")),
    _Sample("choice", "relay.If", **UNTYPED).spanned(
        condition=Made("untyped"), true_branch=Made("relay_block"), false_branch=Made("relay_block")
    ),
    _Sample(
        "relay_while",
        "relay.While",
        checked_type=Printed(
            "uir.ir.TupleType(fields=(uir.ir.TensorType(shape=("
            "uir.ir.IntImm(dtype=int32, value=1), "
            "uir.ir.IntImm(dtype=int64, value=-4611686018427387904)), dtype=bfloat16),))"
        ),
    ).spanned(
        params=[Made("typed")],
        condition=Made("untyped"),
        initial=[Made("typed")],
        body=Made("relay_block"),
    ),
    _Sample("relay_function", "relay.Function", **UNTYPED).spanned(
        params=[Made("typed")], body=Made("relay_block"), ret_type=None, attrs=Made("attrs")
    ),
    _Sample("relay_builder", "relay.Builder", params=[], bindings=[]).of(),
)

SAMPLES = (
    *(*IR, *VARS, *OPERATIONS, *EXPRESSIONS, *BUFFERS, *STATEMENTS),
    *(*ERRORS, *TENSORS, *BUILDERS, *ARITH, *PASSES, *RELAY),
)
