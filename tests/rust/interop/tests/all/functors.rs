//! Functors, visitors and mutators: dispatch, order, copies with changes, depth.

use std::thread;

use tschema::{expect, Replacements};
use uir::ffi::object::{ObjectArc, ObjectRef, ObjectRefCore};
use uir::ffi::{Array, DLDataType, DLDataTypeCode, Map, Result, String as FfiString};
use uir::ir::{IntImm, PrimExpr, RelayExpr};
use uir::relay::RelayExprVisitor;
use uir::tir::prim_expr_functor::{
    rebuild_add, rebuild_buffer, rebuild_prim_expr, walk_add, walk_prim_expr,
};
use uir::tir::stmt_functor::walk_for;
use uir::tir::{
    Add, AllocBuffer, Buffer, BufferLoad, BufferStore, Call, Evaluate, For, ForKind, Let, Mul,
    PrimExprFunctor, PrimExprMutator, PrimExprVisitor, SeqStmt, SizeVar, Stmt, StmtFunctor,
    StmtMutator, StmtVisitor, Var,
};

use crate::depth::levels;

fn int(bits: u8) -> DLDataType {
    DLDataType::new(DLDataTypeCode::kDLInt, bits, 1)
}

fn constant(value: i64) -> Result<PrimExpr> {
    Ok(IntImm::new(int(32), value, None)?.into())
}

fn variable(name: &str) -> Result<Var> {
    Var::builder(name).dtype(int(32)).build()
}

fn sum(a: impl Into<PrimExpr>, b: impl Into<PrimExpr>) -> Result<PrimExpr> {
    Ok(Add::new(a, b, None)?.into())
}

fn loop_over(var: &Var, body: impl Into<Stmt>) -> Result<Stmt> {
    let (zero, end) = (constant(0)?, constant(8)?);
    let annotations: Map<FfiString, uir::ffi::Any> = Map::new();
    let loop_ = For::new(
        var,
        zero,
        end,
        ForKind::SERIAL,
        body,
        None,
        annotations,
        None,
        None,
    )?;
    Ok(loop_.into())
}

fn address(reference: &impl ObjectRefCore) -> usize {
    // SAFETY: the address is only looked at.
    unsafe { ObjectArc::as_raw(ObjectRefCore::data(reference)) as usize }
}

/// Writes expressions as text.
struct Printer;

impl PrimExprFunctor<String> for Printer {
    fn visit_default(&mut self, _node: &PrimExpr) -> String {
        "?".to_owned()
    }

    fn visit_int_imm(&mut self, node: &IntImm) -> String {
        node.value.to_string()
    }

    fn visit_var(&mut self, node: &Var) -> String {
        node.name.as_str().to_owned()
    }

    fn visit_add(&mut self, node: &Add) -> String {
        let (a, b) = (self.visit_prim_expr(&node.a), self.visit_prim_expr(&node.b));
        format!("({a} + {b})")
    }
}

impl StmtFunctor<usize> for Printer {
    fn visit_default(&mut self, _node: &Stmt) -> usize {
        0
    }

    fn visit_for(&mut self, node: &For) -> usize {
        1 + self.visit_stmt(&node.body)
    }
}

#[test]
fn functors_dispatch_by_type() -> Result<()> {
    uir::init()?;
    let expr = sum(variable("x")?, constant(2)?)?;
    assert_eq!(Printer.visit_prim_expr(&expr), "(x + 2)");
    let product = Mul::new(constant(1)?, constant(2)?, None)?;
    assert_eq!(Printer.visit_prim_expr(&product.into()), "?");
    let nested = loop_over(&variable("i")?, Evaluate::new(constant(0)?, None))?;
    assert_eq!(Printer.visit_stmt(&nested), 1);
    Ok(())
}

#[test]
fn a_derived_type_is_served_as_its_ancestor() -> Result<()> {
    uir::init()?;
    let size = SizeVar::builder("n").dtype(int(32)).build()?;
    assert_eq!(Printer.visit_prim_expr(&size.into()), "n");
    Ok(())
}

/// Notes what it visits.
#[derive(Default)]
struct Recorder(Vec<String>);

