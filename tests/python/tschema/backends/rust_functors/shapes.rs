//! Visitors and mutators of a schema with every shape of a field.

use orchard::bud_functor::walk_flower;
use orchard::term_functor::{rebuild_pick, walk_pick};
use orchard::{
    Bud, BudMutator, BudVisitor, DoubleGraft, Flower, Graft, Harvest, Name, Pick, Plant, Plot,
    Rooted, RootedFunctor, Rose, Shoot, Span, Step, StepMutator, StepVisitor, Term, TermMutator,
    TermVisitor, TripleGraft, Tub,
};
use tschema::ffi::object::ObjectRefCore;
use tschema::ffi::{Array, Result};
use tschema::{expect, Dict, OneOf2, Replacements, Tuple, Union};

fn name(hint: &str) -> Name {
    Name::new(hint)
}

fn plot() -> Plot {
    Plot::new([Term::from(name("row"))])
}

fn terms(hints: &[&str]) -> Vec<Term> {
    hints.iter().map(|hint| name(hint).into()).collect()
}

fn pick() -> Pick {
    let nested: Array<Array<Term>> = [Array::new(terms(&["e", "f"]))].into_iter().collect();
    Pick::builder(
        plot(),
        terms(&["a"]),
        [("key", name("b"))],
        [(name("c"), name("d"))],
        nested,
        Tuple::new((Term::from(name("g")), 1)),
        Union::of(Term::from(name("h"))),
        [Span::builder(name("i")).last(name("j")).build()],
        Term::from(name("not visited")),
    )
    .maybe(name("k"))
    .maybe_several(terms(&["l", "m"]))
    .build()
}

#[derive(Default)]
struct Recorder(String);

impl TermVisitor for Recorder {
    fn visit_name(&mut self, node: &Name) {
        self.0.push_str(node.hint.as_str());
    }

    fn visit_pick(&mut self, node: &Pick) {
        self.0.push('<');
        walk_pick(self, node);
        self.0.push('>');
    }
}

impl StepVisitor for Recorder {}

fn record(term: impl Into<Term>) -> String {
    let mut recorder = Recorder::default();
    recorder.visit_term(&term.into());
    recorder.0
}

/// Doubles the hints of names; changes plots.
#[derive(Default)]
struct Double {
    replacements: Replacements,
}

impl TermMutator for Double {
    fn replacements(&mut self) -> Option<&mut Replacements> {
        Some(&mut self.replacements)
    }

    fn mutate_name(&mut self, node: Name) -> Result<Term> {
        Ok(name(&node.hint.as_str().repeat(2)).into())
    }

    fn mutate_pick(&mut self, node: Pick) -> Result<Term> {
        rebuild_pick(self, node)
    }
}

impl StepMutator for Double {}

struct Identity;

impl TermMutator for Identity {}
impl StepMutator for Identity {}

#[test]
fn every_shape_is_visited() {
    orchard::init().unwrap();
    assert_eq!(record(pick()), "<abcdefghijklm>");
    let grafts = TripleGraft::new(name("x"), name("y"));
    assert_eq!(record(grafts), "xy");
    assert_eq!(record(Graft::new(name("z"))), "z");
}

#[test]
fn every_shape_is_mutated() {
    orchard::init().unwrap();
    let old = pick();
    let new = Double::default().mutate_term(old.clone().into()).unwrap();
    assert_eq!(record(old), "<abcdefghijklm>");
    assert_eq!(record(new.clone()), "<aabbccddeeffgghhiijjkkllmm>");
    let new: Pick = expect(new);
    let by_term: &Dict<Name, Term> = &new.by_term;
    assert_eq!(by_term.len(), 1);
    assert!(matches!(new.either.get(), OneOf2::First(_)));
    assert_eq!(new.pair.get().1, 1);
    let grafts: Term = DoubleGraft::new(name("x"), name("y")).into();
    assert_eq!(
        record(Double::default().mutate_term(grafts).unwrap()),
        "xxyy"
    );
}

#[test]
fn what_does_not_change_stays() {
    orchard::init().unwrap();
    for term in [pick().into(), Term::from(Graft::new(pick()))] {
        assert!(Identity.mutate_term(term.clone()).unwrap().same_as(&term));
    }
}

#[test]
fn plots_are_replaced_where_they_are_used() {
    orchard::init().unwrap();
    let (own, other) = (plot(), plot());
    let used = pick();
    let harvest = Harvest::builder(Graft::new(used.clone())).build();
    let body = [Step::from(harvest)];
    let step = Plant::new(used.plot.clone(), [own, other], name("p"), body);
    let new: Plant = expect(Double::default().mutate_step(step.clone().into()).unwrap());
    assert!(!new.plot.same_as(&step.plot));
    assert_eq!(record(new.plot.rows.get(0).unwrap()), "rowrow");
    let harvest: Harvest = expect(new.body.get(0).unwrap());
    let graft: Graft = expect(harvest.term.clone());
    let pick: Pick = expect(graft.stock.clone());
    assert!(pick.plot.same_as(&new.plot));
    let mut recorder = Recorder::default();
    recorder.visit_step(&step.into());
    assert_eq!(recorder.0, "rowrowrowp<abcdefghijklm>");
}

#[test]
fn mutable_nodes_are_too() {
    orchard::init().unwrap();
    let tub = || {
        Tub::builder(name("a"), terms(&["b", "c"]))
            .lid(name("d"))
            .build()
    };
    assert_eq!(record(tub()), "abcd");
    let (owned, shared) = (tub(), tub());
    let new = Double::default().mutate_term(owned.into()).unwrap();
    assert_eq!(record(new), "aabbccdd");
    let new = Double::default()
        .mutate_term(shared.clone().into())
        .unwrap();
    assert_eq!(record(new), "aabbccdd");
    assert_eq!(record(shared), "abcd");
}

#[test]
fn a_root_may_be_a_case() {
    struct Count(usize);
    impl RootedFunctor<()> for Count {
        fn visit_default(&mut self, _node: &Rooted) {
            self.0 += 1;
        }

        fn visit_rooted_itself(&mut self, node: &Rooted) {
            self.0 += 9;
            self.visit_default(node);
        }
    }
    orchard::init().unwrap();
    let mut count = Count(0);
    count.visit_rooted(&Rooted::new());
    count.visit_rooted(&Shoot::new().into());
    assert_eq!(count.0, 20);
}

#[test]
fn a_root_may_be_below_another() {
    impl BudVisitor for Recorder {
        fn visit_flower(&mut self, node: &Flower) {
            self.0.push('*');
            walk_flower(self, node);
        }
    }
    impl BudMutator for Double {}
    orchard::init().unwrap();
    let rose: Bud = Rose::builder(name("a")).build().into();
    let flower: Bud = Flower::builder(name("b")).next(rose).build().into();
    let mut recorder = Recorder::default();
    recorder.visit_bud(&flower);
    assert_eq!(recorder.0, "*b*a");
    assert_eq!(record(flower.clone()), "ba");
    let new = Double::default().mutate_bud(flower).unwrap();
    assert_eq!(record(new), "bbaa");
}
