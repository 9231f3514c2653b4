"""Work that is not done twice."""
