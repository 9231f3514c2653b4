"""A file."""

from tschema import Object, declare, field, function, ty


@declare
class BaseNode(Object):
    """A base.

    Attributes
    ----------
    count, hidden, table, name
        Members.
    """

    type_key = "toy.Base"
    final = False
    count: ty.int64_t = field(access="private", init=False, default=0)
    hidden: ty.int64_t = field(register=False)
    table: ty.foreign("std::vector<int>")
    name: ty.String


@declare
class ChildNode(BaseNode):
    """A child.

    Attributes
    ----------
    count, hidden, table, name
        Members.
    """

    type_key = "toy.Child"
    count: ty.int64_t
    hidden: ty.int64_t
    table: ty.foreign("std::vector<int>")
    name: ty.String = field(cpp_name="name_")
