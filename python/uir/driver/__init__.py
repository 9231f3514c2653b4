"""From modules to libraries: the pipeline of passes, the C compiler, the cache of objects."""

from .cache import cache_folder, clear_cache
from .compiler import compile_c, find_compiler, use_installed_zig

__all__ = ["cache_folder", "clear_cache", "compile_c", "find_compiler"]

use_installed_zig()
