"""Edits of schema files by command, which keep every comment and blank line.

In: schema files as text.  Out: their new texts, which `cli/` gives to the only writer.  It decides
nothing about the meaning of a schema.
"""