impl PrimExprVisitor for Recorder {
    fn visit_int_imm(&mut self, node: &IntImm) {
        self.0.push(node.value.to_string());
    }

    fn visit_var(&mut self, node: &Var) {
        self.0.push(node.name.as_str().to_owned());
    }

    fn visit_add(&mut self, node: &Add) {
        self.0.push("add".to_owned());
        walk_add(self, node);
    }
}

impl StmtVisitor for Recorder {
    fn visit_for(&mut self, node: &For) {
        self.0.push("for".to_owned());
        walk_for(self, node);
    }
}

#[test]
fn visitors_go_through_fields_in_order() -> Result<()> {
    uir::init()?;
    let x = variable("x")?;
    let value = sum(constant(1)?, constant(2)?)?;
    let expr = Let::new(&x, value, sum(&x, constant(3)?)?, None)?;
    let mut recorder = Recorder::default();
    recorder.visit_prim_expr(&expr.into());
    assert_eq!(recorder.0, ["x", "add", "1", "2", "add", "x", "3"]);
    Ok(())
}

#[test]
fn visitors_go_through_containers() -> Result<()> {
    uir::init()?;
    let args = [constant(1)?, sum(constant(2)?, constant(3)?)?];
    let func = uir::ir::ExternFunc::builder("f").build()?;
    let call = Call::builder(int(32), func, args).build()?;
    let mut recorder = Recorder::default();
    recorder.visit_prim_expr(&call.into());
    assert_eq!(recorder.0, ["1", "add", "2", "3"]);
    Ok(())
}

#[test]
fn visitors_of_statements_enter_expressions() -> Result<()> {
    uir::init()?;
    let i = variable("i")?;
    let body = SeqStmt::new(
        [
            Evaluate::new(sum(&i, constant(1)?)?, None),
            Evaluate::new(constant(2)?, None),
        ],
        None,
    )?;
    let mut recorder = Recorder::default();
    recorder.visit_stmt(&loop_over(&i, body)?);
    assert_eq!(recorder.0, ["for", "i", "0", "8", "add", "i", "1", "2"]);
    Ok(())
}

/// Counts nodes of all types.
#[derive(Default)]
struct Counter(usize);

impl PrimExprVisitor for Counter {
    fn visit_prim_expr(&mut self, node: &PrimExpr) {
        self.0 += 1;
        walk_prim_expr(self, node);
    }
}

impl RelayExprVisitor for Counter {
    fn visit_default(&mut self, _node: &RelayExpr) {
        self.0 += 1;
    }
}

#[test]
fn every_node_comes_to_the_method_of_the_root() -> Result<()> {
    uir::init()?;
    let mut counter = Counter::default();
    counter.visit_prim_expr(&sum(sum(constant(1)?, constant(2)?)?, variable("x")?)?);
    assert_eq!(counter.0, 5);
    Ok(())
}

#[test]
fn a_type_that_the_family_cannot_name_goes_to_the_default() -> Result<()> {
    uir::init()?;
    let func =
        uir::tir::PrimFunc::builder(Array::<Var>::default(), Evaluate::new(constant(0)?, None))
            .build()?;
    let mut counter = Counter::default();
    counter.visit_relay_expr(&func.into());
    assert_eq!(counter.0, 1);
    Ok(())
}

/// Changes nothing.
struct Identity;

impl PrimExprMutator for Identity {}
impl StmtMutator for Identity {}

/// Adds one to constants.
struct Increment;

impl PrimExprMutator for Increment {
    fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
        Ok(IntImm::new(node.dtype, node.value + 1, None)?.into())
    }
}

impl StmtMutator for Increment {}

#[test]
fn what_does_not_change_stays_the_same_object() -> Result<()> {
    uir::init()?;
    let i = variable("i")?;
    let stmt = loop_over(&i, Evaluate::new(sum(&i, constant(1)?)?, None))?;
    assert!(Identity.mutate_stmt(stmt.clone())?.same_as(&stmt));
    let before = address(&stmt);
    assert_eq!(address(&Identity.mutate_stmt(stmt)?), before);
    Ok(())
}

