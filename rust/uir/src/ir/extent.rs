//! Dimensions in attributes: numbers or expressions.

use tschema::{OneOf2, Union};

use crate::ir::PrimExpr;

/// An expression where a number or an expression is taken.
impl From<PrimExpr> for Union<(i64, PrimExpr)> {
    fn from(expr: PrimExpr) -> Self {
        Self::new(OneOf2::Second(expr))
    }
}
