//! Room on the stack for nested visits, however deep nodes are nested.

/// Bytes that must be left for a visit, its callbacks and what they call.
const LEAST_STACK: usize = 256 << 10;
/// Bytes of a new stack; pages that are not touched take no memory.
const SEGMENT: usize = 16 << 20;

/// Call a function, on a new stack where little is left of the current one.
#[inline]
pub fn with_stack<R>(visit: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(LEAST_STACK, SEGMENT, visit)
}
