"""The JSON IR: records, canonical bytes, and what all backends derive from it."""
