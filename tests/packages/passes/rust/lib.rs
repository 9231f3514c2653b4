//! The passes in Rust, a file each.

mod double;
mod expand_silu;
