"""A linked list, which compiled functions walk."""

from tschema import Object, declare, field, function, ty


@declare
class ListNode(Object):
    """
    Base of the elements of lists; None is the empty list.
    """

    type_key = "toy.List"
    abstract = True


@declare
class LinkNode(ListNode):
    """
    An element of a linked list.

    Attributes
    ----------
    value
        A number.
    weight
        Another number.
    is_last
        Whether a walk ends here.
    next
        The rest of the list; None at its end.
    """

    type_key = "toy.Link"
    final = False
    value: ty.int64_t
    weight: ty.float32 = 1.0
    is_last: ty.bool = False
    next: ty.Optional[ListNode] = None


@declare
class NamedLinkNode(LinkNode):
    """
    An element with a name.

    Attributes
    ----------
    name
        The name.
    rank
        A small number.
    """

    type_key = "toy.NamedLink"
    name: ty.String = field(default="")
    rank: ty.uint8_t = 0


@function
def sum_values(first: ty.Optional[ListNode]) -> ty.int64_t:
    """
    Add the values of a list.

    Parameters
    ----------
    first
        The first element.

    Returns
    -------
    sum
        The sum, which wraps around.
    """
    ...
