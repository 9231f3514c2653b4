//! What a mutator made of variables where they were bound, for where they are used.

use std::collections::HashMap;

use crate::cast::{downcast, downcast_ref, type_key, NodeRef};
use crate::ffi::object::{ObjectIdentity, ObjectRef};
use crate::ffi::{Error, Result, RUNTIME_ERROR};

/// Variables that became others; a mutator that changes any has one among its fields.
#[derive(Default)]
pub struct Replacements(HashMap<ObjectIdentity, ObjectRef>);

impl Replacements {
    /// Begin without replacements.
    pub fn new() -> Self {
        Self::default()
    }

    /// Return what a variable became, if it became another one.
    pub fn get<R: NodeRef>(&self, variable: &R) -> Option<&R> {
        self.0
            .get(&ObjectIdentity::of(variable))
            .and_then(downcast_ref)
    }

    /// Note what a variable becomes.
    pub fn set<R: NodeRef>(&mut self, variable: &R, replacement: R) {
        let key = ObjectIdentity::of(variable);
        if replacement.same_as(variable) {
            self.0.remove(&key);
        } else if let Ok(replacement) = downcast(replacement) {
            self.0.insert(key, replacement);
        }
    }
}

/// Return what a variable became where it was bound.
pub fn replaced<R: NodeRef>(replacements: Option<&mut Replacements>, variable: R) -> R {
    match replacements.and_then(|known| known.get(&variable).cloned()) {
        Some(replacement) => replacement,
        None => variable,
    }
}

/// Note what a variable becomes where it is bound.
///
/// # Errors
///
/// It becomes another one, and the mutator keeps no [`Replacements`].
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
