"""Files of the user: finding blocks in them and filling these in."""
