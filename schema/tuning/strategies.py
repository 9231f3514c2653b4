"""The strategies that every language has, and a search that needs no database."""

from schema.tuning.interfaces import (
    CostModelFunctionsNode,
    SearchStrategyFunctionsNode,
    SpaceFunctionsNode,
)
from tschema import function, ty


@function
def exhaustive(space: SpaceFunctionsNode) -> SearchStrategyFunctionsNode:
    """
    Return a strategy that proposes all candidates of a space, in its order.

    Parameters
    ----------
    space
        The candidates.

    Returns
    -------
    strategy
        The strategy. It proposes neither the recipes' choice nor candidates whose time it
        was told.
    """
    ...


@function
def evolution(
    space: SpaceFunctionsNode,
    model: CostModelFunctionsNode,
    seed: ty.int64_t = 0,
    parents: ty.int64_t = 8,
    pool: ty.int64_t = 128,
) -> SearchStrategyFunctionsNode:
    """
    Return a strategy that changes the best candidates, chosen by a model of their times.

    Parameters
    ----------
    space
        The candidates.
    model
        Predicts their times.
    seed
        The seed of all draws: the same seed and the same times give the same proposals.
    parents
        The number of best candidates that are changed; at least 1.
    pool
        The number of candidates among which the model chooses; at least 1.

    Returns
    -------
    strategy
        The strategy. Of each four proposals, the model chooses three, and one is drawn.

    Raises
    ------
    ValueError
        If `parents` or `pool` is not positive.
    """
    ...


@function
def search(
    space: SpaceFunctionsNode,
    strategy: SearchStrategyFunctionsNode,
    measure: ty.Function,
    trials: ty.int64_t = 64,
) -> ty.Array[ty.String]:
    """
    Search the candidates of a kernel, with times by a function.

    `uir.tuning.tune` in Python searches a whole module instead, and measures in processes.

    Parameters
    ----------
    space
        The candidates.
    strategy
        Their order.
    measure
        Returns the time of a candidate relative to the recipes' choice, or None if it
        failed: `(trace) -> float | None`.
    trials
        The most candidates; at least 1.

    Returns
    -------
    trace
        The fastest candidate, the recipes' choice if none is faster.

    Raises
    ------
    ValueError
        If `trials` is not positive, a time is not positive and finite, or a part of the
        search breaks its contract; the message names it.
    """
    ...
