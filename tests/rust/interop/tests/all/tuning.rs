//! From Rust: models and strategies drive searches with recorded durations, and broken ones are
//! named.

use std::cell::RefCell;
use std::rc::Rc;

use uir::ffi::{Array, Error, Function, Result, String, VALUE_ERROR};
use uir::tuning::{
    cost_model, evolution, make_cost_model, register_cost_model, search, search_strategy, Features,
    Model, SearchStrategyFunctions, SpaceFunctions, Strategy, Trace,
};

const RECORDED: &str = include_str!("../../../../tuning/recorded.txt");

/// Candidates with their times, as `tests/tuning/recorded.txt` has them.
struct Recorded {
    traces: Vec<Trace>,
    features: Vec<Array<f64>>,
    times: Vec<f64>,
    winner: usize,
    proposals: Vec<usize>,
}

impl Recorded {
    fn read() -> Rc<Self> {
        let (first, rows) = RECORDED.split_once("\n\n").unwrap();
        let places = |line: &str| -> Vec<usize> {
            let words = line.split_whitespace().skip(1);
            words.map(|word| word.parse().unwrap()).collect()
        };
        let (winner, proposals) = first.split_once('\n').unwrap();
        let mut made = Self {
            traces: Vec::new(),
            features: Vec::new(),
            times: Vec::new(),
            winner: places(winner)[0],
            proposals: places(proposals),
        };
        for row in rows.lines() {
            let columns: Vec<&str> = row.split('\t').collect();
            let numbers = columns[1].split(' ').map(|one| one.parse().unwrap());
            made.times.push(columns[0].parse().unwrap());
            made.features.push(Array::new(numbers.collect()));
            made.traces.push(Array::new(vec![String::from(columns[2])]));
        }
        Rc::new(made)
    }

    fn place_of(&self, trace: &Trace) -> usize {
        let line = trace.get(0).unwrap();
        let is_it = |one: &Trace| one.get(0).unwrap().as_str() == line.as_str();
        self.traces.iter().position(is_it).unwrap()
    }

    /// The space, whose draws and changes are those of the other languages.
    fn space(self: &Rc<Self>) -> SpaceFunctions {
        let count = self.traces.len();
        let [walked, drawn, changed, described] = std::array::from_fn(|_| Rc::clone(self));
        let iterate = move || -> Result<Function> {
            let (recorded, place) = (Rc::clone(&walked), RefCell::new(0));
            Ok(Function::from_typed(move || -> Result<Option<Trace>> {
                *place.borrow_mut() += 1;
                Ok(recorded.traces.get(*place.borrow() - 1).cloned())
            }))
        };
        let draw =
            move |seed: i64| -> Result<Trace> { Ok(drawn.traces[seed as usize % count].clone()) };
        let change = move |trace: Trace, seed: i64| -> Result<Trace> {
            let place = changed.place_of(&trace) + 1 + seed as usize % 9;
            Ok(changed.traces[place % count].clone())
        };
        let features = move |candidates: Array<Trace>| -> Result<Features> {
            let rows = candidates.iter();
            let rows = rows.map(|one| described.features[described.place_of(&one)].clone());
            Ok(Array::new(rows.collect()))
        };
        SpaceFunctions::new(
            "recorded",
            self.traces[0].clone(),
            count as i64,
            Function::from_typed(iterate),
            Function::from_typed(draw),
            Function::from_typed(change),
            Function::from_typed(features),
        )
    }

    /// Search, and return the winner and the proposals.
    fn search(self: &Rc<Self>, strategy: SearchStrategyFunctions) -> Result<(usize, Vec<usize>)> {
        let proposals = Rc::new(RefCell::new(Vec::new()));
        let (measured, noted) = (Rc::clone(self), Rc::clone(&proposals));
        let measure = move |trace: Trace| -> Result<f64> {
            let place = measured.place_of(&trace);
            noted.borrow_mut().push(place);
            Ok(measured.times[place])
        };
        let trials = self.proposals.len() as i64;
        let best = search(
            self.space(),
            strategy,
            Function::from_typed(measure),
            trials,
        )?;
        let proposals = proposals.borrow().clone();
        Ok((self.place_of(&best), proposals))
    }
}

/// Predicts the time of the nearest measured candidate.
#[derive(Default)]
struct Nearest(RefCell<Vec<(Vec<f64>, f64)>>);

