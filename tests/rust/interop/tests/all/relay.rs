//! High-level functions from Rust: built and typed, walked, rewritten, printed and parsed.

use std::collections::HashMap;

use tschema::{downcast_ref, expect, structural_equal};
use uir::ffi::object::ObjectIdentity;
use uir::ffi::{DLDataType, DLDataTypeCode, ObjectRefCore, Result};
use uir::ir::{
    get_op, module_from_func, IRModule, IntImm, Op, PrimExpr, RelayExpr, TensorType, Type,
};
use uir::relay::relay_expr_functor::walk_call;
use uir::relay::{
    builder, Binding, Block, Call, CastAttrs, Function, RelayExprMutator, RelayExprVisitor, Var,
};
use uir::script::{parse, print};
use uir::tir::SizeVar;
use uir::transform::{function_pass, make_pass, BindingRewriter, Rewrites, Sequential};
use uir::{ir, relay};

const MAIN: &str = "\
@relay.function(private=True)
def main(x: relay.Tensor((n, 16), \"float32\"), w: relay.Tensor((16, 4), \"float32\")) -> relay.Tensor((n, 4), \"float32\"):
    n = tir.SizeVar(\"n\", \"int32\")
    h = x @ w
    v1 = h + 1.0
    v2 = relay.relu(v1)
    return v2";

fn float(bits: u8) -> DLDataType {
    DLDataType::new(DLDataTypeCode::kDLFloat, bits, 1)
}

fn extent(value: i64) -> Result<PrimExpr> {
    let int32 = DLDataType::new(DLDataTypeCode::kDLInt, 32, 1);
    Ok(IntImm::new(int32, value, None)?.into())
}

fn tensor(shape: impl tschema::IntoFfi<uir::ffi::Array<PrimExpr>>) -> Result<Type> {
    Ok(TensorType::new(shape, float(32), None)?.into())
}

fn make_main() -> Result<Function> {
    let n: PrimExpr = SizeVar::builder("n").build()?.into();
    let rb = builder()?;
    let x = rb.param("x", tensor([n, extent(16)?])?, None)?;
    let w = rb.param("w", tensor([extent(16)?, extent(4)?])?, None)?;
    let h = rb.emit(relay::matmul(&x, &w).build()?, "h", None)?;
    let sum = relay::add(&h, 1.0).build()?;
    rb.make_func(relay::relu(&sum).build()?, None, None)
}

/// Parse a function of `x`, a tensor of 4 elements.
fn parse_body(lines: &[&str]) -> Result<Function> {
    let head = "@relay.function\ndef main(x: relay.Tensor((4,), \"float32\")):\n    ";
    parse(&format!("{head}{}", lines.join("\n    ")))
}

fn assert_equal(found: &Function, expected: &Function) -> Result<()> {
    assert!(
        structural_equal(found, expected, false)?,
        "{}",
        print(found)?.as_str()
    );
    Ok(())
}

#[test]
fn types_are_known_at_once_and_operands_are_bound() -> Result<()> {
    uir::init()?;
    let func = make_main()?;
    assert_eq!(func.body.bindings.len(), 3);
    let (x, w) = (func.params.get(0)?, func.params.get(1)?);
    let type_: TensorType = expect(x.type_annotation.clone().expect("a parameter has a type"));
    let expected = tensor([type_.shape.get(0)?, extent(4)?])?;
    let ret_type = func.ret_type.clone().expect("the type is inferred");
    assert!(structural_equal(&ret_type, &expected, false)?);
    let error = relay::matmul(&w, &w)
        .build()
        .expect_err("the dimensions differ");
    assert!(
        error.message().contains("operand `b`"),
        "{}",
        error.message()
    );
    Ok(())
}

#[test]
fn what_is_printed_is_read_again() -> Result<()> {
    uir::init()?;
    let func = make_main()?;
    assert_eq!(print(&func)?.as_str(), MAIN);
    assert_equal(&parse(MAIN)?, &func)
}

/// Notes the operators that are called.
#[derive(Default)]
struct Operators(Vec<String>);

impl RelayExprVisitor for Operators {
    fn visit_call(&mut self, node: &Call) {
        walk_call(self, node);
        if let Some(op) = downcast_ref::<Op>(&node.op) {
            self.0.push(op.name.as_str().to_owned());
        }
    }
}

#[test]
fn a_visitor_sees_each_binding() -> Result<()> {
    uir::init()?;
    let mut operators = Operators::default();
    operators.visit_relay_expr(&make_main()?.into());
    assert_eq!(operators.0, ["relay.matmul", "relay.add", "relay.relu"]);
    Ok(())
}

/// Doubles each constant.
struct DoubleConstants;

impl RelayExprMutator for DoubleConstants {
    fn mutate_constant(&mut self, _node: relay::Constant) -> Result<RelayExpr> {
        let shape: [i64; 0] = [];
        Ok(relay::constant([2.0], shape, float(32))?.into())
    }
}

#[test]
fn a_mutator_keeps_types_and_the_argument() -> Result<()> {
    uir::init()?;
    let func = make_main()?;
    let after = DoubleConstants.mutate_relay_expr(func.clone().into())?;
    assert_eq!(print(&after)?.as_str(), MAIN.replace("1.0", "2.0"));
    assert_eq!(print(&func)?.as_str(), MAIN);
    Ok(())
}

fn is_call(value: &RelayExpr, name: &str) -> Result<Option<Call>> {
    let op = get_op(name)?;
    let call = downcast_ref::<Call>(value);
    Ok(call.filter(|call| call.op.same_as(&op)).cloned())
}

/// Replaces `negative(negative(x))` by `x`: the second binding becomes none.
#[derive(Default)]
struct DropDoubleNegation {
    rewrites: Rewrites,
    negated: HashMap<ObjectIdentity, RelayExpr>,
}

impl BindingRewriter for DropDoubleNegation {
    fn rewrites(&mut self) -> &mut Rewrites {
        &mut self.rewrites
    }

    fn rewrite_binding(&mut self, binding: &Binding) -> Result<()> {
        let value = self.mutate_relay_expr(binding.value.clone())?;
        if let Some(call) = is_call(&value, "relay.negative")? {
            let operand = call.args.get(0)?;
            if let Some(negated) = self.negated.get(&ObjectIdentity::of(&operand)).cloned() {
                self.replace(&binding.var, negated);
                return Ok(());
            }
            self.negated
                .insert(ObjectIdentity::of(&binding.var), operand);
        }
        self.emit(binding, value)
    }
}

/// Replaces `silu(x)` by `x * sigmoid(x)`: one binding becomes two.
#[derive(Default)]
struct ExpandSilu(Rewrites);

impl BindingRewriter for ExpandSilu {
    fn rewrites(&mut self) -> &mut Rewrites {
        &mut self.0
    }

    fn rewrite_binding(&mut self, binding: &Binding) -> Result<()> {
        let value = self.mutate_relay_expr(binding.value.clone())?;
        let Some(silu) = is_call(&value, "relay.silu")? else {
            return self.emit(binding, value);
        };
        let x = silu.args.get(0)?;
        let gate = self.emit_new(relay::sigmoid(&x).build()?, "gate")?;
        self.emit(binding, relay::multiply(&x, &gate).build()?)
    }
}

/// Casts to float16 instead of float64.
#[derive(Default)]
struct Narrow(Rewrites);

impl BindingRewriter for Narrow {
    fn rewrites(&mut self) -> &mut Rewrites {
        &mut self.0
    }

    fn rewrite_binding(&mut self, binding: &Binding) -> Result<()> {
        let mut value = self.mutate_relay_expr(binding.value.clone())?;
        if let Some(cast) = is_call(&value, "relay.cast")? {
            let attrs: CastAttrs = expect(cast.attrs.clone().expect("`cast` has attributes"));
            if attrs.dtype == float(64) {
                value = relay::cast(&cast.args.get(0)?, float(16)).build()?;
            }
        }
        self.emit(binding, value)
    }
}

#[test]
fn a_binding_becomes_none() -> Result<()> {
    uir::init()?;
    let func = parse_body(&["a = -x", "b = -a", "c = relay.exp(b)", "return (b, c)"])?;
    let expected = parse_body(&["a = -x", "c = relay.exp(x)", "return (x, c)"])?;
    assert_equal(&DropDoubleNegation::default().run(&func)?, &expected)
}

#[test]
fn a_binding_becomes_several() -> Result<()> {
    uir::init()?;
    let func = parse_body(&["a = relay.silu(x)", "return a"])?;
    let after = ExpandSilu::default().run(&func)?;
    let expected = parse_body(&["gate = relay.sigmoid(x)", "a = x * gate", "return a"])?;
    assert_equal(&after, &expected)?;
    let var: Var = after.body.bindings.get(1)?.var.clone();
    assert!(var.same_as(&func.body.bindings.get(0)?.var));
    Ok(())
}

#[test]
fn a_changed_type_is_that_of_all_later_uses() -> Result<()> {
    uir::init()?;
    let rest = ["b = relay.exp(a)", "c = b + a", "return c"];
    let lines = |cast| [&[cast], rest.as_slice()].concat();
    let func = parse_body(&lines("a = relay.cast(x, dtype=\"float64\")"))?;
    let expected = parse_body(&lines("a = relay.cast(x, dtype=\"float16\")"))?;
    assert_equal(&Narrow::default().run(&func)?, &expected)
}

#[test]
fn nothing_changes() -> Result<()> {
    uir::init()?;
    let func = make_main()?;
    assert!(ExpandSilu::default().run(&func)?.same_as(&func));
    assert!(Narrow::default().run(&func)?.same_as(&func));
    Ok(())
}

#[test]
fn shared_parts_are_rewritten_once() -> Result<()> {
    uir::init()?;
    let func = parse_body(&["a = relay.exp(x)", "return a"])?;
    let mut sum: RelayExpr = func.params.get(0)?.into();
    for _ in 0..60 {
        sum = relay::add(&sum, &sum).build()?;
    }
    let body = Block::new(Vec::<Binding>::new(), sum);
    let nested = Function::new(&func.params, body, None, None, None)?;
    assert!(ExpandSilu::default().run(&nested)?.same_as(&nested));
    Ok(())
}

#[test]
fn passes_over_functions_run_in_a_sequence() -> Result<()> {
    uir::init()?;
    let expand = function_pass("ExpandSilu", |func, module: &IRModule, _context| {
        assert!(module.contains("main")?);
        ExpandSilu::default().run(&func)
    })?;
    let passes = [
        make_pass("InferType", &[])?,
        expand,
        make_pass("VerifyWellFormed", &[])?,
    ];
    let func = parse_body(&["a = relay.silu(x)", "return a"])?;
    let module = Sequential::builder(passes)
        .build()?
        .run(module_from_func(func, None)?)?;
    let after: Function = expect(module.lookup("main")?);
    assert_eq!(after.body.bindings.len(), 2);
    let error = function_pass("Refuse", |func: Function, _module, _context| {
        Err(ir::error_at(&func.body.result, "odd"))
    })?
    .run(module)
    .expect_err("the pass fails");
    let first = error.message().lines().next().unwrap_or("");
    assert_eq!(first, "in pass `Refuse`, function `main`: odd");
    Ok(())
}
