//! Errors that carry the node at fault.

use tvm_ffi::object::ObjectRef;
use tvm_ffi::{AnyView, Error, ObjectRefCore, VALUE_ERROR};

use crate::ir::ErrorContext;

/// Make an error about a node.
///
/// Passes that return it add their name, and the script of the function, underlined at the node.
///
/// ```
/// use uir::ir::{error_at, error_context, SourceName};
///
/// # fn main() -> uir::ffi::Result<()> {
/// uir::init()?;
/// let node = SourceName::new("<stdin>");
/// let error = error_at(&node, "`name` is odd");
/// assert_eq!(error.message(), "`name` is odd");
/// assert!(error_context(&error).unwrap().node.is_some());
/// # Ok(())
/// # }
/// ```
pub fn error_at<R>(node: &R, message: &str) -> Error
where
    R: ObjectRefCore + Clone + Into<ObjectRef>,
{
    let object: ObjectRef = node.clone().into();
    let context: ObjectRef = ErrorContext::builder().node(object).build().into();
    Error::new_with_cause_and_extra_context(VALUE_ERROR, message, "", None, Some(&context))
}

/// Return the context of an error, if it has one.
pub fn error_context(error: &Error) -> Option<ErrorContext> {
    let context = error.extra_context()?;
    ErrorContext::try_from(AnyView::from(&context)).ok()
}
