"""The base class of instruments written in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from uir_nodes.transform import PassInstrument

from ..ir.node_error import carried

if TYPE_CHECKING:
    from collections.abc import Callable

    from uir_nodes.transform import PassInfo

    from ..ir import IRModule

    _Base = PassInstrument
else:
    # A cycle through C++ would never be freed.
    _Base = object

__all__ = ["Instrument", "pass_instrument"]

Class = TypeVar("Class", bound=type)


class Instrument(_Base):
    """Base of instruments: override methods, and pass an instance to a `PassContext`.

    An instrument runs in the thread of the context. An error in it ends the run; then
    `run_after_pass` is not called, but `exit_pass_ctx` is.

    Attributes
    ----------
    name
        The instrument's name in messages; by default, that of the class.

    Examples
    --------
    >>> class Names(Instrument):
    ...     def run_before_pass(self, module, info):
    ...         print(info.name)
    """

    def __init__(self) -> None:
        """Initialize the instrument."""

    def enter_pass_ctx(self) -> None:
        """Run on entry of the context."""

    def exit_pass_ctx(self) -> None:
        """Run on exit of the context."""

    def should_run(self, module: IRModule, info: PassInfo, /) -> bool:
        """Return whether a pass may run; it runs only if all instruments return True.

        Not called for a pass that the context requires.

        Parameters
        ----------
        module
            The input of the pass.
        info
            The pass.

        Returns
        -------
        bool
            Whether the pass may run.
        """
        del module, info
        return True

    def run_before_pass(self, module: IRModule, info: PassInfo, /) -> None:
        """Run before a pass.

        Parameters
        ----------
        module
            The input of the pass.
        info
            The pass.
        """

    def run_after_pass(self, module: IRModule, info: PassInfo, /) -> None:
        """Run after a pass that succeeded.

        Parameters
        ----------
        module
            The result of the pass.
        info
            The pass.
        """

    def count(self, name: str, number: int, /) -> None:
        """Run when a pass counts something by `uir.transform.count`.

        Parameters
        ----------
        name
            The counted things.
        number
            How many.
        """

    def __tvm_ffi_object__(self) -> PassInstrument:
        """Return the C++ instrument, whose functions call this object."""
        return _as_node(self)


def pass_instrument(cls: Class) -> Class:
    """Turn a class with some of the methods of `Instrument` into an instrument class.

    Parameters
    ----------
    cls
        The class.

    Returns
    -------
    type
        A subclass whose instances are instruments.
    """
    namespace = {"__module__": cls.__module__, "__doc__": cls.__doc__}
    return cast("Class", type(cls.__name__, (cls, Instrument), namespace))


_METHODS = {
    "on_enter": "enter_pass_ctx",
    "on_exit": "exit_pass_ctx",
    "on_should_run": "should_run",
    "on_before": "run_before_pass",
    "on_after": "run_after_pass",
    "on_count": "count",
}


def _as_node(instrument: Instrument) -> PassInstrument:
    """Register the overridden methods."""
    functions: dict[str, Callable[..., object]] = {
        field: carried(getattr(instrument, method))
        for field, method in _METHODS.items()
        if getattr(type(instrument), method) is not getattr(Instrument, method)
    }
    name = getattr(instrument, "name", type(instrument).__name__)
    return PassInstrument(name, **functions)
