"""From declarations to a loadable library: generate, compile, link, check its registrations.

In: a project, or nothing but schema files.  Out: a shared library, and its `schema.json` beside it.
"""

from tschema.native.compiler import CompileError, Compiler, MissingCompilerError
from tschema.native.library import BuildRequest, Built, build_library
from tschema.native.project import bare_project, choose_project

__all__ = [
    "BuildRequest",
    "Built",
    "CompileError",
    "Compiler",
    "MissingCompilerError",
    "bare_project",
    "build_library",
    "choose_project",
]
