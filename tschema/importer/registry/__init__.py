"""The registry of an environment: the types that its packages and libraries register with tvm-ffi.

In: names of packages and paths of libraries.  Out: records of their types.
"""

from tschema.importer.registry.ask import Registry, ask_registry, is_library
from tschema.importer.registry.compare import registry_changes
from tschema.importer.registry.read import read_registry
from tschema.importer.registry.requested_changes import is_requested

__all__ = [
    "Registry",
    "ask_registry",
    "is_library",
    "is_requested",
    "read_registry",
    "registry_changes",
]
