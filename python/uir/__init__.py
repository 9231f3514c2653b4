"""A compiler core whose every node is one object in C++, Python and Rust."""

from . import ir, tir, transform

__all__ = ["ir", "tir", "transform"]
