"""Lists of passes."""

from schema.target.target import TargetNode
from schema.transform.passes import PassNode
from tschema import function, ty


@function
def default_pipeline(target: ty.Optional[TargetNode] = None) -> ty.Array[PassNode]:
    """
    Return the passes that `uir.lower` runs by default, in order.

    The array may be edited and given to `uir.lower` and `uir.build`.

    Parameters
    ----------
    target
        The machine; None for this one.

    Returns
    -------
    pipeline
        The passes.
    """
    ...
