"""From modules to libraries: the pipeline of passes, the C compiler, the cache of objects."""

from tschema.runtime import bind_types

from .build import build, default_pipeline, lower
from .cache import cache_folder, cache_size, clear_cache
from .compiler import compile_c, find_compiler, use_installed_zig
from .libraries import export_libraries
from .peak import KernelBound, MachinePeak, machine_peak
from .sizes import with_sizes

__all__ = [
    "KernelBound",
    "MachinePeak",
    "build",
    "cache_folder",
    "cache_size",
    "clear_cache",
    "compile_c",
    "default_pipeline",
    "export_libraries",
    "find_compiler",
    "lower",
    "machine_peak",
    "with_sizes",
]

bind_types()  # Passes make nodes of every namespace.
use_installed_zig()
