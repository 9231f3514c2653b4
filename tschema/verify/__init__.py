"""Checks of hand-written code against the requirements of the declarations.

In: a configuration and its schema.  Out: diagnostics.  The C++ is read as tokens, with no compiler;
the built library is asked in a process of its own.
"""

from tschema.verify.bodies import missing_body, required_bodies
from tschema.verify.library import check_library
from tschema.verify.verify import Verification, verify_project

__all__ = ["Verification", "check_library", "missing_body", "required_bodies", "verify_project"]
