"""What people write by hand, held against what the declarations require.

In: a configuration and its schema.  Out: diagnostics.  The C++ is read as tokens, with no compiler;
the built library is asked in a process of its own.
"""

from tschema.verify.verify import Verification, verify_project

__all__ = ["Verification", "verify_project"]