#[test]
fn what_others_hold_is_copied() -> Result<()> {
    uir::init()?;
    let kept = sum(variable("x")?, variable("y")?)?;
    let expr = sum(kept.clone(), sum(constant(1)?, constant(2)?)?)?;
    let mut recorder = Recorder::default();
    let new = Increment.mutate_prim_expr(expr.clone())?;
    recorder.visit_prim_expr(&expr);
    recorder.visit_prim_expr(&new);
    assert!(!new.same_as(&expr));
    assert!(expect::<Add, _>(new).a.same_as(&kept));
    let of_expr = ["add", "add", "x", "y", "add", "1", "2"];
    let of_new = ["add", "add", "x", "y", "add", "2", "3"];
    assert_eq!(recorder.0, [of_expr, of_new].concat());
    Ok(())
}

#[test]
fn what_nobody_else_holds_is_written_in_place() -> Result<()> {
    uir::init()?;
    let shared = sum(constant(1)?, constant(2)?)?;
    let expr = sum(shared.clone(), sum(constant(3)?, constant(4)?)?)?;
    let inner = |expr: &PrimExpr| {
        let add: &Add = tschema::expect_ref(expr);
        (address(expr), address(&add.a), address(&add.b))
    };
    let before = inner(&expr);
    let new = Increment.mutate_prim_expr(expr)?;
    let after = inner(&new);
    assert_eq!((before.0, before.2), (after.0, after.2));
    assert_ne!(before.1, after.1, "another reference is held to it");
    assert_eq!(Printer.visit_prim_expr(&shared), "(1 + 2)");
    assert_eq!(Printer.visit_prim_expr(&new), "((2 + 3) + (4 + 5))");
    Ok(())
}

#[test]
fn arrays_are_copied_or_written_too() -> Result<()> {
    uir::init()?;
    let steps = |first: i64| -> Result<Array<Stmt>> {
        let values = [constant(first)?, constant(first + 1)?];
        Ok(values
            .map(|value| Evaluate::new(value, None).into())
            .into_iter()
            .collect())
    };
    let shared = steps(1)?;
    let copied = Increment.mutate_stmt(SeqStmt::new(&shared, None)?.into())?;
    let copied: SeqStmt = expect(copied);
    assert_ne!(address(&copied.seq), address(&shared));
    let mut recorder = Recorder::default();
    recorder.visit_stmt(&copied.into());
    recorder.visit_stmt(&SeqStmt::new(shared, None)?.into());
    assert_eq!(recorder.0, ["2", "3", "1", "2"]);
    let owned = SeqStmt::new(steps(1)?, None)?;
    let before = (address(&owned.seq), address(&owned));
    let written: SeqStmt = expect(Increment.mutate_stmt(owned.into())?);
    assert_eq!((address(&written.seq), address(&written)), before);
    Ok(())
}

/// Gives variables and constants another type.
struct Widen(u8);

impl PrimExprMutator for Widen {
    fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
        let value = node.value;
        drop(node); // So that the new one may stand at the same address.
        Ok(IntImm::new(int(self.0), value, None)?.into())
    }
}

#[test]
fn post_init_runs_on_what_changed_up_to_the_root() -> Result<()> {
    uir::init()?;
    let nested = || sum(sum(constant(1)?, constant(2)?)?, constant(3)?);
    let (owned, shared) = (nested()?, nested()?);
    let before = address(&owned);
    let written = Widen(64).mutate_prim_expr(owned)?;
    assert_eq!((written.dtype, address(&written)), (int(64), before));
    assert_eq!(Widen(64).mutate_prim_expr(shared.clone())?.dtype, int(64));
    assert_eq!(shared.dtype, int(32));
    Ok(())
}

#[test]
fn what_post_init_refuses_is_an_error() -> Result<()> {
    uir::init()?;
    let x = variable("x")?;
    for expr in [sum(&x, constant(1)?)?, sum(sum(&x, constant(1)?)?, &x)?] {
        let error = Widen(64)
            .mutate_prim_expr(expr.clone())
            .expect_err("types differ");
        assert!(error.message().contains("int64"), "{}", error.message());
        assert!(Widen(64).mutate_prim_expr(expr).is_err());
    }
    assert_eq!(x.name.as_str(), "x");
    Ok(())
}

