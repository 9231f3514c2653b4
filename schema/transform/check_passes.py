"""Passes that add checks, which run with the compiled program."""

from schema.transform.passes import PassNode
from tschema import function, ty


@function(makes_pass=True)
def CheckDivisors(division: ty.String = "checked", divisors: ty.String = "all") -> PassNode:
    """
    Return a pass that gives integer divisions by 0 a meaning.

    In `floordiv`, `floormod`, `truncdiv` and `truncmod`, a divisor that is a constant or proved
    not to be 0 stays unchanged. Where buffers do not overlap, a loop that divides by an element
    that it does not change checks it once, in front.

    Parameters
    ----------
    division
        `checked` puts the divisor into `tir.nonzero`, which makes the call of the compiled
        function fail; `numpy` makes the quotient and the remainder 0.
    divisors
        `all`; or `data` for those that depend on memory, so that the pass can run before others
        that simplify indices.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError if an argument is none of these.

    Examples
    --------
    >>> import uir
    >>> from uir import transform
    >>> module = uir.script.parse('''
    ... @uir.script.ir_module
    ... class Module:
    ...     @tir.prim_func
    ...     def main(A: tir.Buffer((2,), "int32")):
    ...         A[0] = A[0] // A[1]
    ... ''', "model.py")
    >>> print(transform.CheckDivisors()(module)["main"].body.value.b)
    tir.nonzero(A[1], "floordiv at model.py:6: the divisor `A[1]` is 0")
    """
    ...


@function(makes_pass=True)
def CheckIndices() -> PassNode:
    """
    Return a pass that asserts that each index lies in its dimension.

    The assertions precede the statements with the accesses, in the branches that compute them.
    Indices that are proved to be inside have none, nor have buffers of one compact dimension,
    which the code generator checks (`Target.checks`). `tir.vload`, `tir.access_ptr` and
    `tir.atomic_add` are checked where they name a buffer's data.

    Returns
    -------
    made
        The pass, of level 0.

    Examples
    --------
    >>> import uir
    >>> from uir import transform
    >>> module = uir.script.parse('''
    ... @uir.script.ir_module
    ... class Module:
    ...     @tir.prim_func
    ...     def main(A: tir.Buffer((2, 8), "int32"), i: tir.int32):
    ...         A[0, i] = 1
    ... ''', "model.py")
    >>> check = transform.CheckIndices()(module)["main"].body.seq[0]
    >>> print(check.kind.value, check.condition.b)
    IndexError tir.int64(i) < tir.int64(8)
    """
    ...
