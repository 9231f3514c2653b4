"""Enums."""

from tschema import declare, ty


@declare
class Surface(ty.IntEnum):
    """
    What a way is made of.

    Attributes
    ----------
    GRAVEL
        Loose stones.
    PAVED_ROAD
        Asphalt or concrete.
    """

    GRAVEL = 0
    PAVED_ROAD = 1


@declare
class Level(ty.IntEnum):
    """
    How far up something is; the values have gaps.

    Attributes
    ----------
    CELLAR
        The lowest there is.
    GROUND
        Where one enters.
    SUMMIT
        The highest there is.
    """

    CELLAR = -0x8000_0000
    GROUND = 0
    SUMMIT = 0x7FFF_FFFF
