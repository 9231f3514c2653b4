/*!
 * \file segfault_timeout.cc
 * \brief A time limit for the report that tvm-ffi prints when a program faults.
 *
 * libtvm_ffi handles SIGSEGV when it is loaded: it prints a backtrace, for which it allocates. If
 * the fault came from within `malloc`, as it does after a store has damaged the heap, the thread
 * then waits for a lock that it holds itself, and the process never ends. This handler starts a
 * clock before it calls that of tvm-ffi. Handlers of others, installed before or later, stay.
 */
#include <dlfcn.h>
#include <signal.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

#include <string_view>

namespace tschema {

namespace {

/*! \brief How long the report may take, in seconds. */
constexpr unsigned kLimit = 3;

using Handler = void (*)(int);

/*! \brief The handler of tvm-ffi; set before this library's own is installed. */
Handler report_fault = nullptr;

// The handlers only call async-signal-safe functions.

/*! \brief End the process as SIGSEGV does without a handler: with its status, and a core file. */
extern "C" void TschemaEndFaultedProcess(int) {
  constexpr std::string_view kMessage =
      "tschema: the report of a segmentation fault took too long, so that the process ends here\n";
  const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  static_cast<void>(written);
  signal(SIGSEGV, SIG_DFL);
  sigset_t fault;
  sigemptyset(&fault);
  sigaddset(&fault, SIGSEGV);
  pthread_sigmask(SIG_UNBLOCK, &fault, nullptr);
  raise(SIGSEGV);
}

extern "C" void TschemaOnFault(int signal_number) {
  struct sigaction action = {};
  action.sa_handler = TschemaEndFaultedProcess;
  sigaction(SIGALRM, &action, nullptr);
  sigset_t clock;
  sigemptyset(&clock);
  sigaddset(&clock, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &clock, nullptr);
  alarm(kLimit);
  report_fault(signal_number);
}

/*! \brief Whether a function is one of libtvm_ffi. */
bool IsOfTvmFfi(Handler function) {
  Dl_info found;
  Dl_info known;
  return dladdr(reinterpret_cast<void*>(function), &found) != 0 &&
         dladdr(reinterpret_cast<void*>(&TVMFFIGetVersion), &known) != 0 &&
         found.dli_fbase == known.dli_fbase;
}

/*! \brief Put the clock before the handler of tvm-ffi, if that is the current one. */
bool LimitReports() {
  struct sigaction current = {};
  if (sigaction(SIGSEGV, nullptr, &current) != 0) return false;
  const bool is_plain = (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler != SIG_DFL &&
                        current.sa_handler != SIG_IGN;
  if (!is_plain || !IsOfTvmFfi(current.sa_handler)) return false;
  report_fault = current.sa_handler;
  current.sa_handler = TschemaOnFault;
  return sigaction(SIGSEGV, &current, nullptr) == 0;
}

[[maybe_unused]] const bool has_limit = LimitReports();

}  // namespace

}  // namespace tschema
