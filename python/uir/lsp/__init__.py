"""The language server of script files: errors, types, definitions and outlines in an editor.

In: the protocol of language servers, and texts as they are typed.  Out: answers, from the parser
and the verifier of the commands.  No text is run.
"""

__all__: list[str] = []
