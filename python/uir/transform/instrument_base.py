"""What instruments are made of in Python."""

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
    # An object of C++ that held methods of a Python object that held it would never be freed.
    _Base = object

__all__ = ["Instrument", "pass_instrument"]

Class = TypeVar("Class", bound=type)


class Instrument(_Base):
    """Base of instruments: override what is of interest, and put an object into a `PassContext`.

    An instrument is called in the thread of the context. What it raises ends the run: a pass is
    not told to the instruments after an error, but contexts are always left.

    Attributes
    ----------
    name
        The instrument's name, as messages show it; by default the class's.

    Examples
    --------
    >>> class Names(Instrument):
    ...     def run_before_pass(self, module, info):
    ...         print(info.name)
    """

    def __init__(self) -> None:
        """Make an instrument that does nothing."""

    def enter_pass_ctx(self) -> None:
        """Do something when the context is entered."""

    def exit_pass_ctx(self) -> None:
        """Do something when the context is left."""

    def should_run(self, module: IRModule, info: PassInfo, /) -> bool:
        """Tell whether a pass is to be run; all instruments of the context must agree.

        Passes that the context requires are run unasked.

        Parameters
        ----------
        module
            The module that it would be given.
        info
            The pass.

        Returns
        -------
        bool
            Whether this instrument agrees.
        """
        del module, info
        return True

    def run_before_pass(self, module: IRModule, info: PassInfo, /) -> None:
        """Do something before a pass that is run.

        Parameters
        ----------
        module
            The module that it is given.
        info
            The pass.
        """

    def run_after_pass(self, module: IRModule, info: PassInfo, /) -> None:
        """Do something after a pass that succeeded.

        Parameters
        ----------
        module
            The module that it returned.
        info
            The pass.
        """

    def __tvm_ffi_object__(self) -> PassInstrument:
        """Return the instrument as C++ knows it: functions that call this object."""
        return _as_node(self)


def pass_instrument(cls: Class) -> Class:
    """Make instruments of a class that has some of the methods of `Instrument`.

    Parameters
    ----------
    cls
        The class.

    Returns
    -------
    type
        A class below it whose objects are instruments.
    """
    namespace = {"__module__": cls.__module__, "__doc__": cls.__doc__}
    return cast("Class", type(cls.__name__, (cls, Instrument), namespace))


_METHODS = {
    "on_enter": "enter_pass_ctx",
    "on_exit": "exit_pass_ctx",
    "on_should_run": "should_run",
    "on_before": "run_before_pass",
    "on_after": "run_after_pass",
}


def _as_node(instrument: Instrument) -> PassInstrument:
    """Hand over the methods that are overridden."""
    functions: dict[str, Callable[..., object]] = {
        field: carried(getattr(instrument, method))
        for field, method in _METHODS.items()
        if getattr(type(instrument), method) is not getattr(Instrument, method)
    }
    name = getattr(instrument, "name", type(instrument).__name__)
    return PassInstrument(name, **functions)
