"""The elements of a buffer that a statement reads and writes."""

from schema.arith.analyzer import AnalyzerNode
from schema.arith.int_set import IntSetNode
from schema.tir.buffer import BufferNode
from schema.tir.stmt import StmtNode
from tschema import function, ty


@function(api=True)
def domain_touched(
    stmt: StmtNode,
    buffer: BufferNode,
    consider_loads: ty.bool = True,
    consider_stores: ty.bool = True,
    analyzer: ty.Optional[AnalyzerNode] = None,
) -> ty.Array[IntSetNode]:
    """
    Return for each dimension of a buffer a set that contains the accessed indices.

    Parameters
    ----------
    stmt
        The statement. Its loops, conditions and bound variables count.
    buffer
        The buffer. Accesses to others that share its memory do not count; where its address is
        used for anything else, all of its elements do.
    consider_loads
        Whether loads count.
    consider_stores
        Whether stores count.
    analyzer
        The facts about other variables, which the call does not change; None for no facts.

    Returns
    -------
    sets
        A set for each dimension, its ends without variables that the statement defines; empty
        if the statement does not access the buffer.

    Raises
    ------
    ValueError
        If both `consider_loads` and `consider_stores` are False.
    """
    ...
