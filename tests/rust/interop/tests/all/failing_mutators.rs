//! Mutators that fail half-way: everything that they had copied or moved is released, what others
//! hold is as it was.

use uir::ffi::object::{ObjectArc, ObjectRef, ObjectRefCore};
use uir::ffi::{Array, DLDataType, DLDataTypeCode, Error, Map, Result, String, RUNTIME_ERROR};
use uir::ir::{GlobalVar, IntImm, PrimExpr};
use uir::tir::prim_expr_functor::rebuild_prim_expr;
use uir::tir::stmt_functor::rebuild_stmt;
use uir::tir::{
    Add, Call, Evaluate, For, ForKind, Let, PrimExprMutator, SeqStmt, Stmt, StmtMutator, Var,
};

fn int(bits: u8) -> DLDataType {
    DLDataType::new(DLDataTypeCode::kDLInt, bits, 1)
}

fn constant(value: i64) -> Result<PrimExpr> {
    Ok(IntImm::new(int(32), value, None)?.into())
}

fn variable(name: &str) -> Result<Var> {
    Var::builder(name).dtype(int(32)).build()
}

/// How a mutator fails.
#[derive(Clone, Copy, Debug)]
enum Failure {
    Error,
    /// A node that its parent's field, or its parent's `PostInit`, does not take.
    Misfit,
    Panic,
}

/// Replaces every constant, and fails at one node.
struct FailAt {
    left: usize,
    failure: Failure,
}

impl FailAt {
    /// Count a node; true if it is to become a misfit.
    fn step(&mut self) -> Result<bool> {
        if self.left > 0 {
            self.left -= 1;
            return Ok(false);
        }
        self.left = usize::MAX;
        match self.failure {
            Failure::Error => Err(Error::new(RUNTIME_ERROR, "half-way", "")),
            Failure::Misfit => Ok(true),
            Failure::Panic => panic!("half-way"),
        }
    }
}

impl PrimExprMutator for FailAt {
    fn mutate_prim_expr(&mut self, node: PrimExpr) -> Result<PrimExpr> {
        if self.step()? {
            return Ok(IntImm::new(int(64), 0, None)?.into());
        }
        rebuild_prim_expr(self, node)
    }

    fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
        Ok(IntImm::new(node.dtype, node.value + 1, None)?.into())
    }
}

impl StmtMutator for FailAt {
    fn mutate_stmt(&mut self, node: Stmt) -> Result<Stmt> {
        if self.step()? {
            return Err(Error::new(RUNTIME_ERROR, "half-way", ""));
        }
        rebuild_stmt(self, node)
    }
}

/// What several programs share, and a test holds.
struct Shared {
    var: Var,
    one: PrimExpr,
    sum: PrimExpr,
    args: Array<PrimExpr>,
    stmt: Stmt,
    annotations: Map<String, PrimExpr>,
}

impl Shared {
    fn new() -> Result<Self> {
        let (var, one) = (variable("x")?, constant(1)?);
        let sum: PrimExpr = Add::new(&var, one.clone(), None)?.into();
        let stmt = Evaluate::new(sum.clone(), None).into();
        Ok(Self {
            args: tschema::array([one.clone(), sum.clone(), constant(2)?]),
            annotations: Map::from_iter([("key".into(), sum.clone())]),
            var,
            one,
            sum,
            stmt,
        })
    }

    /// How many references there are to each object.
    fn counts(&self) -> [usize; 6] {
        [
            count(&self.var),
            count(&self.one),
            count(&self.sum),
            count(&self.args),
            count(&self.stmt),
            count(&self.annotations),
        ]
    }

    /// A loop that holds every shared object, and nodes of its own beside them.
    fn program(&self) -> Result<Stmt> {
        let call = Call::new(
            int(32),
            GlobalVar::builder("f").build(),
            self.args.clone(),
            None,
        )?;
        let own = Add::new(call, Add::new(constant(3)?, self.one.clone(), None)?, None)?;
        let bound = variable("y")?;
        let body = Add::new(&bound, self.sum.clone(), None)?;
        let value = Let::new(&bound, own, body, None)?;
        let body: [Stmt; 3] = [
            Evaluate::new(value, None).into(),
            self.stmt.clone(),
            Evaluate::new(constant(4)?, None).into(),
        ];
        let body = SeqStmt::new(body, None)?;
        let annotations: Map<String, uir::ffi::Any> =
            Map::from_iter([("held".into(), self.annotations.clone().into())]);
        let kind = ForKind::SERIAL;
        let (zero, end) = (constant(0)?, self.sum.clone());
        let loop_ = For::new(
            &self.var,
            zero,
            end,
            kind,
            body,
            None,
            annotations,
            None,
            None,
        )?;
        Ok(loop_.into())
    }
}

