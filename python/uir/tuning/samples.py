"""The sizes for which kernels with symbolic dimensions are timed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["OBJECTIVES", "ONE_SAMPLE", "Samples", "Sizes"]

Sizes: TypeAlias = Mapping[str, int | Sequence[int]]
"""The values of dimensions by name: one, or one for each sample."""

OBJECTIVES = ("worst", "mean")


@dataclass(frozen=True)
class Samples:
    """The sizes for which kernels are timed, and how their ratios become one.

    Attributes
    ----------
    sizes
        The values of symbolic dimensions by name, for each sample.
    objective
        `worst` for the largest ratio of the samples, `mean` for their geometric mean.
    """

    sizes: tuple[Mapping[str, int], ...] = ({},)
    objective: str = "worst"

    @classmethod
    def of(cls, sizes: Sizes, objective: str = "worst") -> Samples:
        """Return the samples of sizes by name.

        Parameters
        ----------
        sizes
            The values of each dimension. Those with one value have it in all samples.
        objective
            How the ratios of samples become one.

        Returns
        -------
        samples
            One sample for each value.

        Raises
        ------
        ValueError
            If the objective is not known, a value is not positive, or dimensions have different
            numbers of values.
        """
        if objective not in OBJECTIVES:
            raise ValueError(f"expected the objective `worst` or `mean`, got `{objective}`")
        values = {
            name: (given,) if isinstance(given, int) else tuple(given)
            for name, given in sorted(sizes.items())
        }
        for name, known in values.items():
            if not known or min(known) < 1:
                raise ValueError(f"the dimension `{name}` needs positive sizes, got {known}")
        counts = {len(known) for known in values.values()} - {1}
        if len(counts) > 1:
            texts = ", ".join(f"`{name}` has {len(known)}" for name, known in values.items())
            raise ValueError(f"dimensions need equal numbers of samples: {texts}")
        count = max(counts, default=1)
        return cls(
            tuple(
                {name: known[place % len(known)] for name, known in values.items()}
                for place in range(count)
            ),
            objective,
        )

    def __str__(self) -> str:
        """Return the samples as databases name them: `worst of n=1,16`; empty without sizes."""
        names = list(self.sizes[0])
        values = {name: ",".join(str(one[name]) for one in self.sizes) for name in names}
        text = " ".join(f"{name}={value}" for name, value in values.items())
        return text if len(self.sizes) == 1 else f"{self.objective} of {text}"


ONE_SAMPLE = Samples()
"""No symbolic dimensions."""