/// Puts a constant in the place of variables.
struct Substitute;

impl PrimExprMutator for Substitute {
    fn mutate_var(&mut self, _node: Var) -> Result<PrimExpr> {
        constant(0)
    }
}

impl StmtMutator for Substitute {}

#[test]
fn a_part_that_does_not_fit_is_an_error() -> Result<()> {
    uir::init()?;
    let i = variable("i")?;
    let stmt = loop_over(&i, Evaluate::new(&i, None))?;
    let error = Substitute
        .mutate_stmt(stmt)
        .expect_err("a loop needs a variable");
    let expected = "field `loop_var` of `uir.tir.For` cannot become what a mutator made of it: \
                    a `uir.ir.IntImm` is not a `uir.tir.Var`";
    assert_eq!(error.message(), expected);
    Ok(())
}

/// Turns sums of constants into constants, the inner ones first.
struct Fold;

impl PrimExprMutator for Fold {
    fn mutate_add(&mut self, node: Add) -> Result<PrimExpr> {
        let node = rebuild_add(self, node)?;
        let Some(add) = tschema::downcast_ref::<Add>(&node) else {
            return Ok(node);
        };
        let operands = (
            tschema::downcast_ref::<IntImm>(&add.a),
            tschema::downcast_ref::<IntImm>(&add.b),
        );
        match operands {
            (Some(a), Some(b)) => constant(a.value + b.value),
            _ => Ok(node),
        }
    }
}

#[test]
fn an_overridden_method_goes_on_below_its_node() -> Result<()> {
    uir::init()?;
    let x = variable("x")?;
    let expr = sum(
        sum(constant(1)?, constant(2)?)?,
        sum(&x, sum(constant(3)?, constant(4)?)?)?,
    )?;
    let new = Fold.mutate_prim_expr(expr)?;
    assert_eq!(Printer.visit_prim_expr(&new), "(3 + (x + 7))");
    Ok(())
}

/// Renames buffers.
struct Rename(Option<Replacements>);

impl PrimExprMutator for Rename {
    fn replacements(&mut self) -> Option<&mut Replacements> {
        self.0.as_mut()
    }

    fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
        Ok(IntImm::new(node.dtype, node.value * 2, None)?.into())
    }

    fn mutate_buffer(&mut self, node: Buffer) -> Result<Buffer> {
        rebuild_buffer(self, node)
    }
}

impl StmtMutator for Rename {}

fn copy_within_a_buffer() -> Result<Stmt> {
    let handle = DLDataType::new(DLDataTypeCode::kDLOpaqueHandle, 64, 1);
    let data = Var::builder("data")
        .dtype(handle)
        .type_annotation(
            uir::ir::PointerType::builder(uir::ir::PrimType::new(int(32), None)).build(),
        )
        .build()?;
    let buffer = Buffer::builder(data, int(32), [constant(8)?]).build()?;
    let load = BufferLoad::new(&buffer, [constant(0)?], None, None)?;
    let store = BufferStore::new(&buffer, load, [constant(1)?], None, None)?;
    let alloc: Stmt = AllocBuffer::builder(buffer).build().into();
    Ok(SeqStmt::new([alloc, store.into()], None)?.into())
}

#[test]
fn uses_become_what_was_made_of_the_variable() -> Result<()> {
    uir::init()?;
    let stmt = Rename(Some(Replacements::new())).mutate_stmt(copy_within_a_buffer()?)?;
    let seq: SeqStmt = expect(stmt);
    let alloc: AllocBuffer = expect(seq.seq.get(0)?);
    let store: BufferStore = expect(seq.seq.get(1)?);
    let load: BufferLoad = expect(store.value.clone());
    assert_eq!(Printer.visit_prim_expr(&alloc.buffer.shape.get(0)?), "16");
    assert!(store.buffer.same_as(&alloc.buffer));
    assert!(load.buffer.same_as(&alloc.buffer));
    Ok(())
}

#[test]
fn a_variable_needs_somewhere_to_note_what_it_becomes() -> Result<()> {
    uir::init()?;
    let error = Rename(None)
        .mutate_stmt(copy_within_a_buffer()?)
        .expect_err("the uses would stay");
    assert!(
        error.message().contains("`replacements`"),
        "{}",
        error.message()
    );
    Ok(())
}

