/*!
 * \file tschema/stack_guard.h
 * \brief Continues recursion on a new stack segment when the stack runs out (split stacks).
 *
 * \code
 *   void Visit(const Node* node) {
 *     if (!tschema::EnoughStack()) return tschema::RunOnNewStack([&] { Visit(node); });
 *     for (const Node* child : node->children) Visit(child);
 *   }
 * \endcode
 *
 * A segment is freed when its call returns; exceptions propagate across segments. Generated
 * functors check at each node, so that hand-written methods may recurse as deep as memory allows.
 */
#ifndef TSCHEMA_STACK_GUARD_H_
#define TSCHEMA_STACK_GUARD_H_

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace tschema {

namespace detail {

/*! \brief The part of a stack that calls may use before they switch to another one. */
struct StackRange {
  const char* low;
  size_t size;
};

/*! \brief The usable range of the thread's current stack; empty before the first check. */
extern __attribute__((tls_model("initial-exec"))) __thread StackRange stack_range;

/*! \brief Find the thread's own stack if necessary, and check again. */
bool IsWithinStack(const char* address) noexcept;

/*! \brief Call a function on a new segment; exceptions propagate. */
void CallOnNewStack(void (*function)(void*), void* argument);

}  // namespace detail

/*! \brief Whether a call may continue on this stack: at least 256 kB are left. */
inline bool EnoughStack() noexcept {
  const char* here = static_cast<const char*>(__builtin_frame_address(0));
  size_t above = static_cast<size_t>(here - detail::stack_range.low);
  return __builtin_expect(above < detail::stack_range.size, 1) || detail::IsWithinStack(here);
}

/*!
 * \brief Call a function on a new stack segment.
 * \return Its result; exceptions propagate.
 * \throws std::bad_alloc if there is no memory for a segment.
 */
template <typename Callable>
[[gnu::noinline]] std::invoke_result_t<Callable&> RunOnNewStack(Callable&& callable) {
  using Result = std::invoke_result_t<Callable&>;
  using Function = std::remove_reference_t<Callable>;
  if constexpr (std::is_void_v<Result>) {
    detail::CallOnNewStack([](void* argument) { (*static_cast<Function*>(argument))(); },
                           &callable);
  } else if constexpr (std::is_reference_v<Result>) {
    auto run = [&callable] { return &callable(); };
    return *RunOnNewStack(run);
  } else {
    std::optional<Result> result;
    auto run = [&] { result.emplace(callable()); };
    RunOnNewStack(run);
    return *std::move(result);
  }
}

}  // namespace tschema

#endif  // TSCHEMA_STACK_GUARD_H_
