//! Loaded types, registered at run time from the JSON IR of their package.

use std::path::Path;

use crate::call;
use crate::ffi::{Error, Result, String, RUNTIME_ERROR};

/// Register the types of a package, with the layouts of a compiled library.
///
/// libtschema, the object runtime, owns the types from then on. Their constructors are global
/// functions of their keys, and every engine of this crate works on their objects.
///
/// `schema` is the package's `schema.json`; conflicts name it as the owner. The result says whether
/// types were registered: false if all of them are registered with the same layouts.
///
/// # Errors
///
/// The file cannot be read or is not the JSON IR; a type needs code that only a compiled library
/// has, is registered with another layout, or builds on one that is not registered.
///
/// # Examples
///
/// ```no_run
/// tschema::load_types("schema.json").expect("the types are declared well");
/// ```
pub fn load_types(schema: impl AsRef<Path>) -> Result<bool> {
    let path = schema.as_ref().display();
    let text = std::fs::read_to_string(&schema).map_err(|error| {
        Error::new(RUNTIME_ERROR, &format!("cannot read `{path}`: {error}"), "")
    })?;
    call!(
        "tschema.load_types",
        String::from(text),
        String::from(path.to_string())
    )
}
