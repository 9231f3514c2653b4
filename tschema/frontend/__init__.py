"""The front end: schema files to declarations, by Python's own parser; nothing is executed."""

from tschema.frontend.files import schema_file
from tschema.frontend.parse import parse_files, parse_schema

__all__ = ["parse_files", "parse_schema", "schema_file"]
