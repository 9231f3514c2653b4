"""The rewrite rules of the analyzer."""

from __future__ import annotations

from typing import NamedTuple

from uir_nodes.ir import PrimExpr

from . import _ffi_api

__all__ = ["RewriteRule", "apply_rewrite_rule", "rewrite_rules"]


class RewriteRule(NamedTuple):
    """A rewrite rule, in Python syntax.

    In a rule, `x`, `y`, `z`, `w` match expressions of the same data type, `b1` to `b4` booleans,
    `c1` to `c4` integer constants, and `n` a number of lanes. Functions are `fdiv`, `fmod`
    (rounding down), `tdiv`, `tmod` (rounding towards zero), `min`, `max`, `select`, `ramp` and
    `bcast`.

    Attributes
    ----------
    domain
        The data types: `any` integers with wrap-around arithmetic, `index` integers (`int32`,
        `int64`) whose sums and products fit, `bool`, `float`, or any `value`.
    pattern
        The expression to match.
    result
        The replacement.
    condition
        The condition to prove; empty if there is none.
    """

    domain: str
    pattern: str
    result: str
    condition: str


def rewrite_rules() -> list[RewriteRule]:
    """List the rewrite rules.

    Returns
    -------
    list[RewriteRule]
        The rules, in order of priority.

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
        The index of the rule in `rewrite_rules()`, from 0.
    expr
        The expression.

    Returns
    -------
    PrimExpr | None
        The rule's result, simplified; None if the rule does not apply.
    """
    return _ffi_api.apply_rewrite_rule(index, expr)
