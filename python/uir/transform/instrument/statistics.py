"""Counts that passes report, and counts of the functions that they change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from uir_nodes.ir import IRModule
from uir_nodes.transform import PassInfo

from ...ir import structural_hash
from ..instrument_base import Instrument
from .pass_stack import PassStack

__all__ = ["PassStatistics"]


class PassStatistics(Instrument):
    """
    Collect what passes count by `count`, and how many functions they add, remove and change.

    The counts of all runs of a pass are added up. Passes that only contain others are left out.

    Examples
    --------
    >>> statistics = PassStatistics()
    >>> with PassContext(instruments=[statistics]):
    ...     module = pipeline(module)
    >>> print(statistics.render())
    """

    def __init__(self) -> None:
        super().__init__()
        self._stack = PassStack()
        self._counts: dict[str, Counter[str]] = {}
        self._before: dict[str, int] = {}

    @property
    def counts(self) -> Mapping[str, Mapping[str, int]]:
        """The counts of the last context by the names of passes, in the order of their runs."""
        return self._counts

    def count(self, name: str, number: int, /) -> None:
        """Add to a count of the running pass.

        Parameters
        ----------
        name
            The counted things.
        number
            How many.
        """
        run = self._stack.innermost
        if run is not None:
            self._counts.setdefault(run.name, Counter())[name] += number

    def enter_pass_ctx(self) -> None:
        """Discard the counts of an earlier context."""
        self._stack = PassStack()
        self._counts = {}

    def run_before_pass(self, module: IRModule, info: PassInfo) -> None:
        """Note the functions of the input of a pass.

        Parameters
        ----------
        module
            The input of the pass.
        info
            The pass.
        """
        self._stack.enter(info)
        self._before = _hashes(module)

    def run_after_pass(self, module: IRModule, info: PassInfo) -> None:
        """Count the functions that a pass has changed.

        Parameters
        ----------
        module
            The result of the pass.
        info
            The pass.
        """
        # The noted functions are those before the innermost pass.
        if self._stack.runs[-1] is self._stack.innermost:
            before, after = self._before, _hashes(module)
            common = before.keys() & after.keys()
            self.count("functions added", len(after) - len(common))
            self.count("functions removed", len(before) - len(common))
            self.count("functions changed", sum(before[one] != after[one] for one in common))
        self._stack.leave(info)

    def render(self) -> str:
        """Return the counts as a table.

        Returns
        -------
        str
            One line for each count that is not 0: the count, the pass, and the counted things.
        """
        width = max([len("pass"), *map(len, self._counts)])
        lines = [f"{'count':>9}  {'pass':{width}}  what"]
        lines += [
            f"{number:9}  {pass_:{width}}  {name}"
            for pass_, counts in self._counts.items()
            for name, number in counts.items()
            if number
        ]
        return "\n".join(lines) + "\n"


def _hashes(module: IRModule) -> dict[str, int]:
    """Return hashes of the functions; a reference to one would prevent writing in place."""
    return {
        str(var.name_hint): structural_hash(func, map_free_vars=True)
        for var, func in module.functions.items()
    }
