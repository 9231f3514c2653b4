/*!
 * \file uir/tuning/adapters.h
 * \brief Writing models of times and strategies in C++.
 *
 * \code
 *   struct Linear {
 *     ffi::Array<double> Predict(const Features& features);
 *     void Update(const Features& features, const ffi::Array<double>& times);
 *   };
 *   CostModelFunctions model = MakeCostModel("toy.linear", std::make_shared<Linear>());
 * \endcode
 *
 * `register_cost_model` and `register_strategy` name them for `tune` and the command `uir tune`.
 */
#ifndef UIR_TUNING_ADAPTERS_H_
#define UIR_TUNING_ADAPTERS_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>
#include <uir/tuning/interfaces.h>

#include <cstdint>
#include <memory>
#include <utility>

namespace uir::tuning {

namespace ffi = ::tvm::ffi;

/*! \brief A candidate: lines as `schedule::trace_of` returns them. */
using Trace = ffi::Array<ffi::String>;

/*! \brief The numbers that describe candidates, equally many for each. */
using Features = ffi::Array<ffi::Array<double>>;

/*!
 * \brief Make a model of times of an object.
 * \param name The model's name in messages.
 * \param model Has `Predict(Features)`, which returns a number for each candidate, lower for faster
 * ones, and `Update(Features, ffi::Array<double>)`, which takes all measured candidates.
 * \return The model, which owns the object.
 */
template <typename Model>
CostModelFunctions MakeCostModel(ffi::String name, std::shared_ptr<Model> model) {
  auto predict = [model](const Features& features) -> ffi::Array<double> {
    return model->Predict(features);
  };
  auto update = [model](const Features& features, const ffi::Array<double>& times) {
    model->Update(features, times);
  };
  return CostModelFunctions(std::move(name), ffi::Function::FromTyped(predict),
                            ffi::Function::FromTyped(update));
}

/*!
 * \brief Make a strategy of an object.
 * \param name The strategy's name in messages.
 * \param strategy Has `Propose(int64_t)`, which returns at most as many new candidates, and
 * `Tell(Trace, ffi::Optional<double>)`, which takes the time of one, none if it failed.
 * \return The strategy, which owns the object.
 */
template <typename Strategy>
SearchStrategyFunctions MakeSearchStrategy(ffi::String name, std::shared_ptr<Strategy> strategy) {
  auto propose = [strategy](int64_t count) -> ffi::Array<Trace> {
    return strategy->Propose(count);
  };
  auto tell = [strategy](const Trace& trace, const ffi::Optional<double>& time) {
    strategy->Tell(trace, time);
  };
  return SearchStrategyFunctions(std::move(name), ffi::Function::FromTyped(propose),
                                 ffi::Function::FromTyped(tell));
}

}  // namespace uir::tuning

#endif  // UIR_TUNING_ADAPTERS_H_
