"""Builds of tests that check the indices of accesses, where an environment variable says so."""

from __future__ import annotations

import os
from typing import Any

__all__ = ["VARIABLE", "check_builds"]

VARIABLE = "TSCHEMA_CHECKS"
"""Its value is what `Target.checks` becomes in all builds of the tests."""


def check_builds() -> None:
    """Have every build check what the environment variable says."""
    checks = os.environ.get(VARIABLE)
    if not checks:
        return
    from uir.driver import _ffi_api
    from uir.target import Target

    build = _ffi_api.build

    def checked(input: Any, target: Target | None = None, *rest: Any) -> Any:
        machine = target or Target()
        return build(input, Target(machine.kind, machine.isa, checks), *rest)

    _ffi_api.build = checked
