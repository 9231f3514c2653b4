"""Checks of settings, whose messages name the setting."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from tschema.command_line import nearest

__all__ = ["Named", "check_choice", "check_kept", "check_max_error"]


class Named(Protocol):
    """A record with the name and the operator of a node."""

    @property
    def name(self) -> str:
        """The name."""
        ...

    @property
    def operator(self) -> str:
        """The operator."""
        ...


def check_choice(what: str, given: str, known: Sequence[str]) -> None:
    """Reject a text that is not among those that are known."""
    if given not in known:
        listed = " or ".join(f"`{one}`" for one in known)
        raise ValueError(f"quantize: the {what} must be {listed}, got `{given}`")


def check_kept(keep: Collection[str], known: Sequence[Named]) -> None:
    """Reject names that no layer has."""
    names = [one.name for one in known]
    for name in keep:
        if name not in names:
            listed = ", ".join(f"`{one}`" for one in names) or "none"
            raise ValueError(
                f"quantize: there is no layer `{name}`; there are {listed}{nearest(name, names)}"
            )


def check_max_error(max_error: float) -> None:
    """Reject NaN and negative numbers."""
    if not max_error >= 0:
        raise ValueError(f"quantize: the largest error must not be negative, got {max_error}")
