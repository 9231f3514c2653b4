"""The features of candidates, from which models predict times."""

from schema.tir.function import PrimFuncNode
from tschema import function, ty


@function
def feature_names() -> ty.Array[ty.String]:
    """
    Return the names of the features of a candidate.

    Returns
    -------
    names
        A name for each number that `features` returns.
    """
    ...


@function
def features(
    func: PrimFuncNode,
    candidates: ty.Array[ty.Array[ty.String]],
    sizes: ty.Optional[ty.Map[ty.String, ty.int64_t]] = None,
) -> ty.Array[ty.Array[ty.float64]]:
    """
    Describe the loops that candidates make of a kernel.

    The loops are counted and not run: arithmetic, accesses, bytes by level of the memory,
    vectors, incomplete steps, registers and threads, as `log2(1 + number)`.

    Parameters
    ----------
    func
        The kernel, as it was before the recipes ran.
    candidates
        Traces, as `uir.schedule.trace_of` returns them.
    sizes
        The values of symbolic dimensions by name; 128 for others.

    Returns
    -------
    features
        For each candidate a number for each of `feature_names`; none for a trace that does
        not fit the function.
    """
    ...
