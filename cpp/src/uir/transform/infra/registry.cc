// The registry of passes.
#include <uir/transform/pass_registry.h>

#include <string>
#include <utility>
#include <vector>

#include "./pass_error.h"
#include "./registered.h"

namespace uir::transform {

namespace {

struct Factory {
  std::string place;
  ffi::Optional<ffi::Function> function;
  /*! \brief Makes the factory of a pass, because a static initializer makes no object. */
  ffi::Function (*provider)() = nullptr;
  /*! \brief The global name of a declared function that makes the pass. */
  const char* global_name = nullptr;

  ffi::Function Get() const {
    if (function.has_value()) return function.value();
    return provider != nullptr ? provider() : ffi::Function::GetGlobalRequired(global_name);
  }
};

Registered<Factory>& Passes() {
  static auto* const passes = new Registered<Factory>("pass");
  return *passes;
}

}  // namespace

void AddPassProvider(const PassProvider& provider) noexcept {
  Passes().AddLate(provider.name,
                   {PlaceOf(provider.file, provider.line), std::nullopt, provider.factory});
}

void AddPasses(tschema::Rows<PassRow> passes, const char* place) noexcept {
  for (const PassRow& pass : passes) {
    Passes().AddLate(pass.name, {place, std::nullopt, nullptr, pass.function});
  }
}

void register_pass(ffi::String name, ffi::Function factory, ffi::String place) {
  if (name.empty()) TVM_FFI_THROW(ValueError) << "the name of a pass must not be empty";
  Passes().Add(name, {std::string(place), std::move(factory)});
}

Pass make_pass(ffi::String name, ffi::Array<ffi::Any> arguments) {
  const ffi::Function factory = Passes().Get(name, "").Get();
  // One more than the arguments, so that the pointer is never null: functions in Rust reject that.
  std::vector<ffi::AnyView> views(arguments.begin(), arguments.end());
  views.emplace_back();
  ffi::Any made;
  factory.CallPacked(views.data(), static_cast<int32_t>(arguments.size()), &made);
  const std::string what = "the function registered as pass `" + std::string(name) + "`";
  return CheckedResult<Pass>(made, what.c_str());
}

ffi::Array<ffi::String> list_pass_names() {
  ffi::Array<ffi::String> names;
  for (const auto& [name, factory] : Passes().All()) names.push_back(name);
  return names;
}

}  // namespace uir::transform
