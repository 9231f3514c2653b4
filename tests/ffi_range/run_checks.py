"""Runs named checks, and prints which of them fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping

__all__ = ["run_checks"]


def run_checks(title: str, checks: Mapping[str, Callable[[], bool]]) -> int:
    """Run all checks; return how many failed.

    Parameters
    ----------
    title
        What is checked, for the line that is printed.
    checks
        By name; one fails that returns False or raises an exception.
    """
    failures = []
    for name, check in checks.items():
        try:
            passed = check()
        except Exception as error:  # All failures are listed.
            failures.append(f"{name}: {type(error).__name__}: {error}")
            continue
        if not passed:
            failures.append(name)
    print(f"{title}: {len(checks) - len(failures)} of {len(checks)} checks pass")
    print("".join(f"  {failure}\n" for failure in failures), end="")
    return len(failures)
