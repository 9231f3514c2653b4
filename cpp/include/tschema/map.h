/*!
 * \file tschema/map.h
 * \brief Rewrites a value bottom-up, on a stack of constant depth.
 *
 * \code
 *   body = tschema::Map(std::move(body), [&](const tir::VarNode* var) -> Optional<PrimExpr> {
 *     return var == old_var ? new_value : Optional<PrimExpr>(std::nullopt);
 *   });
 * \endcode
 *
 * The callback is called for each node and container after its children. Unchanged objects keep
 * their identity. A node with a changed child is copied, unless the root was moved in and the node
 * and all objects above it have one reference: then it is written in place. A shared object is
 * never written in place and is mapped once, so that it stays shared. `PostInit` runs on each
 * changed node before other code sees it.
 *
 * As in tvm-ffi's map, fields that structural equality ignores and keys of maps are not mapped.
 */
#ifndef TSCHEMA_MAP_H_
#define TSCHEMA_MAP_H_

#include <tschema/type_filter.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>

#include <optional>
#include <type_traits>
#include <utility>

namespace tschema {

namespace detail {

/*! \brief A callback, its type erased. */
struct MapCallback {
  /*! \return Whether it has set `replacement`. */
  bool (*call)(void* context, const ffi::Object* object, ffi::Any* replacement);
  void* context;
  TypeFilter filter;
};

ffi::Any RunMap(ffi::Any root, const MapCallback& callback);

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <typename T>
inline constexpr bool kIsOptional<ffi::Optional<T>> = true;

/*! \brief The part of a map that depends on the callback. */
template <typename F>
struct Mapper {
  using Argument = CallbackArgument<CallbackParameter<F>>;

  static bool Call(void* context, const ffi::Object* object, ffi::Any* replacement) {
    auto result = (*static_cast<F*>(context))(Argument::Make(object));
    if constexpr (kIsOptional<decltype(result)>) {
      if (!result.has_value()) return false;
      *replacement = *std::move(result);
    } else {
      *replacement = std::move(result);
    }
    return true;
  }

  static ffi::Any Run(ffi::Any root, F& callback) {
    void* context = const_cast<std::remove_const_t<F>*>(&callback);
    TypeFilter filter = TypeFilter::Of<typename Argument::Node>();
    return RunMap(std::move(root), {&Call, context, filter});
  }
};

}  // namespace detail

/*!
 * \brief Rewrite a value.
 *
 * \param root A reference or an `Any`; moved in, it may be written in place.
 * \param callback Takes a pointer to a node (`const VarNode*`), a reference (`const Var&`) or
 *        an `AnyView`, and is called for the objects of that type.  It returns the replacement, or
 *        an optional that is empty to keep the object.
 * \return The new value, of the root's type.
 * \throws TypeError if a field does not accept a replacement; ValueError if the value has a cycle;
 * any error of the callback or of a `PostInit`.
 */
template <typename T, typename F>
T Map(T root, F&& callback) {
  using Mapper = detail::Mapper<std::remove_reference_t<F>>;
  ffi::Any result = Mapper::Run(ffi::Any(std::move(root)), callback);
  if constexpr (std::is_same_v<T, ffi::Any>) {
    return result;
  } else {
    return std::move(result).template cast<T>();
  }
}

}  // namespace tschema

#endif  // TSCHEMA_MAP_H_
