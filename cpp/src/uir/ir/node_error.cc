// Errors with the node at fault.
#include <tvm/ffi/memory.h>
#include <uir/ir/node_error.h>

#include <utility>

namespace uir::ir {

namespace {

/*! \brief The backtrace, in the format of `TVM_FFI_THROW`. */
std::string Backtrace() {
  const TVMFFIByteArray* frames = TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0);
  return std::string(frames->data, frames->size);
}

}  // namespace

void ThrowAt(const ffi::Object* node, const char* kind, std::string message) {
  ThrowAt(node == nullptr ? ffi::ObjectRef() : ffi::AnyView(node).cast<ffi::ObjectRef>(), kind,
          std::move(message));
}

void ThrowAt(const ffi::ObjectRef& node, const char* kind, std::string message) {
  ffi::Optional<ffi::ObjectRef> at_fault;
  if (node.defined()) at_fault = node;
  throw ffi::Error(kind, std::move(message), Backtrace(), std::nullopt,
                   ErrorContext(std::move(at_fault)));
}

std::optional<ErrorContext> ContextOf(const ffi::Error& error) {
  const std::optional<ffi::ObjectRef> context = error.extra_context();
  if (!context) return std::nullopt;
  return context->as<ErrorContext>();
}

ffi::Any make_error(ffi::String kind, ffi::String message, ffi::String backtrace,
                    ErrorContext context) {
  return ffi::Error(kind, message, backtrace, std::nullopt, std::move(context));
}

}  // namespace uir::ir
