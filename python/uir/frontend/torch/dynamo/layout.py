"""How `PackWeights` lays out a weight: as panels of columns."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

__all__ = ["Layout"]

# A tensor of PyTorch.
Tensor: TypeAlias = Any


class Layout(NamedTuple):
    """The elements of a tensor in panels of columns, with zeros for missing columns.

    Attributes
    ----------
    shape
        (panels, ..., columns of a panel).
    strides
        How far apart in the tensor the neighbours along each dimension are, in elements.
    columns
        The columns of all panels.
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    columns: int

    @staticmethod
    def of(places: np.ndarray[Any, Any]) -> Layout:
        """Return the layout that moves elements to where their places are.

        Parameters
        ----------
        places
            Of shape (panels, ..., columns of a panel): the place of each element in the tensor, or
            -1 for a missing column.

        Raises
        ------
        ValueError
            If no strides give these places.
        """
        shape, width = places.shape, places.shape[-1]
        strides = tuple(
            max(int(places.take(1, axis).flat[0]), 0) if extent > 1 else 0
            for axis, extent in enumerate(shape)
        )
        last_panel = places[-1].reshape(-1, width)[0]
        layout = Layout(shape, strides, (shape[0] - 1) * width + int((last_panel >= 0).sum()))
        if not np.array_equal(layout.places(), places):
            raise ValueError(f"a weight of shape {shape} is not in panels of columns")
        return layout

    def places(self) -> np.ndarray[Any, Any]:
        """Return the place of each element in the tensor, or -1 for a missing column."""
        indices = np.ogrid[tuple(map(slice, self.shape))]
        found = sum(index * stride for index, stride in zip(indices, self.strides, strict=True))
        is_column = indices[0] * self.shape[-1] + indices[-1] < self.columns
        return np.where(is_column, found, -1)

    def packed(self, tensor: Tensor) -> Tensor:
        """Return the elements of a tensor in this layout."""
        flat = tensor.contiguous().flatten()
        result = flat.new_zeros(self.shape)
        full, rest = divmod(self.columns, self.shape[-1])
        result[:full] = flat.as_strided((full, *self.shape[1:]), self.strides)
        if rest:
            shape, strides = (*self.shape[1:-1], rest), self.strides[1:]
            result[full, ..., :rest] = flat.as_strided(shape, strides, full * self.strides[0])
        return result
