"""Functions of users that return lists of primitives, with their choices as data."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import prod
from typing import TypeAlias, TypeVar

__all__ = ["ListFunction", "Value", "list_function", "list_functions"]

Value: TypeAlias = int | str
Values: TypeAlias = Mapping[str, Value]
_Function = TypeVar("_Function", bound=Callable[..., Sequence[str]])

_functions: dict[str, ListFunction] = {}
"""The functions that take part in searches, by module and name."""


@dataclass(frozen=True)
class ListFunction:
    """A function that takes part in searches.

    Attributes
    ----------
    function
        Returns a list of primitives, as `uir.schedule.with_lists` takes it, for a value of each
        choice.
    choices
        The values to try, by the name of the parameter.
    kernel, nest
        Patterns of the names of kernels and nests.
    refuse
        The reasons to refuse a list before it is compiled, each with a function of all choices that
        tells whether it holds.
    """

    function: Callable[..., Sequence[str]]
    choices: Mapping[str, tuple[Value, ...]]
    kernel: str = "*"
    nest: str = "*"
    refuse: Mapping[str, Callable[..., bool]] | None = None

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    @property
    def size(self) -> int:
        """The number of combinations of values."""
        return prod(len(values) for values in self.choices.values())

    def takes(self, name: str, kernel_hash: str) -> bool:
        """Return whether the pattern of kernels matches a kernel.

        Parameters
        ----------
        name
            The name of the kernel.
        kernel_hash
            Its hash, as `uir.schedule.kernel_hash` returns it.

        Returns
        -------
        bool
            Whether one of them matches.
        """
        return fnmatchcase(name, self.kernel) or kernel_hash == self.kernel

    def combinations(self) -> Iterator[Values]:
        """Yield all combinations of values, in the order of the choices.

        Yields
        ------
        dict
            A value for each choice.
        """
        for values in itertools.product(*self.choices.values()):
            yield dict(zip(self.choices, values, strict=True))

    def refusal(self, values: Values) -> str:
        """Return the first reason to refuse a combination.

        Parameters
        ----------
        values
            A value for each choice.

        Returns
        -------
        str
            The reason; empty if none holds.
        """
        reasons = self.refuse or {}
        return next((reason for reason, holds in reasons.items() if holds(**values)), "")

    def steps(self, values: Values) -> list[str]:
        """Return the list of a combination.

        Parameters
        ----------
        values
            A value for each choice.

        Returns
        -------
        list
            The primitives as texts.

        Raises
        ------
        TypeError
            If the function returns anything but a list of texts.
        """
        made = self.function(**values)
        if isinstance(made, str) or not all(isinstance(step, str) for step in made):
            raise TypeError(
                f"`{self.name}` must return a list of primitives as texts, got {made!r}"
            )
        return list(made)


def list_function(
    *,
    choices: Mapping[str, Sequence[Value]],
    kernel: str = "*",
    nest: str = "*",
    refuse: Mapping[str, Callable[..., bool]] | None = None,
) -> Callable[[_Function], _Function]:
    """Let a function that returns a list of primitives take part in searches.

    Each combination of values is a candidate for the nests that the patterns name. The other nests
    of the kernel have the choices of the recipes. A list that would change a value is refused
    before it is compiled, as `uir.schedule.with_lists` does; the function may raise `ValueError`
    to refuse a combination too. A function of the same module and name replaces an earlier one.

    Parameters
    ----------
    choices
        The values to try, numbers or texts, by the name of the function's parameter.
    kernel
        The name of a kernel or a pattern such as `*matmul*`; or a kernel's hash.
    nest
        The name of a nest or a pattern: that of the buffer that it stores to, as
        `uir.schedule.lists` names it.
    refuse
        The reasons to refuse a list before it is made, each with a function of all choices that
        tells whether it holds.

    Returns
    -------
    decorator
        Returns the function as it is.

    Raises
    ------
    TypeError
        If the choices are not the parameters of the function, or a value is neither a number nor a
        text.
    ValueError
        If a choice has no values, or one of them twice.
    """

    def decorator(function: _Function) -> _Function:
        known = {name: _checked(name, values) for name, values in choices.items()}
        made = ListFunction(function, known, kernel, nest, dict(refuse or {}))
        called_functions: list[Callable[..., object]] = [function, *(refuse or {}).values()]
        for called in called_functions:
            _check_parameters(made.name, called, known)
        _functions[f"{function.__module__}.{function.__qualname__}"] = made
        return function

    return decorator


def list_functions() -> list[ListFunction]:
    """Return the functions that take part in searches.

    Returns
    -------
    functions
        The functions with the decorator `list_function`, in the order of their definition.
    """
    return list(_functions.values())


def _checked(name: str, values: Sequence[Value]) -> tuple[Value, ...]:
    if isinstance(values, str) or not all(isinstance(value, (int, str)) for value in values):
        raise TypeError(f"the choice `{name}` needs a list of numbers or texts, got {values!r}")
    if not values or len({*values}) < len(values):
        raise ValueError(f"the choice `{name}` needs different values, got {values!r}")
    return tuple(values)


def _check_parameters(
    name: str, called: Callable[..., object], choices: Mapping[str, object]
) -> None:
    try:
        inspect.signature(called).bind(**choices)
    except TypeError as error:
        given = ", ".join(f"`{one}`" for one in choices) or "none"
        raise TypeError(f"`{name}` does not take its choices, {given}: {error}") from None
