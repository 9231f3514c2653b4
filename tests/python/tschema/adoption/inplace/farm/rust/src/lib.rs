//! A farm, written by hand.

pub mod animal;
pub mod herd;
pub mod sidecar;
