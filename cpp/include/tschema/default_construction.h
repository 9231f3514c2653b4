/*!
 * \file tschema/default_construction.h
 * \brief Constructors of classes that C++ makes without arguments and then fills in.
 *
 * A member whose argument is left out keeps the value of its initializer.
 */
#ifndef TSCHEMA_DEFAULT_CONSTRUCTION_H_
#define TSCHEMA_DEFAULT_CONSTRUCTION_H_

#include <tschema/access.h>
#include <tschema/callable.h>
#include <tschema/hooks.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace tschema {

namespace detail {

template <typename Owner, typename Type>
Type TypeOfMember(Type Owner::*);

template <auto kMember>
using MemberType = decltype(TypeOfMember(kMember));

/*! \brief A class whose constructor only subclasses can call. */
template <typename Node>
struct Constructible : Node {};

/*! \brief The value of a member's initializer, from a temporary object. */
template <typename Node, auto kMember>
ffi::Any InitialValue() {
  std::conditional_t<std::is_default_constructible_v<Node>, Node, Constructible<Node>> node;
  TVMFFIAny value;
  TVM_FFI_CHECK_SAFE_CALL(kAccess<MemberType<kMember>>.getter(&(node.*kMember), &value));
  return ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&value);
}

template <typename Node, typename... Members, std::size_t... kIndex>
ffi::Any Fill(const Arguments& arguments, std::index_sequence<kIndex...>) {
  ffi::ObjectPtr<Node> node = ffi::make_object<Node>();
  (Members::Set(node.get(), arguments, kIndex), ...);
  if constexpr (HasPostInit<Node>::value) node->PostInit();
  return ffi::Any(ffi::ObjectRef(std::move(node)));
}

}  // namespace detail

/*! \brief A member that takes an argument of its type. */
template <auto kMember>
struct Member {
  template <typename Node>
  static void Set(Node* node, const Arguments& arguments, int32_t index) {
    node->*kMember = arguments.Get<detail::MemberType<kMember>>(index);
  }
};

/*! \brief A member whose reference is null until it is filled in; None leaves it null. */
template <auto kMember>
struct NullableMember {
  template <typename Node>
  static void Set(Node* node, const Arguments& arguments, int32_t index) {
    using Type = detail::MemberType<kMember>;
    ffi::Optional<Type> value = arguments.Get<ffi::Optional<Type>>(index);
    if (value.has_value()) node->*kMember = *std::move(value);
  }
};

/*! \brief Construct a `Node` without arguments, and fill in its members. */
template <typename Node, typename... Members>
ffi::Any Fill(const Arguments& arguments) {
  return detail::Fill<Node, Members...>(arguments, std::index_sequence_for<Members...>{});
}

/*! \brief The default of an argument: the value of the member's initializer. */
template <typename Node, auto kMember>
ffi::Any Initializer() {
  return detail::InitialValue<Node, kMember>();
}

/*! \brief A function that makes this default when it is needed, not when a library loads. */
template <typename Node, auto kMember>
ffi::Any InitializerFactory() {
  return ffi::Function::FromTyped(&detail::InitialValue<Node, kMember>);
}

}  // namespace tschema

#endif  // TSCHEMA_DEFAULT_CONSTRUCTION_H_
