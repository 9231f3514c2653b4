//! Replacements of variables by a mutator, from their bindings to their uses.

use std::collections::HashMap;

use crate::cast::{downcast, downcast_ref, type_key, NodeRef};
use crate::ffi::object::{ObjectIdentity, ObjectRef};
use crate::ffi::{Error, Result, RUNTIME_ERROR};

/// A table of replaced variables, which a mutator that replaces variables has as a field.
#[derive(Default)]
pub struct Replacements(HashMap<ObjectIdentity, ObjectRef>);

impl Replacements {
    /// Make an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Return the replacement of a variable, if any.
    pub fn get<R: NodeRef>(&self, variable: &R) -> Option<&R> {
        self.0
            .get(&ObjectIdentity::of(variable))
            .and_then(downcast_ref)
    }

    /// Record the replacement of a variable.
    pub fn set<R: NodeRef>(&mut self, variable: &R, replacement: R) {
        let key = ObjectIdentity::of(variable);
        if replacement.same_as(variable) {
            self.0.remove(&key);
        } else if let Ok(replacement) = downcast(replacement) {
            self.0.insert(key, replacement);
        }
    }
}

/// Return the replacement of a variable at its binding.
pub fn replaced<R: NodeRef>(replacements: Option<&mut Replacements>, variable: R) -> R {
    match replacements.and_then(|known| known.get(&variable).cloned()) {
        Some(replacement) => replacement,
        None => variable,
    }
}

/// Record the replacement of a variable at its binding.
///
/// # Errors
///
/// The variable is replaced, but the mutator has no [`Replacements`].
pub fn note_replacement<R: NodeRef>(
    replacements: Option<&mut Replacements>,
    variable: &R,
    replacement: &R,
) -> Result<()> {
    match replacements {
        Some(known) => known.set(variable, replacement.clone()),
        None if replacement.same_as(variable) => {}
        None => return Err(keeps_none(variable)),
    }
    Ok(())
}

#[cold]
fn keeps_none(variable: &impl NodeRef) -> Error {
    let message = format!(
        "the mutator replaces a `{}` where it is bound, but does not override `replacements`, so \
         that the uses of it would stay",
        type_key(variable)
    );
    Error::new(RUNTIME_ERROR, &message, "")
}
