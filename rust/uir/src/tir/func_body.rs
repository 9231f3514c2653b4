//! Functions with another body.

use tvm_ffi::{ObjectRefCore, Result};

use crate::tir::{PrimFunc, Stmt};

impl PrimFunc {
    /// Return the function with another body; itself if the body is the same object.
    ///
    /// # Errors
    ///
    /// What a function refuses.
    pub fn with_body(&self, body: impl Into<Stmt>) -> Result<PrimFunc> {
        let body = body.into();
        if body.same_as(&self.body) {
            return Ok(self.clone());
        }
        PrimFunc::new(
            &self.params,
            body,
            &self.buffer_map,
            self.ret_type.clone(),
            self.attrs.clone(),
            self.span.clone(),
        )
    }
}
