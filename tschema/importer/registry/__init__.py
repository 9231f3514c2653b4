"""The registry of an environment: the types that its packages and libraries register with tvm-ffi.

In: names of packages and paths of libraries.  Out: records of their types.
"""

from tschema.importer.registry.ask import Registry, ask_registry, is_library
from tschema.importer.registry.asked import is_asked_for
from tschema.importer.registry.compare import registry_changes
from tschema.importer.registry.read import read_registry

__all__ = [
    "Registry",
    "ask_registry",
    "is_asked_for",
    "is_library",
    "read_registry",
    "registry_changes",
]
