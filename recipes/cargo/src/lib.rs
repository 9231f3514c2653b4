//! The generated modules, and code that uses them.

#[path = "../generated/rust/mod.rs"]
pub mod generated;

use generated::Circle;

/// The area of a circle.
pub fn area(circle: &Circle) -> f64 {
    std::f64::consts::PI * circle.radius * circle.radius
}
