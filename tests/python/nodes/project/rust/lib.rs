//! Makes and reads nodes of uir, in the code that `rust.py` writes.

use tvm_ffi::{tvm_ffi_dll_export_typed_func, Result};

#[path = "../generated/nodes.rs"]
mod nodes;

/// What a constructor returns: a node, or a result where the owner may refuse its operands.
trait Made<Node> {
    fn made(self) -> Result<Node>;
}

macro_rules! made {
    ($node:ty) => {
        impl crate::Made<$node> for $node {
            fn made(self) -> tvm_ffi::Result<$node> {
                Ok(self)
            }
        }
        impl crate::Made<$node> for tvm_ffi::Result<$node> {
            fn made(self) -> tvm_ffi::Result<$node> {
                self
            }
        }
    };
}
use made;

fn init() -> Result<()> {
    uir::init()
}

tvm_ffi_dll_export_typed_func!(init, init);
