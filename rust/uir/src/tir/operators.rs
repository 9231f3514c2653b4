//! Operations on expressions without a place in a source; with one they stand in the modules
//! `arith_op`, `bit_op` and `logic_op`.

use tvm_ffi::Result;

use crate::ir::PrimExpr;
use crate::tir::{arith_op, bit_op, logic_op};

macro_rules! binary {
    ($($module:ident::$name:ident: $text:literal;)*) => {$(
        #[doc = concat!("Make ", $text, "; what is constant is worked out.")]
        ///
        /// # Errors
        ///
        /// The operands are of different types.
        pub fn $name(a: impl Into<PrimExpr>, b: impl Into<PrimExpr>) -> Result<PrimExpr> {
            $module::$name(a, b, None)
        }
    )*};
}

macro_rules! unary {
    ($($module:ident::$name:ident: $text:literal;)*) => {$(
        #[doc = concat!("Make ", $text, "; what is constant is worked out.")]
        ///
        /// # Errors
        ///
        /// The operand is of another type.
        pub fn $name(a: impl Into<PrimExpr>) -> Result<PrimExpr> {
            $module::$name(a, None)
        }
    )*};
}

binary! {
    arith_op::add: "`a + b`";
    arith_op::sub: "`a - b`";
    arith_op::mul: "`a * b`";
    arith_op::div: "`a / b`, of floating-point numbers";
    arith_op::truncdiv: "`a / b`, rounded to zero";
    arith_op::truncmod: "what `truncdiv` leaves";
    arith_op::floordiv: "`a / b`, rounded down";
    arith_op::floormod: "what `floordiv` leaves";
    arith_op::min: "the smaller of `a` and `b`";
    arith_op::max: "the larger of `a` and `b`";
    bit_op::left_shift: "`a << b`";
    bit_op::right_shift: "`a >> b`";
    bit_op::bitwise_and: "`a & b`";
    bit_op::bitwise_or: "`a | b`";
    bit_op::bitwise_xor: "`a ^ b`";
    logic_op::equal: "`a == b`";
    logic_op::not_equal: "`a != b`";
    logic_op::less: "`a < b`";
    logic_op::less_equal: "`a <= b`";
    logic_op::greater: "`a > b`";
    logic_op::greater_equal: "`a >= b`";
    logic_op::logical_and: "`a and b`";
    logic_op::logical_or: "`a or b`";
}

unary! {
    arith_op::neg: "`-a`";
    bit_op::bitwise_not: "`~a`";
    logic_op::logical_not: "`not a`";
}
