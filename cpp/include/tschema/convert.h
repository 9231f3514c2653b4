/*!
 * \file tschema/convert.h
 * \brief Conversion of FFI values to C++ types, with errors that name the argument.
 *
 * In: an FFI value and its location. Out: a C++ value, or a TypeError or ValueError. Independent of
 * nodes and registration.
 */
#ifndef TSCHEMA_CONVERT_H_
#define TSCHEMA_CONVERT_H_

#include <tschema/value_check.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/optional.h>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace tschema {

namespace detail {

/*! \brief Whether `T` is an Optional of an integer or enum with its own check. */
template <typename T>
struct IsCheckedOptional : std::false_type {};
template <typename T>
struct IsCheckedOptional<ffi::Optional<T>>
    : std::bool_constant<kIsCheckedInt<T> || std::is_enum_v<T>> {
  using type = T;
};

/*! \brief Whether a value can become a `T`. */
template <typename T>
bool IsConvertible(const void*, ffi::AnyView value) {
  if constexpr (std::is_same_v<T, ffi::Any>) {
    return true;
  } else {
    return value.try_cast<T>().has_value();
  }
}

/*! \brief The checks of the parts of a container of type `T`; none for other types. */
template <typename T>
struct Parts {
  // Separate from `takes`: under UBSan, GCC does not compare function addresses at compile time.
  static constexpr bool kAny = false;
  static constexpr PartCheck kKey = {};
  static constexpr PartCheck kValue = {};
};
template <typename T>
struct Parts<ffi::Optional<T>> : Parts<T> {};
template <typename T>
struct Parts<ffi::Array<T>> {
  static constexpr bool kAny = true;
  static constexpr PartCheck kKey = {};
  static constexpr PartCheck kValue = {&IsConvertible<T>};
};
template <typename T>
struct Parts<ffi::List<T>> : Parts<ffi::Array<T>> {};
template <typename Key, typename Mapped>
struct Parts<ffi::Map<Key, Mapped>> {
  static constexpr bool kAny = true;
  static constexpr PartCheck kKey = {&IsConvertible<Key>};
  static constexpr PartCheck kValue = {&IsConvertible<Mapped>};
};
template <typename Key, typename Mapped>
struct Parts<ffi::Dict<Key, Mapped>> : Parts<ffi::Map<Key, Mapped>> {};

}  // namespace detail

/*!
 * \brief Convert an FFI value to a C++ value.
 * \param value The value.
 * \param slot The destination, for error messages.
 * \tparam T The C++ type: one that a field can have.
 * \return The value as `T`; integers and enums are range-checked, never truncated.
 * \throws TypeError if the value is not convertible.
 * \throws ValueError if an integer does not fit, or is not a member of the enum.
 */
template <typename T>
T Convert(ffi::AnyView value, const Slot& slot) {
  if constexpr (std::is_same_v<T, ffi::Any>) {
    return ffi::Any(value);
  } else if constexpr (detail::kIsCheckedInt<T> || std::is_enum_v<T>) {
    std::optional<int64_t> wide = value.try_cast<int64_t>();
    if (!wide) detail::ThrowNotAnInteger(slot, value);
    if constexpr (std::is_enum_v<T>) {
      return detail::CheckMember<T>(slot, *wide);
    } else {
      return detail::CheckRange<T>(slot, *wide);
    }
  } else if constexpr (detail::IsCheckedOptional<T>::value) {
    if (value == nullptr) return std::nullopt;
    return Convert<typename detail::IsCheckedOptional<T>::type>(value, slot);
  } else {
    std::optional<T> result = value.try_cast<T>();
    if (!result) {
      if constexpr (std::is_same_v<T, int64_t>) detail::ThrowNotAnInteger(slot, value);
      using Parts = detail::Parts<T>;
      if constexpr (Parts::kAny) {
        detail::ThrowWrongPart(slot, value, Parts::kKey, Parts::kValue);
      } else {
        ThrowWrongType(slot, value);
      }
    }
    if constexpr (detail::Check<T>::kNeeded) detail::Check<T>::Value(value, slot);
    return *std::move(result);
  }
}

}  // namespace tschema

#endif  // TSCHEMA_CONVERT_H_
