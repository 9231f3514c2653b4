//! `IntoOperand`: what an operand of an operator takes.

use crate::ffi::Any;

/// Converts to an operand of type `T`: a reference to an expression, which is shared, or a plain
/// number, which becomes a constant of the other operand's data type.
pub trait IntoOperand<T> {
    /// Convert.
    fn into_operand(self) -> Any;
}

impl<T: Into<Any>, Expr: Clone + Into<T>> IntoOperand<T> for &Expr {
    fn into_operand(self) -> Any {
        let expr: T = self.clone().into();
        expr.into()
    }
}

macro_rules! impl_number {
    ($($number:ty as $ffi:ty),*) => {$(
        impl<T> IntoOperand<T> for $number {
            fn into_operand(self) -> Any {
                Any::from(<$ffi>::from(self))
            }
        }
    )*};
}

impl_number!(bool as bool, i32 as i64, i64 as i64, f32 as f64, f64 as f64);
