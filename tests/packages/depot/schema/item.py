"""Classes of a code base that was there before its schema."""

from tschema import Object, declare, field, function, method, ty


@declare
class Size(ty.IntEnum):
    """
    How much room something takes.

    Attributes
    ----------
    small
        A shelf.
    large
        A pallet.
    """

    small = 1
    large = 5


@declare
class ItemNode(Object):
    """
    What a depot holds.

    Attributes
    ----------
    name
        What it is called.
    weight
        In grams.
    size
        The value of a `Size`.
    reads
        How often its notes were read.
    notes
        What was written on it.
    """

    type_key = "depot.Item"
    cpp_base = "acme::Counted"
    dispatch = True
    ref_name = "ItemRef"
    name: ty.String = field(access="protected", cpp_name="name_")
    weight: ty.int64_t = field(access="private", cpp_name="weight_", cpp_type="Grams")
    size: ty.int32_t = field(default=int(Size.large))
    reads: ty.int64_t = field(default=0, init=False, mutable=True, structural="ignore")
    notes: ty.foreign("std::vector<std::string>") = field(
        access="private", cpp_name="notes_", mutable=True
    )

    @method
    def note(self, text: ty.String) -> ty.int64_t:
        """
        Write a note on the item.

        Parameters
        ----------
        text
            The note.

        Returns
        -------
        count
            The notes that are on it now.
        """
        ...

    @method
    def joined(self) -> ty.String:
        """Read all notes."""
        ...


@declare
class BoxNode(ItemNode):
    """
    A box, of whose inside only C++ knows more.

    Attributes
    ----------
    content
        What is in it.
    padding
        What is around that.
    """

    type_key = "depot.Box"
    content: ty.Optional[ItemNode] = field(default=None)
    padding: ty.foreign("std::vector<int>")


@declare
class LatchNode(Object):
    """
    A latch, which cannot be copied.

    Attributes
    ----------
    is_open
        Whether it is open.
    guard
        Guards it.
    """

    type_key = "depot.Latch"
    is_open: ty.bool
    guard: ty.foreign("std::mutex") = field(access="private", mutable=True)


@declare
class RackNode(Object):
    """
    A rack, which is made empty and then filled in.

    Attributes
    ----------
    label
        What stands on it.
    n_slots
        Its slots.
    owner
        Whose it is.
    """

    type_key = "depot.Rack"
    default_constructible = True
    mutable = True
    label: ty.String
    n_slots: ty.int64_t = field(access="private", cpp_name="n_slots_", cpp_init="3")
    owner: ty.foreign("const char*")


@function
def relabel(item: ItemNode) -> ItemNode:
    """
    Write a note on each box in a box, in copies of them.

    Parameters
    ----------
    item
        The item.

    Returns
    -------
    item
        The item with the notes.
    """
    ...


@function
def weigh(items: ty.Array[ItemNode]) -> ty.int64_t:
    """
    Add weights.

    Parameters
    ----------
    items
        The items.

    Returns
    -------
    weight
        In grams.
    """
    ...
