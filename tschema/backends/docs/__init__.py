"""The docs backend: a reference of the declared nodes in Markdown."""
