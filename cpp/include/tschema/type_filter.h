/*!
 * \file tschema/type_filter.h
 * \brief The type filter of a callback, from its parameter type.
 */
#ifndef TSCHEMA_TYPE_FILTER_H_
#define TSCHEMA_TYPE_FILTER_H_

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>

#include <cstdint>
#include <tuple>
#include <type_traits>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief A class and its subclasses, as a range of type indices. */
struct TypeFilter {
  int32_t begin = 0;
  uint32_t count = INT32_MAX;
  /*! \brief Depth of the class if types outside the range can be subtypes, else -1. */
  int32_t depth = -1;

  bool Matches(int32_t type_index) const {
    if (static_cast<uint32_t>(type_index - begin) < count) return true;
    return depth >= 0 && type_index > begin && IsBelow(type_index);
  }

  /*! \brief The filter that lets instances of `Node` through. */
  template <typename Node>
  static TypeFilter Of() {
    if constexpr (std::is_same_v<std::remove_cv_t<Node>, ffi::Object>) {
      return {};
    } else if constexpr (Node::_type_final) {
      return {Node::RuntimeTypeIndex(), 1, -1};
    } else {
      return {Node::RuntimeTypeIndex(), Node::_type_child_slots + 1,
              Node::_type_child_slots_can_overflow ? Node::_type_depth : -1};
    }
  }

 private:
  bool IsBelow(int32_t type_index) const {
    const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
    return info->type_depth > depth && info->type_ancestors[depth]->type_index == begin;
  }
};

namespace detail {

/*! \brief The first parameter of a callback, without references and qualifiers. */
template <typename F>
using CallbackParameter =
    std::decay_t<std::tuple_element_t<0, typename ffi::detail::FunctionInfo<F>::ArgType>>;

/*!
 * \brief Converts an object to the `Parameter` of a callback: a pointer to a node, a reference
 * class, or any value.
 */
template <typename Parameter>
struct CallbackArgument {
  static_assert(std::is_base_of_v<ffi::ObjectRef, Parameter>,
                "a callback takes a pointer to a node, a reference or an AnyView");
  using Node = typename Parameter::ContainerType;
  static Parameter Make(const ffi::Object* object) {
    return ffi::GetRef<Parameter>(static_cast<const Node*>(object));
  }
};

template <typename T>
struct CallbackArgument<const T*> {
  using Node = T;
  static const T* Make(const ffi::Object* object) { return static_cast<const T*>(object); }
};

template <>
struct CallbackArgument<ffi::AnyView> {
  using Node = ffi::Object;
  static ffi::AnyView Make(const ffi::Object* object) { return ffi::AnyView(object); }
};

}  // namespace detail
}  // namespace tschema

#endif  // TSCHEMA_TYPE_FILTER_H_