#[test]
fn a_panic_of_a_method_leaves_no_broken_node() -> Result<()> {
    struct Panic;
    impl PrimExprMutator for Panic {
        fn mutate_var(&mut self, _node: Var) -> Result<PrimExpr> {
            panic!("out of here")
        }
    }
    uir::init()?;
    let expr = sum(sum(constant(1)?, variable("x")?)?, constant(2)?)?;
    let result = std::panic::catch_unwind(|| Panic.mutate_prim_expr(expr).map(drop));
    assert!(result.is_err());
    Ok(())
}

/// Bytes of memory that the process has.
fn resident() -> Result<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    let pages = text
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<usize>().ok());
    Ok(pages.expect("the second field is a number") * 4096)
}

#[test]
fn nothing_leaks() -> Result<()> {
    uir::init()?;
    let x = variable("x")?;
    let round = || -> Result<()> {
        let part = sum(constant(1)?, constant(2)?)?;
        let expr = sum(sum(part.clone(), &x)?, sum(constant(3)?, constant(4)?)?)?;
        let seq = SeqStmt::new(
            [
                Evaluate::new(expr, None),
                Evaluate::new(sum(&x, part)?, None),
            ],
            None,
        )?;
        let stmt = Increment.mutate_stmt(seq.into())?;
        assert!(Substitute.mutate_stmt(loop_over(&x, stmt)?).is_err());
        Ok(())
    };
    for _ in 0..200 {
        round()?;
    }
    let before = resident()?;
    for _ in 0..2000 {
        round()?;
    }
    let grown = resident()?.saturating_sub(before);
    assert!(
        grown < 256 << 10,
        "{grown} bytes in 2000 rounds of some 20 objects"
    );
    Ok(())
}

fn chain(depth: usize) -> Result<PrimExpr> {
    let one = constant(1)?;
    let mut expr = constant(1)?;
    for _ in 0..depth {
        expr = sum(expr, one.clone())?;
    }
    Ok(expr)
}

/// The depth of sums on the left.
struct Depth;

impl PrimExprFunctor<usize> for Depth {
    fn visit_default(&mut self, _node: &PrimExpr) -> usize {
        0
    }

    fn visit_add(&mut self, node: &Add) -> usize {
        1 + self.visit_prim_expr(&node.a)
    }
}

/// Goes on through an override on each level.
struct Through(usize);

impl PrimExprMutator for Through {
    fn mutate_prim_expr(&mut self, node: PrimExpr) -> Result<PrimExpr> {
        rebuild_prim_expr(self, node)
    }

    fn mutate_add(&mut self, node: Add) -> Result<PrimExpr> {
        self.0 += 1;
        rebuild_add(self, node)
    }
}

/// Run every kind of functor on a value that is very deep.
fn run_functors_deep() -> Result<()> {
    uir::init()?;
    let depth = levels();
    let deep = chain(depth)?;
    assert_eq!(Depth.visit_prim_expr(&deep), depth);
    let mut counter = Counter::default();
    counter.visit_prim_expr(&deep);
    assert_eq!(counter.0, 2 * depth + 1);
    let mut through = Through(0);
    assert!(through.mutate_prim_expr(deep.clone())?.same_as(&deep));
    assert_eq!(through.0, depth);
    let copied = Increment.mutate_prim_expr(deep.clone())?;
    assert!(!copied.same_as(&deep));
    assert_eq!(Depth.visit_prim_expr(&copied), depth);
    let before = address(&copied);
    assert_eq!(address(&Increment.mutate_prim_expr(copied)?), before);
    let object: ObjectRef = deep.into();
    assert!(tschema::downcast::<Add, _>(object).is_ok());
    Ok(())
}

#[test]
fn no_depth_overflows_the_stack() {
    let run = || run_functors_deep().map_err(|error| error.message().to_string());
    let thread = thread::Builder::new()
        .stack_size(8 << 20)
        .spawn(run)
        .expect("a thread starts");
    thread
        .join()
        .expect("no functor overflows")
        .expect("no functor fails");
}
