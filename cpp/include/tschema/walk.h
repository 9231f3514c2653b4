/*!
 * \file tschema/walk.h
 * \brief Traverses the objects reachable from a value, on a stack of constant depth.
 *
 * \code
 *   int num_loads = 0;
 *   tschema::Walk(body, [&](const tir::BufferLoadNode*) { ++num_loads; });
 * \endcode
 *
 * Objects are nodes and containers; strings and plain values are not visited. Like tvm-ffi's walk,
 * it skips fields that structural equality ignores and the keys of maps. Unlike tvm-ffi's, it
 * visits a shared object once by default, so that time is linear in the objects of a graph and not
 * in its paths.
 */
#ifndef TSCHEMA_WALK_H_
#define TSCHEMA_WALK_H_

#include <tschema/type_filter.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace tschema {

/*! \brief The next step of a walk. */
enum class WalkAction : uint8_t {
  kAdvance = 0,
  /*! \brief Skip the children of the object; no effect in post-order. */
  kSkip = 1,
  /*! \brief End the walk. */
  kInterrupt = 2,
};

inline constexpr WalkAction kAdvance = WalkAction::kAdvance;
inline constexpr WalkAction kSkip = WalkAction::kSkip;
inline constexpr WalkAction kInterrupt = WalkAction::kInterrupt;

/*! \brief Whether an object is visited before or after its children. */
enum class WalkOrder : uint8_t { kPreOrder = 0, kPostOrder = 1 };

/*! \brief How often a walk visits a shared object. */
enum class WalkSharing : uint8_t {
  kOnce = 0,
  /*! \brief Once for every path to it, like tvm-ffi's walk; does not terminate on a cycle. */
  kEveryPath = 1,
};

struct WalkOptions {
  WalkOrder order = WalkOrder::kPreOrder;
  WalkSharing sharing = WalkSharing::kOnce;

  constexpr WalkOptions() = default;
  // NOLINTNEXTLINE(google-explicit-constructor,runtime/explicit)
  constexpr WalkOptions(WalkOrder order_, WalkSharing sharing_ = WalkSharing::kOnce)
      : order(order_), sharing(sharing_) {}
};

namespace detail {

/*! \brief A callback, its type erased. */
struct WalkCallback {
  WalkAction (*call)(void* context, const ffi::Object* object);
  void* context;
  TypeFilter filter;
};

/*! \return Whether the walk completed. */
bool RunWalk(ffi::AnyView root, const WalkCallback& callback, WalkOptions options);

/*! \brief The part of a walk that depends on the callback. */
template <typename F>
struct Walker {
  using Argument = CallbackArgument<CallbackParameter<F>>;
  using Result = decltype(std::declval<F&>()(Argument::Make(nullptr)));

  F& callback;
  /*! \brief The result of a searching callback. */
  std::conditional_t<std::is_void_v<Result> || std::is_same_v<Result, WalkAction>, bool, Result>
      found{};

  static WalkAction Call(void* context, const ffi::Object* object) {
    auto* self = static_cast<Walker*>(context);
    if constexpr (std::is_void_v<Result>) {
      self->callback(Argument::Make(object));
      return kAdvance;
    } else if constexpr (std::is_same_v<Result, WalkAction>) {
      return self->callback(Argument::Make(object));
    } else {
      self->found = self->callback(Argument::Make(object));
      return self->found.has_value() ? kInterrupt : kAdvance;
    }
  }

  bool Run(ffi::AnyView root, WalkOptions options) {
    TypeFilter filter = TypeFilter::Of<typename Argument::Node>();
    return RunWalk(root, {&Call, this, filter}, options);
  }
};

}  // namespace detail

/*!
 * \brief Call a function for a value and each object reachable from it.
 *
 * \param root Any value.
 * \param callback Takes a pointer to a node (`const VarNode*`), a reference (`const Var&`) or
 *        an `AnyView`, and is called for the objects of that type.  It returns nothing, a
 *        `WalkAction`, or an optional result, the first of which ends the walk.
 * \return Nothing, whether the walk completed, or the result, depending on the callback's type.
 * \throws Any error of the callback.
 */
template <typename F>
auto Walk(ffi::AnyView root, F&& callback, WalkOptions options = {}) {
  using Walker = detail::Walker<std::remove_reference_t<F>>;
  Walker walker{callback};
  bool is_complete = walker.Run(root, options);
  if constexpr (std::is_void_v<typename Walker::Result>) {
    return;
  } else if constexpr (std::is_same_v<typename Walker::Result, WalkAction>) {
    return is_complete;
  } else {
    return std::move(walker.found);
  }
}

}  // namespace tschema

#endif  // TSCHEMA_WALK_H_
