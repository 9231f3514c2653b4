"""A file."""

from tschema import Object, declare, field, function, ty


@declare
class CacheNode(Object):
    """A cache.

    Attributes
    ----------
    table, hits, size, name, kind
        Members.
    """

    type_key = "toy.Cache"
    final = False
    table: ty.foreign("std::vector<int>") = field(register=True)
    hits: ty.int64_t = field(register=False, init=True)
    size: ty.int64_t = field(register=False, kw_only=True)
    name: ty.String = field(register=False, structural="ignore")
    kind: ty.foreign("std::string") = field(default="a")


@declare
class ChildNode(CacheNode):
    """A child.

    Attributes
    ----------
    hits
        Hits.
    """

    type_key = "toy.Child"
    hits: ty.int64_t
