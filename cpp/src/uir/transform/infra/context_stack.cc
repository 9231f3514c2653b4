// The nested contexts of a thread.
#include <tvm/ffi/error.h>
#include <uir/transform/pass.h>

#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "./instruments.h"
#include "./options.h"

namespace uir::transform {

namespace {

class ContextStack {
 public:
  PassContext bottom;
  std::vector<PassContext> entered;

  static ContextStack& OfThread() {
    thread_local ContextStack stack;
    return stack;
  }

  ContextStack() = default;
  ContextStack(const ContextStack&) = delete;
  ContextStack& operator=(const ContextStack&) = delete;

  /*!
   * \brief Release only contexts without instruments and options. When the process ends, Python
   * has shut down already, and its functions can no longer be destroyed.
   */
  ~ContextStack() {
    if (!bottom->instruments.empty() || !bottom->config.empty()) Keep({bottom});
    if (!entered.empty()) Keep(std::move(entered));
  }

 private:
  static void Keep(std::vector<PassContext> contexts) {
    // Never destroyed, but reachable, so that leak checkers report nothing.
    static std::mutex mutex;
    static auto* const kept = new std::vector<PassContext>();
    const std::lock_guard<std::mutex> lock(mutex);
    for (PassContext& context : contexts) kept->push_back(std::move(context));
  }
};

}  // namespace

void enter_pass_context(PassContext context) {
  // The options may have changed since the context was made, so they are checked again. An
  // unchanged context is not written to, because threads may share it.
  const ffi::Map<ffi::String, ffi::Any> config = CheckedConfig(context->config);
  if (!config.same_as(context->config)) {
    const_cast<PassContextNode*>(context.get())->config = config;
  }
  EnterInstruments(context);
  ContextStack::OfThread().entered.push_back(std::move(context));
}

void exit_pass_context(PassContext context) {
  std::vector<PassContext>& entered = ContextStack::OfThread().entered;
  if (entered.empty() || !entered.back().same_as(context)) {
    TVM_FFI_THROW(ValueError) << "PassContext: the context to leave is not the current one";
  }
  entered.pop_back();
  ExitInstruments(context);
}

PassContext current_pass_context() {
  const ContextStack& stack = ContextStack::OfThread();
  return stack.entered.empty() ? stack.bottom : stack.entered.back();
}

PassContext CurrentPassContext() { return current_pass_context(); }

PassContextScope::PassContextScope(PassContext context)
    : context_(std::move(context)), exceptions_(std::uncaught_exceptions()) {
  enter_pass_context(context_);
}

PassContextScope::~PassContextScope() noexcept(false) {
  try {
    exit_pass_context(context_);
  } catch (...) {
    if (std::uncaught_exceptions() == exceptions_) throw;
  }
}

}  // namespace uir::transform
