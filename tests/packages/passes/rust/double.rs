//! Doubles each constant; panics where that overflows.

use uir::ffi::Result;
use uir::ir::{IntImm, PrimExpr};
use uir::tir::{PrimExprMutator, StmtMutator};
use uir::transform::{prim_func_pass, Pass};

struct Double;

impl PrimExprMutator for Double {
    fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
        let value = node.value.checked_mul(2).expect("the constant is small");
        Ok(IntImm::new(node.dtype, value, node.span.clone())?.into())
    }
}

impl StmtMutator for Double {}

fn make_double() -> Result<Pass> {
    prim_func_pass("passes.Double", |func, _module, _context| {
        let body = Double.mutate_stmt(func.body.clone())?;
        func.with_body(body)
    })
}

uir::register_pass!("passes.Double", make_double);
