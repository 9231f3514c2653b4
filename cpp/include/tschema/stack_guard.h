/*!
 * \file tschema/stack_guard.h
 * \brief Lets recursion go on where the stack ends: on a segment of fresh memory.
 *
 * \code
 *   void Visit(const Node* node) {
 *     if (!tschema::EnoughStack()) return tschema::RunOnNewStack([&] { Visit(node); });
 *     for (const Node* child : node->children) Visit(child);
 *   }
 * \endcode
 *
 * Segments are given back when their call returns; exceptions cross them.  Generated functors
 * check at each node, so that methods that people write keep their order and may recurse as deep
 * as memory allows.
 */
#ifndef TSCHEMA_STACK_GUARD_H_
#define TSCHEMA_STACK_GUARD_H_

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace tschema {

namespace detail {

/*! \brief The part of a stack that calls may use before they go on elsewhere. */
struct StackRange {
  const char* low;
  size_t size;
};

/*! \brief Of the thread's present stack; empty before the first question. */
extern __attribute__((tls_model("initial-exec"))) __thread StackRange stack_range;

/*! \brief Find the thread's own stack, if that has not been done, and ask again. */
bool IsWithinStack(const char* address) noexcept;

/*! \brief Call a function on a segment of its own; what it throws is thrown. */
void CallOnNewStack(void (*function)(void*), void* argument);

}  // namespace detail

/*! \brief Whether a call may go on with this stack: a reserve of 256 kB is left to it. */
inline bool EnoughStack() noexcept {
  const char* here = static_cast<const char*>(__builtin_frame_address(0));
  size_t above = static_cast<size_t>(here - detail::stack_range.low);
  return __builtin_expect(above < detail::stack_range.size, 1) || detail::IsWithinStack(here);
}

/*!
 * \brief Call something on a new segment of stack.
 * \return What it returns; what it throws is thrown.
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
