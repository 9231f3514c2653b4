"""The only writer: files replaced atomically, by one run at a time."""
