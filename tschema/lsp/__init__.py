"""The language server of schema files: the front end, layout, rename and fixes, in an editor.

In: the protocol of language servers, and texts as they are typed.  Out: answers, from the same code
as the commands.  Nothing here parses a schema file or writes one: an editor applies edits.
"""
