/*!
 * \file threads_at_exit.cc
 * \brief Daemon threads of Python that are in a call while the interpreter exits.
 *
 * Before 3.14, Python ends such a thread where it asks for the interpreter's lock: it unwinds the
 * stack. On that stack are frames of tvm-ffi that must not be unwound, which calls
 * `std::terminate`, and the process aborts instead of exiting with its status. The thread waits
 * for the end of the process instead, as it does from Python 3.14 on.
 */
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>

namespace tschema {

namespace {

/*! \brief The handler that was installed before this library was loaded. */
std::terminate_handler terminate_otherwise = nullptr;

/*! \brief Whether this is a process of Python whose interpreter is about to end. */
bool IsPythonExiting() {
  for (const char* name : {"Py_IsFinalizing", "_Py_IsFinalizing"}) {
    void* function = dlsym(RTLD_DEFAULT, name);
    if (function != nullptr) return reinterpret_cast<int (*)()>(function)() != 0;
  }
  return false;
}

[[noreturn]] void WaitOrTerminate() {
  // A stack that is unwound to end its thread has no exception.
  while (std::current_exception() == nullptr && IsPythonExiting()) pause();
  if (terminate_otherwise != nullptr) terminate_otherwise();
  std::abort();
}

[[maybe_unused]] const bool is_installed = [] {
  terminate_otherwise = std::set_terminate(WaitOrTerminate);
  return true;
}();

}  // namespace

}  // namespace tschema
