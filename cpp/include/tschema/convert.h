/*!
 * \file tschema/convert.h
 * \brief Conversion of FFI values to C++ types, with errors that name the argument.
 *
 * In: an FFI value and where it stands.  Out: a C++ value, or a TypeError or ValueError.
 * Knows nothing of nodes or registration.
 */
#ifndef TSCHEMA_CONVERT_H_
#define TSCHEMA_CONVERT_H_

#include <tschema/enum.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief Where a value goes: named in error messages. */
struct Slot {
  /*! \brief What takes the value: a global function's name, or a type key. */
  const char* owner;
  /*! \brief The parameter or field. */
  const char* name;
  /*! \brief The expected type, as a schema spells it. */
  const char* type;
};

/*! \brief Throw a TypeError that names the slot, what it expects and what it got. */
[[noreturn]] void ThrowWrongType(const Slot& slot, ffi::AnyView value);

/*! \brief Throw a ValueError that names the slot, its range and the value. */
[[noreturn]] void ThrowOutOfRange(const Slot& slot, int64_t value, int64_t low, uint64_t high);

/*! \brief Throw a ValueError that names the slot and the value that is no member of its enum. */
[[noreturn]] void ThrowNotAMember(const Slot& slot, int64_t value);

namespace detail {

template <typename T>
inline constexpr bool kIsCheckedInt =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, int64_t>;

/*! \brief Throw a ValueError for an integer beyond 64 bits, else a TypeError. */
[[noreturn]] void ThrowNotAnInteger(const Slot& slot, ffi::AnyView value);

/*! \brief The largest `T` that the ABI carries: it is where int64_t ends, for uint64_t too. */
template <typename T>
inline constexpr uint64_t kHighest =
    sizeof(T) == 8 ? static_cast<uint64_t>(std::numeric_limits<int64_t>::max())
                   : static_cast<uint64_t>(std::numeric_limits<T>::max());

template <typename T>
inline constexpr int64_t kLowest = static_cast<int64_t>(std::numeric_limits<T>::min());

template <typename T>
bool Fits(int64_t value) {
  return value >= kLowest<T> && (value <= 0 || static_cast<uint64_t>(value) <= kHighest<T>);
}

template <typename T>
T CheckRange(const Slot& slot, int64_t value) {
  if (!Fits<T>(value)) ThrowOutOfRange(slot, value, kLowest<T>, kHighest<T>);
  return static_cast<T>(value);
}

template <typename Enum>
Enum CheckMember(const Slot& slot, int64_t value) {
  if (!EnumTraits<Enum>::Contains(value)) ThrowNotAMember(slot, value);
  return static_cast<Enum>(value);
}

/*! \brief Whether `T` is an Optional of an integer or enum that needs a check of its own. */
template <typename T>
struct IsCheckedOptional : std::false_type {};
template <typename T>
struct IsCheckedOptional<ffi::Optional<T>>
    : std::bool_constant<kIsCheckedInt<T> || std::is_enum_v<T>> {
  using type = T;
};

/*!
 * \brief Checks what tvm-ffi's conversions let through: integers that a container would truncate,
 * and None where a reference is required.
 */
template <typename T>
struct Check {
  static constexpr bool kNeeded =
      kIsCheckedInt<T> || std::is_enum_v<T> || std::is_base_of_v<ffi::ObjectRef, T>;

  static void Value(ffi::AnyView value, const Slot& slot) {
    if constexpr (kIsCheckedInt<T>) {
      CheckRange<T>(slot, value.cast<int64_t>());
    } else if constexpr (std::is_enum_v<T>) {
      CheckMember<T>(slot, value.cast<int64_t>());
    } else if constexpr (std::is_base_of_v<ffi::ObjectRef, T>) {
      if (value == nullptr) ThrowWrongType(slot, value);
    }
  }
};

template <typename T>
struct Check<ffi::Optional<T>> {
  static constexpr bool kNeeded = Check<T>::kNeeded;

