//! A program that uses the emitted code: it builds `x + (1 + 2)` and adds up the constants.

use std::rc::Rc;

use plain::uir_ir::{IntImm, PrimExpr};
use plain::uir_tir::{Add, AnyVar, ForKind, Var};
use plain::{DataType, Visitor, Walk};

const INT32: DataType = DataType {
    code: 0,
    bits: 32,
    lanes: 1,
};

struct Total(i64);

impl Visitor for Total {
    fn visit_uir_ir_int_imm(&mut self, node: &IntImm) {
        self.0 += node.value;
    }
}

fn int(value: i64) -> PrimExpr {
    PrimExpr::UirIrIntImm(Rc::new(IntImm {
        span: None,
        dtype: INT32,
        value,
    }))
}

fn add(a: PrimExpr, b: PrimExpr) -> PrimExpr {
    PrimExpr::UirTirAdd(Rc::new(Add {
        span: None,
        dtype: INT32,
        a,
        b,
    }))
}

fn main() {
    let x = Rc::new(Var {
        span: None,
        dtype: INT32,
        name: "x".to_owned(),
        type_annotation: None,
    });
    assert!(matches!(AnyVar::UirTirVar(x.clone()), AnyVar::UirTirVar(_)));
    let sum = add(PrimExpr::UirTirVar(x), add(int(1), int(2)));
    let mut total = Total(0);
    sum.walk(&mut total);
    println!("{} {}", total.0, ForKind::Parallel as i32);
}
