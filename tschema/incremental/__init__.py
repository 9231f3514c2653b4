"""Work that is not done twice: a store of results, and a stamp of the run that changed nothing."""
