"""Static analysis of integer expressions: bounds, congruences, simplification and proofs."""

from uir_nodes import arith as _nodes
from uir_nodes.arith import *

from . import condition as condition
from .int_set import interval
from .rules import RewriteRule, apply_rewrite_rule, rewrite_rules

__all__ = ["RewriteRule", "apply_rewrite_rule", "interval", "rewrite_rules"]
__all__ += _nodes.__all__
