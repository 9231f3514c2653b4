"""The passes: declarations to the JSON IR, checked, resolved and laid out."""

from tschema.passes.build import build_files, build_schema, join

__all__ = ["build_files", "build_schema", "join"]
