//! Passes and options by name.

use std::panic::Location;

#[doc(hidden)]
pub use tvm_ffi::static_init_block;

use tvm_ffi::function_internal::AsPackedCallable;
use tvm_ffi::{Any, Function, Result};

use crate::transform::{config, registry, Pass};

/// Register a pass by a name, under which every language finds it.
///
/// A module registers its passes when its library is loaded with [`register_pass!`](crate::register_pass).
///
/// # Errors
///
/// There is a pass of that name already; the message names the places of both.
#[track_caller]
pub fn register_pass<F, I>(name: &str, factory: F) -> Result<()>
where
    F: AsPackedCallable<I, Pass> + 'static,
{
    registry::register_pass(name, Function::from_typed(factory), here())
}

/// Make a registered pass, whichever language it is written in.
///
/// ```
/// use uir::transform::{make_pass, register_pass, Sequential};
///
/// # fn main() -> uir::ffi::Result<()> {
/// uir::init()?;
/// register_pass("doc.Nothing", |level: i32| {
///     let none: [uir::transform::Pass; 0] = [];
///     Ok(Sequential::builder(none).opt_level(level).build()?.into())
/// })?;
/// let pass = make_pass("doc.Nothing", &[3.into()])?;
/// assert_eq!(pass.pass_info.opt_level, 3);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// There is no such pass, or its factory refuses the arguments.
pub fn make_pass(name: &str, arguments: &[Any]) -> Result<Pass> {
    registry::make_pass(name, arguments)
}

/// Allow an option in contexts.
///
/// `type_name` is `bool`, `int`, `float`, `str`, or the type key of an object.
///
/// # Errors
///
/// There is an option of that name already, or no such type.
#[track_caller]
pub fn register_option(name: &str, type_name: &str) -> Result<()> {
    config::register_option(name, type_name, here())
}

#[track_caller]
fn here() -> String {
    let place = Location::caller();
    format!("{}:{}", place.file(), place.line())
}

/// Register a pass when the library or program that this stands in is loaded.
///
/// ```
/// use uir::ffi::Result;
/// use uir::transform::{module_pass, Pass};
///
/// fn make_keep() -> Result<Pass> {
///     module_pass("doc.Keep", |module, _context| Ok(module))
/// }
///
/// uir::register_pass!("doc.Keep", make_keep);
///
/// # fn main() -> Result<()> {
/// assert_eq!(uir::transform::make_pass("doc.Keep", &[])?.pass_info.name.as_str(), "doc.Keep");
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! register_pass {
    ($name:expr, $factory:expr) => {
        $crate::transform::static_init_block! {
            $crate::transform::register_pass($name, $factory)?;
        }
    };
}
