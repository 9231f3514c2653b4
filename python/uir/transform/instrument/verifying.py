"""Checking the module after each pass."""

from __future__ import annotations

from uir_nodes.ir import IRModule
from uir_nodes.transform import PassInfo

from ...ir import render_diagnostics, verify
from ..instrument_base import Instrument

__all__ = ["VerifyEach"]


class VerifyEach(Instrument):
    """
    Check after each pass that the module is well-formed, as `uir.ir.verify` does.

    Examples
    --------
    >>> with PassContext(instruments=[VerifyEach()]):
    ...     module = pipeline(module)
    """

    def __init__(self) -> None:
        super().__init__()

    def run_after_pass(self, module: IRModule, info: PassInfo) -> None:
        """Check the module that a pass returned.

        Parameters
        ----------
        module
            The module.
        info
            The pass.

        Raises
        ------
        ValueError
            If the module is not well-formed; it names the pass, and all that is wrong.
        """
        found = verify(module)
        if found:
            problems = render_diagnostics(found)
            raise ValueError(f"pass `{info.name}` left an ill-formed module\n{problems}")
