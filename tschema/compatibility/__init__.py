"""What a change of declarations breaks, for users of the package.

In: two versions of a schema.  Out: changes, each with a code, and who is affected.
"""

from tschema.compatibility.compare import compare
from tschema.compatibility.report import diagnose
from tschema.compatibility.rules import RULES, Change, Rule

__all__ = ["RULES", "Change", "Rule", "compare", "diagnose"]
