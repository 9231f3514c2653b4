//! Stack space for recursion to any depth.

/// Bytes that must be left for a visit and its callbacks.
const LEAST_STACK: usize = 256 << 10;
/// Bytes of a new stack; pages that are not touched take no memory.
const SEGMENT: usize = 16 << 20;

/// Call a function, on a new stack if the current one runs out.
#[inline]
pub fn with_stack<R>(visit: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(LEAST_STACK, SEGMENT, visit)
}
