"""Protected regions: markers, seals, hand edits, and merging new text with old."""
