"""Models of times and strategies by name, whichever language they are written in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, overload

from uir_nodes import tuning as nodes

from ..ir.node_error import carried
from . import _ffi_api

__all__ = [
    "HasNode",
    "make_cost_model",
    "make_strategy",
    "node_of",
    "register_cost_model",
    "register_strategy",
]

Node = TypeVar(
    "Node",
    nodes.CostModelFunctions,
    nodes.SearchStrategyFunctions,
    nodes.SpaceFunctions,
    covariant=True,
)
Factory = TypeVar("Factory", bound="Callable[..., Any]")


class HasNode(Protocol[Node]):
    """A part of a search that is written in Python."""

    def __tvm_ffi_object__(self) -> Node:
        """Return the node whose functions call this object."""
        ...


def node_of(part: Node | HasNode[Node]) -> Node:
    """Return the node of a part of a search: of a space, a model or a strategy.

    Parameters
    ----------
    part
        The node itself, or an object written in Python.

    Returns
    -------
    node
        The node.

    Raises
    ------
    TypeError
        If the object is neither.
    """
    if isinstance(
        part, (nodes.CostModelFunctions, nodes.SearchStrategyFunctions, nodes.SpaceFunctions)
    ):
        return part
    make = getattr(part, "__tvm_ffi_object__", None)
    if make is None:
        raise TypeError(f"expected a space, a cost model or a strategy, got {type(part).__name__}")
    made: Node = make()
    return made


@overload
def register_cost_model(name: str, /) -> Callable[[Factory], Factory]: ...
@overload
def register_cost_model(name: str, factory: Factory, /) -> Factory: ...
def register_cost_model(name: str, factory: Any = None, /) -> Any:
    """Register a model of times by name, for `tune(cost_model=...)` and other languages.

    Parameters
    ----------
    name
        The model's name; a package's model starts with the package: `toy.linear`.
    factory
        Makes the model of a seed; without it, the function returns a decorator.

    Returns
    -------
    Factory
        The registered factory.

    Raises
    ------
    ValueError
        If a model of that name is registered; the message shows both locations.
    """
    return _registering(_ffi_api.register_cost_model, name, factory, sys._getframe(1))


@overload
def register_strategy(name: str, /) -> Callable[[Factory], Factory]: ...
@overload
def register_strategy(name: str, factory: Factory, /) -> Factory: ...
def register_strategy(name: str, factory: Any = None, /) -> Any:
    """Register a strategy by name, for `tune(strategy=...)` and other languages.

    Parameters
    ----------
    name
        The strategy's name; a package's strategy starts with the package: `toy.annealing`.
    factory
        Makes the strategy for a space, a model and a seed; without it, the function returns a
        decorator. The space and the model are nodes.

    Returns
    -------
    Factory
        The registered factory.

    Raises
    ------
    ValueError
        If a strategy of that name is registered; the message shows both locations.
    """
    return _registering(_ffi_api.register_strategy, name, factory, sys._getframe(1))


def make_cost_model(name: str, seed: int = 0) -> nodes.CostModelFunctions:
    """Make a registered model of times.

    Parameters
    ----------
    name
        The registered name: `ridge` and `trees` are always there.
    seed
        The seed of the model.

    Returns
    -------
    model
        The model.

    Raises
    ------
    ValueError
        If there is no such model; the message lists the names.
    """
    return _ffi_api.make_cost_model(name, seed)


def make_strategy(
    name: str,
    space: nodes.SpaceFunctions | HasNode[nodes.SpaceFunctions],
    model: nodes.CostModelFunctions | HasNode[nodes.CostModelFunctions],
    seed: int = 0,
) -> nodes.SearchStrategyFunctions:
    """Make a registered strategy.

    Parameters
    ----------
    name
        The registered name: `evolution` and `exhaustive` are always there.
    space
        The candidates.
    model
        Predicts their times.
    seed
        The seed of all draws.

    Returns
    -------
    strategy
        The strategy.

    Raises
    ------
    ValueError
        If there is no such strategy; the message lists the names.
    """
    return _ffi_api.make_strategy(name, node_of(space), node_of(model), seed)


def _registering(add: Callable[..., None], name: str, factory: Any, frame: Any) -> Any:
    place = f"{frame.f_code.co_filename}:{frame.f_lineno}"

    def register(registered: Any) -> Any:
        add(name, carried(lambda *arguments: node_of(registered(*arguments))), place)
        return registered

    return register if factory is None else register(factory)
