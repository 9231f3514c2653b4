"""Nodes."""

from tschema import declare, ty


@declare
class Kind(ty.IntEnum):
    """A kind."""

    DATA_PAR = 1
    Data_Par = 2
