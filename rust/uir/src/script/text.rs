//! Nodes as script.

use tvm_ffi::{Any, Result, String};

use crate::script::script;

/// Print a node, or any other value, as script: Python syntax that every language reads.
///
/// ```
/// use uir::ir::{module_from_func, ExternFunc};
///
/// # fn main() -> uir::ffi::Result<()> {
/// uir::init()?;
/// let module = module_from_func(ExternFunc::builder("sqrtf").build()?, None)?;
/// let text = uir::script::print(&module)?;
/// assert!(text.as_str().contains("sqrtf"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Nothing prints values of the type.
pub fn print<T: Clone + Into<Any>>(node: &T) -> Result<String> {
    script::print(node.clone(), true, true)
}
