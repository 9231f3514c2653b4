"""The rules that expressions are rewritten by."""

from __future__ import annotations

from typing import NamedTuple

from uir_nodes.ir import PrimExpr

from . import _ffi_api

__all__ = ["RewriteRule", "apply_rewrite_rule", "rewrite_rules"]


class RewriteRule(NamedTuple):
    """A rule, in the syntax of Python.

    In a rule `x`, `y`, `z`, `w` stand for any expressions of one data type, `b1` to `b4` for
    booleans, `c1` to `c4` for integer constants, and `n` for the lanes of vectors. Functions are
    `fdiv`, `fmod` (rounding down), `tdiv`, `tmod` (rounding towards zero), `min`, `max`, `select`,
    `ramp` and `bcast`.

    Attributes
    ----------
    domain
        What the rule holds for: `any` integers with arithmetic that wraps around, `index` integers
        (`int32`, `int64`) with arithmetic that does not overflow, `bool`, `float`, or any `value`.
    pattern
        What is rewritten.
    result
        What it becomes.
    condition
        What must be known to hold; empty for nothing.
    """

    domain: str
    pattern: str
    result: str
    condition: str


def rewrite_rules() -> list[RewriteRule]:
    """List the rules that expressions are rewritten by.

    Returns
    -------
    list[RewriteRule]
        The rules, those of earlier places first where several apply.

    Examples
    --------
    >>> from uir.arith import rewrite_rules
    >>> rewrite_rules()[0]
    RewriteRule(domain='any', pattern='x + 0', result='x', condition='')
    """
    return [RewriteRule(*(str(text) for text in rule)) for rule in _ffi_api.rewrite_rules()]


def apply_rewrite_rule(index: int, expr: PrimExpr) -> PrimExpr | None:
    """Apply one rewrite rule to the root of an expression.

    Parameters
    ----------
    index
        The rule's place in `rewrite_rules()`.
    expr
        The expression.

    Returns
    -------
    PrimExpr | None
        The rule's result, simplified; None if the rule does not apply.
    """
    return _ffi_api.apply_rewrite_rule(index, expr)
