"""Rows of users for the table of parameters, as an option of the recipes."""

from schema.transform.config import PassOptionsNode
from tschema import declare, field, function, ty


@declare
class ScheduleOptionsNode(PassOptionsNode):
    """
    Options of the recipes.

    See Also
    --------
    ScheduleOptions
    recipes

    Attributes
    ----------
    rows
        Rows of the table of parameters that come before those of the library. A row has the
        name of a `recipe`, may have an `isa`, a `dtype` and a `shape` (else it is for all), and
        has some of the recipe's parameters, which are integers. The first row that fits and has
        a parameter gives its value.
    """

    type_key = "uir.schedule.ScheduleOptions"
    post_init = True
    rows: ty.Array[ty.Map[ty.String, ty.Any]] = field(default_factory=list)


@function
def read_rows(path: ty.String) -> ty.Array[ty.Map[ty.String, ty.Any]]:
    """
    Read rows of parameters from a file.

    Parameters
    ----------
    path
        A file of JSON: an array of objects, each a row as `ScheduleOptions.rows` has them.

    Returns
    -------
    rows
        The rows, which were checked.

    Raises
    ------
    ValueError
        If the file cannot be read, is not such an array, or a row is wrong.
    """
    ...
