"""Which models of transformers, timm and torchvision uir takes: `docs/models/coverage.md`.

Each model is made with random weights, exported by `torch.export`, imported, compiled and compared
with PyTorch at two sizes, in a process of its own. `make coverage` runs the models that have no
record yet and writes the page from all records.
"""
