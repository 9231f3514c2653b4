"""The order in which candidates are measured."""

from __future__ import annotations

from abc import ABC, abstractmethod

from uir_nodes import tuning as nodes

from ..ir.node_error import carried
from . import _ffi_api
from .cost_model import CostModel
from .registry import node_of
from .space import Space, Trace

__all__ = ["SMALL", "SearchStrategy", "default_strategy", "evolution", "exhaustive"]

SMALL = 64
"""The largest space that is searched whole."""


class SearchStrategy(ABC):
    """Proposes candidates, and hears their times, on which the next proposals depend.

    C++ calls it by the functions of a node, which also checks its results.

    Attributes
    ----------
    name
        The strategy's name in messages; empty for that of the class.
    """

    name: str = ""

    @abstractmethod
    def propose(self, count: int) -> list[Trace]:
        """Return new candidates.

        Parameters
        ----------
        count
            The most candidates to return.

        Returns
        -------
        traces
            Candidates that were not proposed before; none if the search has ended.
        """

    @abstractmethod
    def tell(self, trace: Trace, time: float | None) -> None:
        """Take the time of a candidate.

        Parameters
        ----------
        trace
            The candidate: a proposal, or one that an earlier search has measured.
        time
            The time relative to the recipes' choice; None if the candidate failed.
        """

    def __tvm_ffi_object__(self) -> nodes.SearchStrategyFunctions:
        """Return the node whose functions call this object."""

        def tell(trace: Trace, time: float | None) -> None:
            self.tell(tuple(trace), time)

        return nodes.SearchStrategyFunctions(
            self.name or type(self).__name__, carried(self.propose), carried(tell)
        )


def exhaustive(space: Space | nodes.SpaceFunctions) -> nodes.SearchStrategyFunctions:
    """Return a strategy that proposes all candidates of a space, in its order.

    Parameters
    ----------
    space
        The candidates.

    Returns
    -------
    strategy
        The strategy. It proposes neither the recipes' choice nor candidates whose time it was told.
    """
    return _ffi_api.exhaustive(node_of(space))


def evolution(
    space: Space | nodes.SpaceFunctions,
    model: CostModel | nodes.CostModelFunctions,
    seed: int = 0,
    parents: int = 8,
    pool: int = 128,
) -> nodes.SearchStrategyFunctions:
    """Return a strategy that changes the best candidates, and chooses by a model of their times.

    Parameters
    ----------
    space
        The candidates.
    model
        Predicts their times.
    seed
        The seed of all draws: the same seed and the same times give the same proposals.
    parents
        The number of best candidates that are changed.
    pool
        The number of candidates among which the model chooses.

    Returns
    -------
    strategy
        The strategy. Of each four proposals, the model chooses three, and one is drawn.

    Raises
    ------
    ValueError
        If `parents` or `pool` is not positive.
    """
    return _ffi_api.evolution(node_of(space), node_of(model), seed, parents, pool)


def default_strategy(
    space: Space | nodes.SpaceFunctions, model: CostModel | nodes.CostModelFunctions, seed: int = 0
) -> nodes.SearchStrategyFunctions:
    """Return a strategy for a space.

    Parameters
    ----------
    space
        The candidates.
    model
        Predicts their times.
    seed
        The seed of draws.

    Returns
    -------
    strategy
        `exhaustive` if there are at most 64 candidates, else `evolution`.
    """
    known = node_of(space)
    return exhaustive(known) if known.size <= SMALL else evolution(known, model, seed)
