"""Lists of passes."""

from __future__ import annotations

from uir_nodes.target import Target
from uir_nodes.transform import Pass

from . import _ffi_api

__all__ = ["default_pipeline"]


def default_pipeline(target: Target | str | None = None) -> list[Pass]:
    """Return the passes that `uir.lower` runs by default, in order.

    Parameters
    ----------
    target
        The machine, or its kind (`"c"`); None for this one.

    Returns
    -------
    pipeline
        The passes: a list to edit and to give to `uir.lower` and `uir.build`.

    Raises
    ------
    ValueError
        If there is no such kind of target.
    """
    machine = Target(target) if isinstance(target, str) else target
    return list(_ffi_api.default_pipeline(machine))
