"""The Rust backend: data structs, references, builders and enums bound to their owner."""
