"""Animals."""

from tschema import Object, declare, field, method, ty


@declare
class Mood(ty.IntEnum):
    """
    How an animal feels.

    Attributes
    ----------
    CALM
        As usual.
    WILD
        Better keep away.
    """

    CALM = 0
    WILD = 1


@declare
class AnimalNode(Object):
    """
    Something that lives on the farm.

    Attributes
    ----------
    name
        What it is called.
    """

    type_key = "farm.Animal"
    abstract = True
    dispatch = True
    name: ty.String


@declare
class CowNode(AnimalNode):
    """
    A cow.

    Attributes
    ----------
    litres
        Milk that it gives, litres a day.
    mood
        How it feels.
    calves
        Its children.
    """

    type_key = "farm.Cow"
    litres: ty.float64
    mood: Mood = Mood.CALM
    calves: ty.Array[AnimalNode] = field(default_factory=list)

    @method
    def yearly(self, days: ty.int64_t = 365) -> ty.float64:
        """
        Return the milk of a year.

        Parameters
        ----------
        days
            Days on which it is milked.
        """
        ...
