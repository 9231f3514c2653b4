"""Names that no declaration can have in any language."""

from __future__ import annotations

MARKER_WORDS = frozenset({"end", "file"})
"""Names that a block cannot have, since markers use them."""

LONGEST_NAME = 80
"""Characters.  The marker of a block has to fit on a line, or a formatter breaks it."""

EMITTED_FILES = frozenset({"registry"})
"""Names that a file of the package's own namespace cannot have, since emitted ones have them."""
