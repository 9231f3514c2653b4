"""The lists of primitives by which loop nests run: those of recipes, and those of users."""

from schema.tir.function import PrimFuncNode
from tschema import function, ty


@function
def lists(func: PrimFuncNode, isa: ty.String = "native") -> ty.Map[ty.String, ty.Array[ty.String]]:
    """
    Return the lists of primitives that recipes choose for the nests of a function.

    Parameters
    ----------
    func
        A function from `te.create_prim_func`, or another one with the attribute `tir.noalias`,
        before recipes run.
    isa
        The instruction set, which chooses the steps: `native` for that of the machine at hand,
        `x86-64-v3`, `x86-64-v4`, `aarch64` or `generic`.

    Returns
    -------
    lists
        The primitives by the name of the nest: that of the buffer that it stores to, and `c#2`
        for the second nest of the name `c`. Nests whose recipe is not a list are not there:
        reductions of rows, sliding windows, and windows whose pixels are packed. Where a recipe
        has a list for many rows and another for few, it is the one for many.

    Raises
    ------
    ValueError
        If there is no such instruction set, or the function's buffers may overlap.

    Examples
    --------
    >>> from uir import schedule, te
    >>> x = te.placeholder((100,), "float32", name="x")
    >>> y = te.compute((100,), lambda i: x[i] + x[i], name="y")
    >>> for step in schedule.lists(te.create_prim_func([x, y]), "x86-64-v3")["y"]:
    ...     print(step)
    tile("i", 8, "i_vector")
    tile("i", 1, "i_lane")
    vectorize("i_lane")
    """
    ...


@function
def with_lists(
    func: PrimFuncNode,
    lists: ty.Map[ty.String, ty.Array[ty.String]],
    isa: ty.String = "native",
) -> PrimFuncNode:
    """
    Return a function whose nests run by lists, in place of those of the recipes.

    Axes that a list does not split to single elements get the loops of the recipe, inside of
    those of the list. A list without `registers` gets it, and the copies of the recipe if it
    has none.

    Parameters
    ----------
    func
        The function, before recipes run.
    lists
        Primitives by the names of nests, as `lists` returns them. Nests without a list keep
        their recipe.
    isa
        The instruction set for which the lists are checked.

    Returns
    -------
    scheduled
        The function with the lists, as an attribute that the pass `ScheduleByLists` applies.

    Raises
    ------
    ValueError
        If the function has no such nest, its recipe is not a list, a primitive is malformed, or
        the list would compute something else; the message has the number of the step.

    Examples
    --------
    >>> from uir import schedule, te
    >>> x = te.placeholder((100,), "float32", name="x")
    >>> y = te.compute((100,), lambda i: x[i] + x[i], name="y")
    >>> func = te.create_prim_func([x, y])
    >>> made = schedule.with_lists(func, {"y": ['tile("i", 50)', 'parallel("i:50")']})
    >>> made.get_attr("schedule_lists")["y"][0]
    'tile("i", 50)'
    """
    ...
