"""Herds."""

from schema.animal import AnimalNode, CowNode

from tschema import Object, declare, function, ty


@declare
class HerdNode(Object):
    """
    Animals that belong together.

    Attributes
    ----------
    animals
        All of them.
    """

    type_key = "farm.Herd"
    animals: ty.Array[AnimalNode]


@function
def milk(herd: HerdNode, leader: ty.Optional[CowNode] = None) -> ty.float64:
    """
    Return the milk of a herd, litres a day.

    Parameters
    ----------
    herd
        The animals.
    leader
        A cow that counts twice.
    """
    ...
