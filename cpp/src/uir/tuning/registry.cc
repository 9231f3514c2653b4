// Models and strategies by name.
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/tuning/interfaces.h>
#include <uir/tuning/strategies.h>

#include <string>
#include <utility>

#include "../transform/infra/registered.h"
#include "./callback.h"

namespace uir::tuning {

namespace {

struct Factory {
  std::string place;
  ffi::Function function;
};

using Factories = transform::Registered<Factory>;

Factories& Models() {
  static auto* const models = new Factories("cost model");
  return *models;
}

Factories& Strategies() {
  static auto* const strategies = [] {
    auto* made = new Factories("strategy");
    made->Add("evolution",
              {__FILE__, ffi::Function::FromTyped(
                             [](const SpaceFunctions& space, const CostModelFunctions& model,
                                int64_t seed) { return evolution(space, model, seed); })});
    made->Add("exhaustive",
              {__FILE__,
               ffi::Function::FromTyped([](const SpaceFunctions& space, const CostModelFunctions&,
                                           int64_t) { return exhaustive(space); })});
    return made;
  }();
  return *strategies;
}

void Register(Factories* factories, const ffi::String& name, ffi::Function factory,
              const ffi::String& place) {
  if (name.empty()) TVM_FFI_THROW(ValueError) << "the name must not be empty";
  factories->Add(name, {std::string(place), std::move(factory)});
}

}  // namespace

void register_cost_model(ffi::String name, ffi::Function factory, ffi::String place) {
  Register(&Models(), name, std::move(factory), place);
}

void register_strategy(ffi::String name, ffi::Function factory, ffi::String place) {
  Register(&Strategies(), name, std::move(factory), place);
}

CostModelFunctions make_cost_model(ffi::String name, int64_t seed) {
  const ffi::Function factory = Models().Get(name, "").function;
  return Part{"cost model", name}.Run(
      [&] { return Returned<CostModelFunctions>(factory(seed), "the factory", "a cost model"); });
}

SearchStrategyFunctions make_strategy(ffi::String name, SpaceFunctions space,
                                      CostModelFunctions model, int64_t seed) {
  const ffi::Function factory = Strategies().Get(name, "").function;
  return Part{"strategy", name}.Run([&] {
    return Returned<SearchStrategyFunctions>(factory(space, model, seed), "the factory",
                                             "a strategy");
  });
}

}  // namespace uir::tuning
