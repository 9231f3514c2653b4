"""A file."""

from tschema import Object, declare, field, function, ty


@declare
class TableNode(Object):
    """A table.

    Attributes
    ----------
    rows, lines, both, wide, odd, text, words, none, later
        Members.
    """

    type_key = "toy.Table"
    rows: ty.foreign("acme::Rows")
    lines: ty.foreign("acme::Lines", align=8)
    both: ty.foreign("acme::Both", size=12, align=8)
    wide: ty.foreign("acme::Wide", size=32, align=16)
    odd: ty.foreign("int rows[4]", size=16, align=4)
    text: ty.foreign("std::string", size="32")
    words: ty.foreign("std::string", bytes=32)
    none: ty.foreign()
    later: ty.foreign("std::string", 32)


@function
def count(rows: ty.foreign("std::vector<int>")) -> ty.int64_t:
    """Count rows.

    Parameters
    ----------
    rows
        The rows.
    """
    ...
