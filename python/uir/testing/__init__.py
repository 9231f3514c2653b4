"""Tools for those who test compilers.

Programs that show a fault are made small (`reduce`), and the pass at fault is found (`bisect`).
Assertions compare programs, and `check_script` compares the output of commands with `CHECK` lines.
"""

from .asserts import assert_pass, assert_structural_equal
from .bisect import Bisection, bisect
from .check_lines import check_script, script_files
from .reduce import reduce

__all__ = [
    "Bisection",
    "assert_pass",
    "assert_structural_equal",
    "bisect",
    "check_script",
    "reduce",
    "script_files",
]
