"""Makes `atlas` an installed package, whose schema others extend."""
