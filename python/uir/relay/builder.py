"""The builder of high-level functions."""

from __future__ import annotations

from uir_nodes.relay import Builder

__all__ = ["builder"]


def builder() -> Builder:
    """Make a builder of a function, whose bindings have types as soon as they are made.

    Returns
    -------
    Builder
        The builder.

    Examples
    --------
    >>> rb = builder()
    >>> x = rb.param("x", TensorType([2, 3], "float32"))
    >>> func = rb.make_func(rb.emit(Tuple([x, x]), "pair"))
    """
    return Builder()
