"""The C++ backend: headers with node classes, sources with their registration tables."""
