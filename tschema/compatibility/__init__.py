"""The uses of a package that a change of its declarations breaks.

In: two versions of a schema.  Out: changes, each with a code, and who is affected.
"""

from tschema.compatibility.compare import compare
from tschema.compatibility.report import diagnose
from tschema.compatibility.rules import RULES, Change, Rule

__all__ = ["RULES", "Change", "Rule", "compare", "diagnose"]
