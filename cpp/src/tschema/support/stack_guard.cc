/*!
 * \file stack_guard.cc
 * \brief Stack segments: their allocation, and switching to and from them.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <tschema/stack_guard.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <exception>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace tschema {
namespace detail {

__attribute__((tls_model("initial-exec"))) __thread StackRange stack_range;

namespace {

/*! \brief Reserved for the calls between two checks, in bytes. */
constexpr size_t kReserve = size_t{256} << 10;
/*! \brief Size of a segment in bytes; only touched pages take memory. */
constexpr size_t kSegmentSize = size_t{4} << 20;

StackRange UsableRange(char* low, size_t size) {
  if (size <= kReserve) return {low, 0};
  return {low + kReserve, size - kReserve};
}

/*! \brief The range of the stack that the thread was started with; empty if it is not found. */
StackRange FindThreadStack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {nullptr, 0};
  void* low = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return UsableRange(static_cast<char*>(low), size);
}

/*! \brief Memory for a stack, above a guard page. */
class Segment {
 public:
  Segment() : guard_size_(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    void* memory = mmap(nullptr, guard_size_ + kSegmentSize, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<char*>(memory);
    mprotect(memory_, guard_size_, PROT_NONE);
  }
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;
  ~Segment() { munmap(memory_, guard_size_ + kSegmentSize); }

  char* low() const { return memory_ + guard_size_; }

 private:
  size_t guard_size_;
  char* memory_;
};

/*! \brief A cached segment, because a loop may cross the end of a stack repeatedly. */
struct SpareSegment {
  ~SpareSegment() { delete segment; }
  Segment* segment = nullptr;
};
thread_local SpareSegment spare;

Segment* TakeSegment() {
  Segment* kept = spare.segment;
  spare.segment = nullptr;
  return kept != nullptr ? kept : new Segment();
}

void GiveSegment(Segment* segment) {
  if (spare.segment == nullptr) {
    spare.segment = segment;
  } else {
    delete segment;
  }
}

/*! \brief Announces a switch of stacks to the sanitizers. */
class Fibers {
 public:
#if defined(__SANITIZE_ADDRESS__)
  void Leave(const Segment& to) {
    __sanitizer_start_switch_fiber(&old_fake_stack_, to.low(), kSegmentSize);
  }
  void Arrive() { __sanitizer_finish_switch_fiber(nullptr, &old_low_, &old_size_); }
  void LeaveBack() { __sanitizer_start_switch_fiber(nullptr, old_low_, old_size_); }
  void ArriveBack() { __sanitizer_finish_switch_fiber(old_fake_stack_, nullptr, nullptr); }

 private:
  void* old_fake_stack_ = nullptr;
  const void* old_low_ = nullptr;
  size_t old_size_ = 0;
#elif defined(__SANITIZE_THREAD__)
  void Leave(const Segment&) {
    old_fiber_ = __tsan_get_current_fiber();
    new_fiber_ = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(new_fiber_, 0);
  }
  void Arrive() {}
  void LeaveBack() { __tsan_switch_to_fiber(old_fiber_, 0); }
  void ArriveBack() { __tsan_destroy_fiber(new_fiber_); }

 private:
  void* old_fiber_ = nullptr;
  void* new_fiber_ = nullptr;
#else
  void Leave(const Segment&) {}
  void Arrive() {}
  void LeaveBack() {}
  void ArriveBack() {}
#endif
};

/*! \brief An active call on a segment. */
struct Call {
  void (*function)(void*);
  void* argument;
  ucontext_t caller;
  std::exception_ptr error;
  Fibers fibers;
};

/*! \brief The first function of a segment; it never returns. */
void Enter(unsigned high, unsigned low) {
  auto* call = reinterpret_cast<Call*>((uint64_t{high} << 32) | low);
  call->fibers.Arrive();
  try {
    call->function(call->argument);
  } catch (...) {
    // No exception may unwind out of the segment: there is no frame below this one.
    call->error = std::current_exception();
  }
  call->fibers.LeaveBack();
  setcontext(&call->caller);
}

/*! \brief A context that begins a call. */
[[gnu::noinline]] void MakeContext(const Segment& segment, Call* call, ucontext_t* context) {
  getcontext(context);
  context->uc_stack.ss_sp = segment.low();
  context->uc_stack.ss_size = kSegmentSize;
  context->uc_link = nullptr;
  auto address = reinterpret_cast<uint64_t>(call);
  makecontext(context, reinterpret_cast<void (*)()>(&Enter), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
}

}  // namespace

bool IsWithinStack(const char* address) noexcept {
  if (stack_range.low != nullptr) return false;  // Near its end, or on a stack of others.
  stack_range = FindThreadStack();
  return static_cast<size_t>(address - stack_range.low) < stack_range.size;
}

void CallOnNewStack(void (*function)(void*), void* argument) {
  Segment* segment = TakeSegment();
  Call call{function, argument, {}, nullptr, {}};
  ucontext_t callee;
  MakeContext(*segment, &call, &callee);
  StackRange old_range = stack_range;
  stack_range = UsableRange(segment->low(), kSegmentSize);
  call.fibers.Leave(*segment);
  swapcontext(&call.caller, &callee);
  call.fibers.ArriveBack();
  stack_range = old_range;
  GiveSegment(segment);
  if (call.error) std::rethrow_exception(std::move(call.error));
}

}  // namespace detail
}  // namespace tschema
