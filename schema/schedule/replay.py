"""What recipes chose, and how to choose the same again."""

from schema.ir.module import IRModuleNode
from schema.tir.function import PrimFuncNode
from schema.transform.passes import PassNode
from tschema import function, ty


@function
def recipes(isa: ty.String = "native") -> ty.Array[PassNode]:
    """
    Return the passes that schedule all loop nests, in order.

    They are `ClassifyBlocks`, `FuseElementwise` and a recipe for each kind; `default_pipeline`
    has them.

    Parameters
    ----------
    isa
        The instruction set, which chooses parameters: `native` for that of the machine at hand,
        `x86-64-v3`, `x86-64-v4`, `aarch64` or `generic`. The attribute `isa` of a function,
        which `MultiversionFunctions` sets, takes precedence.

    Returns
    -------
    passes
        The passes.

    Raises
    ------
    ValueError
        If there is no such instruction set.
    """
    ...


@function
def trace_of(module: IRModuleNode) -> ty.Map[ty.String, ty.Array[ty.String]]:
    """
    Return what recipes chose for the functions of a module.

    Parameters
    ----------
    module
        A module after the recipes ran.

    Returns
    -------
    trace
        The attribute `schedule_trace` of each function that has one, by the function's name. A
        line is `recipe: nest: choice(parameter=value, ...)`, with `; ` between choices; the
        function takes one at run time. A nest has the name of the buffer that it stores to; the
        second nest of this name has the suffix `#2`.

    Examples
    --------
    >>> from uir import ir, schedule, te
    >>> x = te.placeholder((8,), "float32", name="x")
    >>> y = te.compute((8,), lambda i: x[i] + x[i], name="y")
    >>> module = ir.IRModule({ir.GlobalVar("main"): te.create_prim_func([x, y])})
    >>> for one in schedule.recipes("x86-64-v3"):
    ...     module = one(module)
    >>> schedule.trace_of(module)["main"][0]
    'ScheduleElementwise: y: vectors(lanes=8, flat=0, parallel=0)'
    """
    ...


@function(api=True)
def replay(module: IRModuleNode, trace: ty.Map[ty.String, ty.Array[ty.String]]) -> IRModuleNode:
    """
    Schedule a module by a trace, on any machine and with any table of parameters.

    A nest without a line in the trace stays unchanged.

    Parameters
    ----------
    module
        The module, as it was before the recipes ran.
    trace
        Lines by the names of functions, as `trace_of` returns them.

    Returns
    -------
    scheduled
        The scheduled module: the same module and the same trace give the same result.

    Raises
    ------
    ValueError
        If a line is malformed, a number in it is out of range, or the module has no such
        function, recipe or nest.

    Examples
    --------
    >>> from uir import ir, schedule, te
    >>> x = te.placeholder((8,), "float32", name="x")
    >>> y = te.compute((8,), lambda i: x[i] + x[i], name="y")
    >>> module = ir.IRModule({ir.GlobalVar("main"): te.create_prim_func([x, y])})
    >>> line = "ScheduleElementwise: y: vectors(lanes=4, flat=0, parallel=0)"
    >>> scheduled = schedule.replay(module, {"main": [line]})
    >>> schedule.trace_of(scheduled)["main"][0] == line
    True
    """
    ...


@function(makes_pass=True)
def ReplaySchedule(trace: ty.Map[ty.String, ty.Array[ty.String]]) -> PassNode:
    """
    Return a pass that makes the later recipes repeat the choices of a trace.

    In a pipeline it precedes `ClassifyBlocks`. `replay` runs it with the recipes.

    Parameters
    ----------
    trace
        Lines by the names of functions, as `trace_of` returns them.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError if a line is malformed, a number in it is out
        of range, or the module has no such function; so does a later recipe if there is no such
        nest, and `ScheduleFallback` if there is no such recipe.
    """
    ...


@function(api=True)
def kernel_hash(func: PrimFuncNode) -> ty.String:
    """
    Return the name by which files of tuned kernels know a function.

    Parameters
    ----------
    func
        The function, as it was before the recipes ran.

    Returns
    -------
    hash
        The structural hash of parameters, buffers and body, in 16 hexadecimal digits. It includes
        the names of the buffers that the function stores to, because traces name nests by them,
        and no attributes: neither the function's symbol nor its instruction set.

    Examples
    --------
    >>> from uir import ir, schedule, te
    >>> x = te.placeholder((8,), "float32", name="x")
    >>> y = te.compute((8,), lambda i: x[i] + x[i], name="y")
    >>> func = te.create_prim_func([x, y])
    >>> schedule.kernel_hash(func) == schedule.kernel_hash(ir.with_attr(func, "isa", "generic"))
    True
    """
    ...


@function(makes_pass=True)
def ReplayKernels(
    traces: ty.Map[ty.String, ty.Array[ty.String]], isa: ty.String = "native"
) -> PassNode:
    """
    Return a pass that makes the later recipes repeat the choices of traces of kernels.

    In a pipeline it precedes `ClassifyBlocks`. Unlike `ReplaySchedule` it finds functions by their
    structure, and leaves those without a trace to the recipes.

    Parameters
    ----------
    traces
        Lines by the hashes of functions, as `kernel_hash` returns them.
    isa
        The instruction set that the traces are for. Functions whose attribute `isa` has another one
        are skipped.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError if a line is malformed, or a number in it is out
        of range; so does a later recipe if a line does not fit the function.
    """
    ...


@function(api=True)
def lowering_version() -> ty.int64_t:
    """
    Return the version of what traces mean.

    Returns
    -------
    version
        A number, which increases when the same trace gives other loops than before.
    """
    ...


@function(api=True)
def read_tuned(path: ty.String, isa: ty.String = "native") -> ty.Optional[ty.Array[PassNode]]:
    """
    Read the kernels and chains of a file that `uir tune` wrote.

    Parameters
    ----------
    path
        A file of JSON: an object with the keys `uir_tuned` (1), `lowering` (a version, as
        `lowering_version` returns it), `isa`, and `kernels`, an array of objects with a `kernel`
        (its hash) and a `trace` (lines). It may have `chains`, an array of objects with a `chain`
        and a `trace`. Other keys are for readers.
    isa
        The instruction set of the target that is compiled for; `x86-64` takes files for each of
        the instruction sets that it has versions for. All versions share the layouts of chains, so
        the rule of `AlterLayout` decides them.

    Returns
    -------
    made
        `ReplayLayouts` if there are chains, and `ReplayKernels`, with these traces; None if the
        file has an array, as those of rows do.

    Raises
    ------
    ValueError
        If the file cannot be read, is malformed, or is for another version of lowering or
        another instruction set.
    """
    ...
