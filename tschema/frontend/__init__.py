"""The front end: schema files to declarations, by LibCST; nothing is executed."""

from tschema.frontend.parse import parse_schema

__all__ = ["parse_schema"]
