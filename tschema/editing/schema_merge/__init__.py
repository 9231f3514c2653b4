"""Three-way merging of schema files, declaration by declaration.

In: three versions of a file.  Out: one with the additions, changes and removals of each side; where
both changed the same thing, a conflict with git's markers.
"""

from tschema.editing.schema_merge.merge import is_schema_file, merge_schema_files

__all__ = ["is_schema_file", "merge_schema_files"]
