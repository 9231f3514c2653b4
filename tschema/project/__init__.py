"""A project: its configuration, the packages it imports, and the programs it asks for."""
