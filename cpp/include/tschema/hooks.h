/*!
 * \file tschema/hooks.h
 * \brief Finds the hand-written methods of a class that engines call.
 */
#ifndef TSCHEMA_HOOKS_H_
#define TSCHEMA_HOOKS_H_

#include <tschema/structural.h>
#include <tschema/type_info.h>
#include <tvm/ffi/object.h>

#include <type_traits>
#include <utility>

namespace tschema {

namespace detail {

// A class has its own method if the member pointer has exactly the class's signature; an inherited
// one takes the parent.

template <typename Node, typename = void>
struct HasSEqualReduce : std::false_type {};
template <typename Node>
struct HasSEqualReduce<Node, std::void_t<decltype(&Node::SEqualReduce)>>
    : std::is_same<decltype(&Node::SEqualReduce),
                   bool (Node::*)(const Node*, SEqualReducer) const> {};

template <typename Node, typename = void>
struct HasSHashReduce : std::false_type {};
template <typename Node>
struct HasSHashReduce<Node, std::void_t<decltype(&Node::SHashReduce)>>
    : std::is_same<decltype(&Node::SHashReduce), void (Node::*)(SHashReducer) const> {};

template <typename Node, typename = void>
struct HasVisitAttrs : std::false_type {};
template <typename Node>
struct HasVisitAttrs<Node, std::void_t<decltype(&Node::VisitAttrs)>>
    : std::is_same<decltype(&Node::VisitAttrs), void (Node::*)(AttrVisitor*)> {};

template <typename Node, typename = void>
struct HasPostInit : std::false_type {};
template <typename Node>
struct HasPostInit<Node, std::void_t<decltype(std::declval<Node&>().PostInit())>> : std::true_type {
};

template <typename Node>
bool CallSEqualReduce(const ffi::Object* self, const ffi::Object* other, SEqualReducer equal) {
  return static_cast<const Node*>(self)->SEqualReduce(static_cast<const Node*>(other), equal);
}

template <typename Node>
void CallSHashReduce(const ffi::Object* self, SHashReducer hash_reduce) {
  static_cast<const Node*>(self)->SHashReduce(hash_reduce);
}

template <typename Node>
void CallVisitAttrs(ffi::Object* self, AttrVisitor* visitor) {
  static_cast<Node*>(self)->VisitAttrs(visitor);
}

template <typename Node>
void CallPostInit(ffi::Object* self) {
  static_cast<Node*>(self)->PostInit();
}

/*! \brief The hooks of a class; `kCustom` is the set of defaults that it turned off. */
template <typename Node, unsigned kCustom>
constexpr TypeHooks HooksOf() {
  TypeHooks hooks;
  hooks.custom = kCustom;
  if constexpr ((kCustom & kCustomVisitAttrs) != 0 && HasVisitAttrs<Node>::value) {
    hooks.visit = &CallVisitAttrs<Node>;
  }
  if constexpr ((kCustom & kCustomSEqualReduce) != 0 && HasSEqualReduce<Node>::value) {
    hooks.equal = &CallSEqualReduce<Node>;
  }
  if constexpr ((kCustom & kCustomSHashReduce) != 0 && HasSHashReduce<Node>::value) {
    hooks.hash = &CallSHashReduce<Node>;
  }
  if constexpr (HasPostInit<Node>::value) hooks.post_init = &CallPostInit<Node>;
  return hooks;
}

}  // namespace detail
}  // namespace tschema

#endif  // TSCHEMA_HOOKS_H_
