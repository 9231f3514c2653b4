"""A compiler core whose every node is one object in C++, Python and Rust."""

from . import arith, ir, script, te, tir, transform

__all__ = ["arith", "ir", "script", "te", "tir", "transform"]
