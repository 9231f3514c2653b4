"""Files of the user that tschema writes into: blocks in them, adoption, and checks of it."""
