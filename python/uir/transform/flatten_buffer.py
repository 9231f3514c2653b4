"""Making buffers of several dimensions buffers of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["FlattenBuffer"]


def FlattenBuffer() -> Pass:
    """Return a pass that makes all buffers of a function buffers of one dimension.

    Strides and offsets become part of the indices, which are simplified; dimensions that
    `axis_separators` keep apart become one each. Parameters keep their buffers: what they point to
    is declared anew in the body.

    Returns
    -------
    Pass
        The pass, of level 0. It raises ValueError for a block that matches buffers.
    """
    return make_pass("FlattenBuffer")
