"""Relative imports."""

from tschema import declare

from ..ir.a import ANode


@declare
class CNode(ANode):
    """Has the name of nothing else."""

    type_key = "toy.tir.C"
