"""A compiler core whose every node is one object in C++, Python and Rust."""

from . import ir, script, tir, transform

__all__ = ["ir", "script", "tir", "transform"]