fn count(reference: &impl ObjectRefCore) -> usize {
    ObjectArc::strong_count(ObjectRefCore::data(reference))
}

/// Run a mutator that fails at a node; false if it has fewer nodes to come to.
fn fails(stmt: Stmt, left: usize, failure: Failure) -> bool {
    let run = || FailAt { left, failure }.mutate_stmt(stmt).is_err();
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or(true)
}

/// Fail at each node in turn; return how many there are.
fn fail_everywhere(check: impl Fn(usize) -> Result<bool>) -> Result<usize> {
    let mut left = 0;
    while check(left)? {
        left += 1;
        assert!(
            left < 1000,
            "a mutator fails at nodes that it never comes to"
        );
    }
    Ok(left)
}

/// The text of a program tells whether anything in it has changed.
fn text(stmt: &Stmt) -> Result<String> {
    tschema::save_json(stmt)
}

fn check_programs_that_nobody_else_holds(failure: Failure) -> Result<()> {
    uir::init()?;
    let shared = Shared::new()?;
    let (before, saved) = (shared.counts(), text(&shared.program()?)?);
    let nodes = fail_everywhere(|left| {
        let failed = fails(shared.program()?, left, failure);
        assert_eq!(shared.counts(), before, "{failure:?} at node {left}");
        Ok(failed)
    })?;
    assert!(nodes > 15, "{nodes} nodes");
    assert_eq!(text(&shared.program()?)?.as_str(), saved.as_str());
    Ok(())
}

fn check_programs_that_others_hold(failure: Failure) -> Result<()> {
    uir::init()?;
    let shared = Shared::new()?;
    let program = shared.program()?;
    let (before, saved) = (shared.counts(), text(&program)?);
    fail_everywhere(|left| {
        let failed = fails(program.clone(), left, failure);
        assert_eq!(shared.counts(), before, "{failure:?} at node {left}");
        assert_eq!(count(&program), 1, "{failure:?} at node {left}");
        assert_eq!(text(&program)?.as_str(), saved.as_str());
        Ok(failed)
    })?;
    Ok(())
}

#[test]
fn an_error_leaks_nothing() -> Result<()> {
    check_programs_that_nobody_else_holds(Failure::Error)?;
    check_programs_that_others_hold(Failure::Error)
}

#[test]
fn a_part_that_does_not_fit_leaks_nothing() -> Result<()> {
    // Some are taken: the bounds of a loop may be of another type than its variable.
    uir::init()?;
    let shared = Shared::new()?;
    let program = shared.program()?;
    let (before, saved) = (shared.counts(), text(&program)?);
    let mut failed = 0;
    for left in 0..40 {
        failed += usize::from(fails(shared.program()?, left, Failure::Misfit));
        fails(program.clone(), left, Failure::Misfit);
        assert_eq!(shared.counts(), before, "at node {left}");
    }
    assert!(failed > 5, "{failed} of the misfits were refused");
    assert_eq!(text(&program)?.as_str(), saved.as_str());
    Ok(())
}

#[test]
fn a_panic_leaks_nothing() -> Result<()> {
    check_programs_that_nobody_else_holds(Failure::Panic)?;
    check_programs_that_others_hold(Failure::Panic)
}

#[test]
fn what_a_failing_method_was_given_is_its_own() -> Result<()> {
    struct Keep(Vec<ObjectRef>);
    impl PrimExprMutator for Keep {
        fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
            self.0.push(node.into());
            Err(Error::new(RUNTIME_ERROR, "half-way", ""))
        }
    }
    uir::init()?;
    let mut keep = Keep(Vec::new());
    let sum = Add::new(constant(1)?, constant(2)?, None)?;
    assert!(keep.mutate_prim_expr(sum.into()).is_err());
    assert_eq!(count(&keep.0[0]), 1);
    assert_eq!(
        tschema::repr(&keep.0[0])?.as_str(),
        "uir.ir.IntImm(dtype=int32, value=1)"
    );
    Ok(())
}