  static void Value(ffi::AnyView value, const Slot& slot) {
    if (value != nullptr) Check<T>::Value(value, slot);
  }
};

template <typename T, typename Container>
struct CheckSequence {
  static constexpr bool kNeeded = true;

  static void Value(ffi::AnyView value, const Slot& slot) {
    const Container* container = value.as<Container>();
    if (container == nullptr) ThrowWrongType(slot, value);
    if constexpr (Check<T>::kNeeded) {
      for (const ffi::Any& element : *container) Check<T>::Value(element, slot);
    }
  }
};

template <typename Key, typename Mapped, typename Container>
struct CheckMapping {
  static constexpr bool kNeeded = true;

  static void Value(ffi::AnyView value, const Slot& slot) {
    const Container* container = value.as<Container>();
    if (container == nullptr) ThrowWrongType(slot, value);
    if constexpr (Check<Key>::kNeeded || Check<Mapped>::kNeeded) {
      for (const auto& [key, mapped] : *container) {
        Check<Key>::Value(key, slot);
        Check<Mapped>::Value(mapped, slot);
      }
    }
  }
};

template <typename T>
struct Check<ffi::Array<T>> : CheckSequence<T, ffi::ArrayObj> {};
template <typename T>
struct Check<ffi::List<T>> : CheckSequence<T, ffi::ListObj> {};
template <typename Key, typename Mapped>
struct Check<ffi::Map<Key, Mapped>> : CheckMapping<Key, Mapped, ffi::MapObj> {};
template <typename Key, typename Mapped>
struct Check<ffi::Dict<Key, Mapped>> : CheckMapping<Key, Mapped, ffi::DictObj> {};

template <typename... Alternatives>
struct Check<ffi::Variant<Alternatives...>> {
  static constexpr bool kNeeded = true;

  static void Value(ffi::AnyView value, const Slot& slot) {
    if (value == nullptr) ThrowWrongType(slot, value);
    if (!(Takes<Alternatives>(value, slot) || ...)) (Check<Alternatives>::Value(value, slot), ...);
  }

 private:
  /*! \brief Whether the value is of an alternative's type and, if an integer, in its range. */
  template <typename T>
  static bool Takes(ffi::AnyView value, const Slot& slot) {
    if (!ffi::detail::AnyUnsafe::CheckAnyViewStrict<T>(value)) return false;
    if constexpr (kIsCheckedInt<T>) {
      return Fits<T>(value.cast<int64_t>());
    } else if constexpr (std::is_enum_v<T>) {
      return EnumTraits<T>::Contains(value.cast<int64_t>());
    } else {
      if constexpr (Check<T>::kNeeded) Check<T>::Value(value, slot);
      return true;
    }
  }
};

template <typename... Elements>
struct Check<ffi::Tuple<Elements...>> {
  static constexpr bool kNeeded = true;

  static void Value(ffi::AnyView value, const Slot& slot) {
    const ffi::ArrayObj* tuple = value.as<ffi::ArrayObj>();
    if (tuple == nullptr) ThrowWrongType(slot, value);
    [[maybe_unused]] const ffi::Any* element = tuple->begin();
    (Check<Elements>::Value(*element++, slot), ...);
  }
};

}  // namespace detail

/*!
 * \brief Convert an FFI value to a C++ value.
 * \param value The value.
 * \param slot Where it goes, for the error.
 * \tparam T The C++ type: one that a field can have.
 * \return The value as `T`; integers and enums are range-checked, never truncated.
 * \throws TypeError if the value is not convertible.
 * \throws ValueError if an integer does not fit, or is no member of the enum.
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
      ThrowWrongType(slot, value);
    }
    if constexpr (detail::Check<T>::kNeeded) detail::Check<T>::Value(*result, slot);
    return *std::move(result);
  }
}

}  // namespace tschema

#endif  // TSCHEMA_CONVERT_H_
