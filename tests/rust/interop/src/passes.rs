//! Passes that are registered when the library is loaded.

use tvm_ffi::{Result, String};
use uir::ir::{error_at, IntImm, PrimExpr};
use uir::tir::{PrimExprMutator, StmtMutator};
use uir::transform::{prim_func_pass, Pass};

struct Double;

impl PrimExprMutator for Double {
    fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
        Ok(IntImm::new(node.dtype, node.value * 2, node.span.clone())?.into())
    }
}

impl StmtMutator for Double {}

/// Doubles each constant.
fn make_double() -> Result<Pass> {
    prim_func_pass("interop.Double", |func, _module, _context| {
        let body = Double.mutate_stmt(func.body.clone())?;
        func.with_body(body)
    })
}

/// Panics.
fn make_panic(message: String) -> Result<Pass> {
    prim_func_pass("interop.Panic", move |_func, _module, _context| {
        panic!("{}", message.as_str())
    })
}

/// Refuses the body.
fn make_refuse() -> Result<Pass> {
    prim_func_pass("interop.Refuse", |func, _module, _context| {
        Err(error_at(&func.body, "`body` is odd"))
    })
}

uir::register_pass!("interop.Double", make_double);
uir::register_pass!("interop.Panic", make_panic);
uir::register_pass!("interop.Refuse", make_refuse);
