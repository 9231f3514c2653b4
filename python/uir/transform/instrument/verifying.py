"""Verification of the module after each pass."""

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
        """Check the result of a pass.

        Parameters
        ----------
        module
            The module.
        info
            The pass.

        Raises
        ------
        ValueError
            If the module is not well-formed; the message names the pass and lists the violations.
        """
        found = verify(module)
        if found:
            problems = render_diagnostics(found)
            raise ValueError(f"pass `{info.name}` left an ill-formed module\n{problems}")
