//! Nodes as script.

use tvm_ffi::{Any, Error, Result, String};

use crate::script::script;

/// Print a node or any other value as script.
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
/// There is no printer for the type.
pub fn print<T: Clone + Into<Any>>(node: &T) -> Result<String> {
    script::print(node.clone(), true, true)
}

/// Parse a script: a module, function, statement, expression or other value.
///
/// ```
/// use tschema::structural_equal;
/// use uir::ir::IRModule;
///
/// # fn main() -> uir::ffi::Result<()> {
/// uir::init()?;
/// let module: IRModule = uir::script::parse(
///     "
/// @uir.script.ir_module
/// class Module:
///     @tir.prim_func
///     def main(A: tir.Buffer((16,), \"float32\")):
///         for i in range(16):
///             A[i] = A[i] + 1.0
/// ",
/// )?;
/// let again: IRModule = uir::script::parse(uir::script::print(&module)?.as_str())?;
/// assert!(structural_equal(&module, &again, false)?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// The text is malformed (the message lists all errors with line and column), or its value is not a
/// `T`.
pub fn parse<T: TryFrom<Any, Error = Error>>(text: &str) -> Result<T> {
    T::try_from(script::parse(text, "<text>", 1, None, None)?)
}
