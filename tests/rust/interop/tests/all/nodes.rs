//! Nodes of uir from Rust: constructed by their owner, read, upcast and downcast.

use tvm_ffi::object::ObjectRef;
use tvm_ffi::{Any, DLDataType, DLDataTypeCode, ObjectRefCast, ObjectRefCore, Result};
use uir::ir::{BaseExpr, IntImm, IntImmNode, PrimExpr, PrimExprNode, SourceName, Span};
use uir::tir::{Add, AddNode, Evaluate, For, ForKind, Var};
use uir::transform::PassContext;

const INT32: DLDataType = DLDataType {
    code: DLDataTypeCode::kDLInt as u8,
    bits: 32,
    lanes: 1,
};
const INT64: DLDataType = DLDataType {
    code: DLDataTypeCode::kDLInt as u8,
    bits: 64,
    lanes: 1,
};

fn int32(value: i64) -> IntImm {
    IntImm::new(INT32, value, None).unwrap()
}

#[test]
fn own_and_inherited_fields_are_read_in_place() {
    let constant = IntImm::new(INT32, -7, None).unwrap();
    assert_eq!((constant.value, constant.dtype), (-7, INT32));
    assert!(constant.span.is_none());
}

#[test]
fn a_builder_leaves_arguments_to_their_defaults() -> Result<()> {
    let span = Span::builder(SourceName::new("a.py"), 1, 2).build()?;
    let var = Var::builder("x").build()?;
    assert_eq!((var.name.as_str(), var.dtype), ("x", INT32));
    let sum = Add::builder(&var, int32(1)).span(&span).build()?;
    assert!(sum.span.as_ref().unwrap().same_as(&span));
    Ok(())
}

#[test]
fn a_derived_field_is_what_the_owner_makes_it() {
    let sum = Add::new(int32(1), int32(2), None).unwrap();
    assert_eq!(sum.dtype, INT32);
}

#[test]
fn what_post_init_refuses_is_an_error_that_names_the_operands() {
    let wide = IntImm::new(INT64, 1, None).unwrap();
    let error = Add::new(int32(1), wide, None).unwrap_err();
    assert_eq!(error.kind().as_str(), "TypeError");
    for part in ["int32", "int64"] {
        assert!(error.message().contains(part), "{}", error.message());
    }
}

#[test]
fn an_operand_is_the_object_that_was_given() {
    let (one, two) = (int32(1), int32(2));
    let sum = Add::new(&one, &two, None).unwrap();
    assert!(sum.a.same_as(&one) && sum.b.same_as(&two));
}

#[test]
fn upcasts_reach_every_ancestor_and_keep_the_object() {
    let one = int32(1);
    let (prim, base, object) = (
        PrimExpr::from(&one),
        BaseExpr::from(&one),
        ObjectRef::from(&one),
    );
    assert!(prim.same_as(&one) && base.same_as(&one) && object.same_as(&one));
}

#[test]
fn downcasts_are_checked() {
    let expr = PrimExpr::from(int32(1));
    assert!(expr.as_node::<PrimExprNode>().is_some());
    assert_eq!(expr.as_node::<IntImmNode>().unwrap().value, 1);
    assert!(expr.as_node::<AddNode>().is_none());
    let error = expr.try_cast::<Add>().unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `uir.ir.IntImm` to `uir.tir.Add`"
    );
}

#[test]
fn any_takes_and_gives_nodes() {
    let one = int32(1);
    let back = IntImm::try_from(Any::from(one.clone())).unwrap();
    assert!(back.same_as(&one));
    assert!(Add::try_from(Any::from(one)).is_err());
}

#[test]
fn debug_is_the_repr() {
    assert!(format!("{:?}", int32(7)).contains('7'));
}

fn for_loop(kind: ForKind) -> Result<For> {
    let body = Evaluate::new(int32(0), None);
    let var = Var::builder("i").build()?;
    For::builder(var, int32(0), int32(8), kind, body).build()
}

#[test]
fn a_method_is_the_owners() {
    let serial = for_loop(ForKind::SERIAL).unwrap();
    assert_eq!(serial.trip_count().unwrap(), Some(8));
}

#[test]
fn an_enums_unknown_value_is_refused_by_the_owner() {
    let error = for_loop(ForKind(40)).unwrap_err();
    assert_eq!(error.kind().as_str(), "ValueError");
    assert!(error.message().contains("40"), "{}", error.message());
}

#[test]
fn a_free_function_takes_what_converts_to_its_parameters() {
    let x = Var::builder("x").build().unwrap();
    let sum = uir::tir::add(&x, 1).build().unwrap();
    assert!(sum.as_node::<AddNode>().is_some());
}

#[test]
fn threads_construct_and_share_nodes() {
    uir::init().unwrap();
    let total: i64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..3)
            .map(|worker| {
                scope.spawn(move || (0..1000).map(|i| int32(worker + i).value).sum::<i64>())
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .sum()
    });
    assert_eq!(total, 3 * 499_500 + 3000);
}

#[test]
fn fields_of_a_mutable_type_are_written_through_the_owner() {
    let context = PassContext::builder().opt_level(1).build().unwrap();
    context.set_opt_level(3).unwrap();
    context.set_disabled_pass(["simplify"]).unwrap();
    assert_eq!(context.opt_level.get(), 3);
    assert_eq!(context.disabled_pass.get().get(0).unwrap(), "simplify");
}
