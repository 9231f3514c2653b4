// The instruments of a context, called in order.
#include "./instruments.h"

#include <uir/ir/type_name.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "./pass_error.h"

namespace uir::transform {

namespace {

/*! \brief Call a function of an instrument, if it has it, and add the instrument to errors. */
template <typename... Args>
ffi::Any Call(const PassInstrument& instrument, const ffi::Optional<ffi::Function>& function,
              const Args&... args) {
  if (!function.has_value()) return ffi::Any();
  return WithErrorsIn({"instrument", instrument->name, "", {}},
                      [&] { return function.value()(args...); });
}

/*! \brief Whether an instrument lets a pass run. */
bool Asks(const PassInstrument& instrument, const ir::IRModule& module, const PassInfo& info) {
  if (!instrument->on_should_run.has_value()) return true;
  return WithErrorsIn({"instrument", instrument->name, "", {}}, [&] {
    const ffi::Any answer = instrument->on_should_run.value()(module, info);
    if (std::optional<bool> should_run = answer.try_cast<bool>()) return *should_run;
    TVM_FFI_THROW(TypeError) << "`should_run` must return a bool, got `" << ir::TypeNameOf(answer)
                             << "`";
    TVM_FFI_UNREACHABLE();
  });
}

}  // namespace

void EnterInstruments(const PassContext& context) {
  const ffi::Array<PassInstrument> instruments = context->instruments;
  size_t entered = 0;
  try {
    for (; entered < instruments.size(); ++entered) {
      Call(instruments[entered], instruments[entered]->on_enter);
    }
  } catch (...) {
    for (size_t index = 0; index < entered; ++index) {
      try {
        Call(instruments[index], instruments[index]->on_exit);
      } catch (const std::exception&) {
        // Keep the first error.
      }
    }
    throw;
  }
}

void ExitInstruments(const PassContext& context) {
  std::optional<ffi::Error> first;
  for (const PassInstrument& instrument : ffi::Array<PassInstrument>(context->instruments)) {
    try {
      Call(instrument, instrument->on_exit);
    } catch (const ffi::Error& error) {
      if (!first) first = error;
    }
  }
  if (first) throw *std::move(first);
}

bool BeforePass(const PassContext& context, const ir::IRModule& module, const PassInfo& info) {
  const ffi::Array<PassInstrument> instruments = context->instruments;
  bool should_run = true;
  if (!HasName(context->required_pass, info->name)) {
    for (const PassInstrument& instrument : instruments) {
      should_run &= Asks(instrument, module, info);
    }
  }
  if (!should_run) return false;
  for (const PassInstrument& instrument : instruments) {
    Call(instrument, instrument->on_before, module, info);
  }
  return true;
}

void AfterPass(const PassContext& context, const ir::IRModule& module, const PassInfo& info) {
  for (const PassInstrument& instrument : ffi::Array<PassInstrument>(context->instruments)) {
    Call(instrument, instrument->on_after, module, info);
  }
}

bool HasName(const ffi::Array<ffi::String>& names, const ffi::String& name) {
  for (const ffi::String& one : names) {
    if (one == name) return true;
  }
  return false;
}

void count(ffi::String name, int64_t number) {
  for (const PassInstrument& instrument : current_pass_context()->instruments) {
    Call(instrument, instrument->on_count, name, number);
  }
}

}  // namespace uir::transform
