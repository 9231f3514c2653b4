"""Tools for those who test compilers.

Programs that show a fault are made small (`reduce`), and the pass at fault is found (`bisect`).
Assertions compare programs.
"""

from .asserts import assert_pass, assert_structural_equal
from .bisect import Bisection, bisect
from .reduce import reduce

__all__ = ["Bisection", "assert_pass", "assert_structural_equal", "bisect", "reduce"]
