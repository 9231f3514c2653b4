"""The command line: arguments, commands, reports, and the fast path where nothing changed."""
