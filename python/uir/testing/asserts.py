"""Assertions on programs, whose messages show the scripts side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import first_mismatch
from ..script import diff

if TYPE_CHECKING:
    from uir_nodes.ir import IRModule
    from uir_nodes.transform import Pass

__all__ = ["assert_pass", "assert_structural_equal"]

_COLUMNS = 100


def assert_structural_equal(
    actual: object, expected: object, *, map_free_vars: bool = False
) -> None:
    """Check that two values are structurally equal.

    Parameters
    ----------
    actual, expected
        Modules, functions, statements, expressions, or other values.
    map_free_vars
        Whether free variables are paired one to one in the order of their occurrence.

    Raises
    ------
    AssertionError
        If they differ. The message names the first mismatch and its place in both, and shows both
        scripts side by side with the differences marked.

    Examples
    --------
    >>> assert_structural_equal(transform.Simplify()(before), after)
    """
    __tracebackhide__ = True  # pytest shows the line of the test.
    mismatch = first_mismatch(actual, expected, map_free_vars=map_free_vars)
    if mismatch is None:
        return
    scripts = diff(actual, expected, width=_COLUMNS, color=False)
    raise AssertionError(f"not structurally equal: {mismatch}\n{scripts}")


def assert_pass(before: IRModule, pass_: Pass, after: IRModule) -> None:
    """Check the result of a pass.

    Parameters
    ----------
    before
        The input.
    pass_
        The pass, which may be a sequence.
    after
        The expected result.

    Raises
    ------
    AssertionError
        If the result is not structurally equal to `after`; the message is that of
        `assert_structural_equal`. `before` is another cause, if the pass changes its argument.

    Examples
    --------
    >>> assert_pass(before, transform.Simplify(), after)
    """
    __tracebackhide__ = True
    text = str(before)
    result = pass_(before)
    assert str(before) == text, f"{pass_} changes its argument"
    assert_structural_equal(result, after)
