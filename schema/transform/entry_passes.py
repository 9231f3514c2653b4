"""Passes that turn high-level functions into tensor-level ones, and allocate their values."""

from schema.transform.passes import PassNode
from tschema import function


@function(makes_pass=True)
def BindConstants() -> PassNode:
    """
    Return a pass that collects the constants of functions in an attribute of the module.

    The attribute `constants` of a function, which `LowerEntry` writes, is an array of tensors:
    `tir.constant_data(i)` is the address of the `i`-th one. The pass moves them to the
    attribute `constants` of the module, in the order of their functions, equal ones once, and
    changes the indices.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError for an index beyond the constants.
    """
    ...


@function(makes_pass=True)
def LowerEntry() -> PassNode:
    """
    Return a pass that turns public high-level functions into tensor-level host functions.

    The parameters of a host function are buffers: the tensors of the parameters, then those
    of the result, whose number is the attribute `num_outputs`. Tensors of a tuple are
    parameters of their own. The body asserts the `shape_assumptions`, allocates a buffer for
    each intermediate value, and runs the calls of `call_destination_passing` in order:

    - a `PrimFunc` gets the data pointers of its buffers, and then the sizes that its buffers
      bind, which become parameters of that function; a public one is copied for that;
    - an `ExternFunc` gets the data pointers of the arguments and the outputs, and then their
      dimensions that are not constant, in order, as `int64`.

    The bodies of other high-level functions are put where they are called, and private ones
    are removed. The constants of a function are its attribute `constants`. A view, such as
    `relay.reshape`, is a buffer in the memory of its operand. A result that is a parameter, a
    constant, another result, or a view of one of these is copied.

    Returns
    -------
    made
        The pass, of level 0, for functions in A-normal form with types. It raises ValueError or
        TypeError for code that it cannot lower: operators, functions as values, recursion,
        parameters of callees that are not compact.
    """
    ...


@function(makes_pass=True)
def PlanMemory() -> PassNode:
    """
    Return a pass that puts the buffers of host functions into one allocation, their arena.

    Host functions are those with the attribute `num_outputs`, which `LowerEntry` makes. Each
    buffer that they allocate becomes the address of bytes of the arena, a multiple of 64.
    Buffers share bytes if the statements that use them are not in turns: an output does not lie
    where an argument of the same call does, unless the call is the last use of the argument,
    both have the same size and data type, and the function stores each element once and reads
    of the argument only the element at the same place. A copy of the function, in which one
    parameter is both, is called then; parameters and constants of the host function are never
    written. Each is placed into the smallest gap that holds it, the largest ones first, then
    in other orders if that takes more bytes than are live at one time. Buffers of symbolic
    sizes share bytes with those whose sizes are multiples of the same expression, such as the
    batch. An allocation stays if its size is not known where the function begins, or if it is
    in a loop.

    The attribute `arena_bytes` is the size of the arena, an expression over the dimensions
    of the inputs, and `live_bytes` the most bytes that are live at one time, each buffer
    rounded up to a multiple of 64: the arena cannot be smaller.

    Returns
    -------
    made
        The pass, of level 0.
    """
    ...