fn distance(one: &[f64], other: &[f64]) -> f64 {
    let pairs = one.iter().zip(other);
    pairs.fold(0.0, |sum, (a, b)| sum + (a - b).abs())
}

impl Model for Nearest {
    fn name(&self) -> &str {
        "nearest"
    }

    fn predict(&self, features: &Features) -> Result<Vec<f64>> {
        let known = self.0.borrow();
        let score = |row: Array<f64>| {
            let row: Vec<f64> = row.iter().collect();
            let mut best = (f64::INFINITY, 0.0);
            for (other, time) in known.iter() {
                let far = distance(&row, other);
                if far < best.0 {
                    best = (far, *time);
                }
            }
            best.1
        };
        Ok(features.iter().map(score).collect())
    }

    fn update(&self, features: &Features, times: &Array<f64>) -> Result<()> {
        let rows = features.iter().map(|row| row.iter().collect());
        *self.0.borrow_mut() = rows.zip(times.iter()).collect();
        Ok(())
    }
}

/// A model with mistakes.
struct Broken(&'static str);

impl Model for Broken {
    fn name(&self) -> &str {
        "toy.broken"
    }

    fn predict(&self, features: &Features) -> Result<Vec<f64>> {
        let count = features.len();
        match self.0 {
            "fails" => Err(Error::new(VALUE_ERROR, "no memory left for trees", "")),
            "count" => Ok(vec![1.0; count - 1]),
            _ => Ok(vec![f64::NAN; count]),
        }
    }

    fn update(&self, _features: &Features, _times: &Array<f64>) -> Result<()> {
        Ok(())
    }
}

/// Proposes one candidate forever.
struct Forever(Trace);

impl Strategy for Forever {
    fn name(&self) -> &str {
        "toy.forever"
    }

    fn propose(&self, _count: i64) -> Result<Vec<Trace>> {
        Ok(vec![self.0.clone()])
    }

    fn tell(&self, _trace: &Trace, _time: Option<f64>) -> Result<()> {
        Ok(())
    }
}

#[test]
fn a_model_of_rust_finds_the_recorded_winner() -> Result<()> {
    uir::init()?;
    let recorded = Recorded::read();
    for _ in 0..2 {
        let model = cost_model(&Rc::new(Nearest::default()));
        let strategy = evolution(recorded.space(), model, 7, 8, 128)?;
        let (winner, proposals) = recorded.search(strategy)?;
        assert_eq!(winner, recorded.winner);
        assert_eq!(proposals, recorded.proposals);
    }
    Ok(())
}

#[test]
fn broken_models_are_named() -> Result<()> {
    uir::init()?;
    let recorded = Recorded::read();
    let place = "in strategy `evolution`: in cost model `toy.broken`: ";
    for (mistake, wanted) in [
        ("fails", "no memory left for trees"),
        ("count", "`predict` returned "),
        ("nan", "score 0 is nan, which is not finite"),
    ] {
        let model = cost_model(&Rc::new(Broken(mistake)));
        let strategy = evolution(recorded.space(), model, 0, 8, 128)?;
        let error = recorded.search(strategy).unwrap_err();
        assert_eq!(error.kind().as_str(), "ValueError");
        let message = error.message().to_string();
        assert!(
            message.starts_with(&format!("{place}{wanted}")),
            "{message}"
        );
    }
    Ok(())
}

#[test]
fn a_strategy_that_would_never_end_is_named() -> Result<()> {
    uir::init()?;
    let recorded = Recorded::read();
    let forever = Rc::new(Forever(recorded.traces[1].clone()));
    let error = recorded.search(search_strategy(&forever)).unwrap_err();
    let message = error.message().to_string();
    let wanted = "in strategy `toy.forever`: `propose` returned a candidate again:";
    assert!(message.starts_with(wanted), "{message}");
    Ok(())
}

#[test]
fn models_have_names() -> Result<()> {
    uir::init()?;
    let factory = |_seed: i64| -> Result<_> { Ok(cost_model(&Rc::new(Nearest::default()))) };
    register_cost_model("rust.nearest", Function::from_typed(factory), "tuning.rs:1")?;
    assert_eq!(make_cost_model("rust.nearest", 0)?.name.as_str(), "nearest");
    let error = make_cost_model("rust.farthest", 0).unwrap_err();
    let wanted = "there is no cost model `rust.farthest`; there are `";
    assert!(error.message().starts_with(wanted));
    Ok(())
}
