// Errors of passes, with the name of the pass and the underlined script.
#include "./pass_error.h"

#include <tschema/walk.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <uir/ir/module.h>
#include <uir/ir/node_error.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace uir::transform {

namespace {

/*! \brief The function of a module that contains a node; the module if none does. */
ffi::ObjectRef FunctionAround(const ir::IRModule& module, const ffi::ObjectRef& node) {
  for (const auto& [var, func] : module->functions) {
    const bool is_absent = tschema::Walk(func, [&](const ffi::Object* object) {
      return object == node.get() ? tschema::kInterrupt : tschema::kAdvance;
    });
    if (!is_absent) return func;
  }
  return node;
}

/*! \brief The script around a node, with the node underlined; empty without a printer. */
ffi::String Underlined(ffi::ObjectRef root, const ffi::ObjectRef& node,
                       const ffi::String& message) {
  const std::optional<ffi::Function> underline = ffi::Function::GetGlobal("uir.script.underline");
  if (!underline || !root.defined()) return "";
  try {
    if (const auto module = root.as<ir::IRModule>()) root = FunctionAround(*module, node);
    return (*underline)(root, ffi::Array<ffi::ObjectRef>({node}),
                        ffi::Array<ffi::String>({message}))
        .cast<ffi::String>();
  } catch (const std::exception&) {
    return "";  // Report the error of the pass rather than one of the printer.
  }
}

std::string Where(const ErrorPlace& place) {
  std::string where = std::string("in ") + place.noun + " `" + std::string(place.name) + "`";
  if (!place.function.empty()) where += ", function `" + std::string(place.function) + "`";
  return where;
}

/*! \brief The context of an error; the extra context of another library becomes its exception. */
ir::ErrorContext CarriedBy(const ffi::Error& error) {
  if (const std::optional<ir::ErrorContext> known = ir::ContextOf(error)) return *known;
  return ir::ErrorContext(std::nullopt, error.extra_context().value_or(ffi::ObjectRef()));
}

}  // namespace

void RethrowIn(const ErrorPlace& place, const ffi::Error& error) {
  // A callback stores no error if Python exceeds its recursion limit while saving an exception.
  if (!error.defined()) {
    throw ffi::Error("RecursionError", Where(place) + ": maximum recursion depth exceeded", "");
  }
  if (error.kind() == kRaisedElsewhere) throw error;
  const ir::ErrorContext known = CarriedBy(error);
  std::string message = Where(place) + ": " + error.message();
  ffi::String script = known->script;
  if (script.empty() && known->node.has_value()) {
    const std::string label = error.message().substr(0, error.message().find('\n'));
    script = Underlined(place.root, known->node.value(), label);
    if (!script.empty()) message += "\n" + std::string(script);
  }
  const bool is_first = known->pass_name.empty() && place.noun == std::string_view("pass");
  ir::ErrorContext context(known->node, known->exception, is_first ? place.name : known->pass_name,
                           std::move(script));
  throw ffi::Error(error.kind(), std::move(message), error.backtrace(), error.cause_chain(),
                   std::move(context));
}

void RethrowCurrentIn(const ErrorPlace& place) {
  try {
    throw;
  } catch (const ffi::Error& error) {
    RethrowIn(place, error);
  } catch (const std::bad_alloc& error) {
    RethrowIn(place, ffi::Error("MemoryError", error.what(), ""));
  } catch (const std::exception& error) {
    RethrowIn(place, ffi::Error("RuntimeError", error.what(), ""));
  } catch (...) {
    RethrowIn(place, ffi::Error("RuntimeError", "a C++ object that is not a std::exception", ""));
  }
}

}  // namespace uir::transform
