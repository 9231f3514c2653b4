//! Models of times and strategies written in Rust.

use std::rc::Rc;

use tvm_ffi::{Array, Function, Result, String};

use crate::tuning::{CostModelFunctions, SearchStrategyFunctions};

/// A candidate: lines as `uir.schedule.trace_of` returns them.
pub type Trace = Array<String>;

/// The numbers that describe candidates, equally many for each.
pub type Features = Array<Array<f64>>;

/// Learns the times of candidates from those that were measured.
pub trait Model {
    /// The model's name in messages.
    fn name(&self) -> &str;

    /// Predict which candidates are fast: a number for each, lower for faster ones.
    ///
    /// # Errors
    ///
    /// An error ends the search.
    fn predict(&self, features: &Features) -> Result<Vec<f64>>;

    /// Learn from all measured candidates, whose times are relative to the recipes' choice.
    ///
    /// # Errors
    ///
    /// An error ends the search.
    fn update(&self, features: &Features, times: &Array<f64>) -> Result<()>;
}

/// Proposes candidates, and takes their times, on which the next proposals depend.
pub trait Strategy {
    /// The strategy's name in messages.
    fn name(&self) -> &str;

    /// Return at most `count` candidates that were not proposed before; none at the end.
    ///
    /// # Errors
    ///
    /// An error ends the search.
    fn propose(&self, count: i64) -> Result<Vec<Trace>>;

    /// Take the time of a candidate relative to the recipes' choice; none if it failed.
    ///
    /// # Errors
    ///
    /// An error ends the search.
    fn tell(&self, trace: &Trace, time: Option<f64>) -> Result<()>;
}

/// Make a model of times from a shared value.
///
/// ```
/// use std::{cell::Cell, rc::Rc};
/// use uir::ffi::{Array, Result};
/// use uir::tuning::{cost_model, Features, Model};
///
/// /// Prefers small first features.
/// struct First(Cell<usize>);
///
/// impl Model for First {
///     fn name(&self) -> &str {
///         "doc.first"
///     }
///
///     fn predict(&self, features: &Features) -> Result<Vec<f64>> {
///         features.iter().map(|row| row.get(0)).collect()
///     }
///
///     fn update(&self, features: &Features, _times: &Array<f64>) -> Result<()> {
///         self.0.set(features.len());
///         Ok(())
///     }
/// }
///
/// # fn main() -> Result<()> {
/// uir::init()?;
/// let first = Rc::new(First(Cell::new(0)));
/// let model = cost_model(&first);
/// let features = Array::new(vec![Array::new(vec![2.0]), Array::new(vec![1.0])]);
/// model.update(features.clone(), Array::new(vec![1.0, 0.5]))?;
/// assert_eq!(first.0.get(), 2);
/// assert_eq!(model.predict(features)?.get(1)?, 1.0);
/// # Ok(())
/// # }
/// ```
pub fn cost_model<M: Model + 'static>(value: &Rc<M>) -> CostModelFunctions {
    let [predicting, updating] = std::array::from_fn(|_| Rc::clone(value));
    let predict = move |features: Features| -> Result<Array<f64>> {
        Ok(Array::new(predicting.predict(&features)?))
    };
    let update = move |features: Features, times: Array<f64>| -> Result<()> {
        updating.update(&features, &times)
    };
    CostModelFunctions::new(
        value.name(),
        Function::from_typed(predict),
        Function::from_typed(update),
    )
}

/// Make a strategy from a shared value.
pub fn search_strategy<S: Strategy + 'static>(value: &Rc<S>) -> SearchStrategyFunctions {
    let [proposing, telling] = std::array::from_fn(|_| Rc::clone(value));
    let propose =
        move |count: i64| -> Result<Array<Trace>> { Ok(Array::new(proposing.propose(count)?)) };
    let tell = move |trace: Trace, time: Option<f64>| -> Result<()> { telling.tell(&trace, time) };
    SearchStrategyFunctions::builder(
        value.name(),
        Function::from_typed(propose),
        Function::from_typed(tell),
    )
    .build()
}
