"""Methods, functions and enums."""

from __future__ import annotations

from tschema import Object, declare, function, method, ty


@declare
class ForKind(ty.IntEnum):
    """How a loop runs.

    Attributes
    ----------
    SERIAL
        One iteration after the other.
    THREAD_BINDING
        On threads.
    """

    SERIAL = 0
    THREAD_BINDING = 4


@declare
class ForNode(Object):
    """
    A loop.

    Text that follows the summary stays with it.

    Notes
    -----
    A section that means nothing to the schema stays, too.

    Attributes
    ----------
    extent : int
        How often it runs;
        on two lines.

        And a second paragraph.
    """

    type_key = "toy.For"
    extent: ty.int64_t

    @method
    def trip_count(self, scale: ty.uint8_t = 1, kind: ForKind = ForKind.SERIAL) -> int | None:
        """
        Return how often the loop runs.

        Parameters
        ----------
        scale
            A factor.
        kind
            How it runs.

        Returns
        -------
        count
            The extent times the factor.

        Raises
        ------
        ValueError
            If `scale` is 0.
        """
        ...

    @method
    def join(self, other: ForNode) -> ty.Array[ForNode]:
        """Join two loops."""


@function
def make_loop(extent: int) -> ForNode:
    """Make a loop.

    Returns
    -------
    ForNode
        The loop.
    """
    ...


@function
def reset() -> None:
    """Forget everything."""
    ...
