/*!
 * \file tschema/value_check.h
 * \brief Checks of FFI values: ranges, members of enums, elements of containers.
 *
 * In: an FFI value and its location. Out: a TypeError or ValueError with the location if a check
 * fails. Does not convert values.
 */
#ifndef TSCHEMA_VALUE_CHECK_H_
#define TSCHEMA_VALUE_CHECK_H_

#include <tschema/enum.h>
#include <tschema/tvm_ffi_compat.h>
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
#include <type_traits>

namespace tvm {
namespace ffi {
class Function;
class Tensor;
}  // namespace ffi
}  // namespace tvm

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief The destination of a value, named in error messages. */
struct Slot {
  /*! \brief The name of the global function, or the type key. */
  const char* owner;
  /*! \brief The parameter or field. */
  const char* name;
  /*! \brief The expected type, as a schema spells it. */
  const char* type;
};

/*! \brief Throw a TypeError that names the slot, its type and the type of the value. */
[[noreturn]] void ThrowWrongType(const Slot& slot, ffi::AnyView value);

/*! \brief Throw a ValueError that names the slot, its range and the value. */
[[noreturn]] void ThrowOutOfRange(const Slot& slot, int64_t value, int64_t low, uint64_t high);

/*! \brief Throw a ValueError that names the slot and the value that is not a member of its enum. */
[[noreturn]] void ThrowNotAMember(const Slot& slot, int64_t value);

namespace detail {

template <typename T>
inline constexpr bool kIsCheckedInt =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, int64_t>;

/*!
 * \brief Whether a reference is one of a class that a schema declares as nullable.
 *
 * References of tvm-ffi can be null in C++; a schema declares those that may be null `Optional`.
 */
template <typename T>
constexpr bool MayBeNull() {
  if constexpr (!std::is_base_of_v<ffi::ObjectRef, T> || std::is_same_v<T, ffi::ObjectRef> ||
                std::is_same_v<T, ffi::Function> || std::is_same_v<T, ffi::Tensor>) {
    return false;
  } else {
    return T::_type_is_nullable;
  }
}

/*! \brief A check whether a part of a container is convertible; no check if `takes` is null. */
struct PartCheck {
  bool (*takes)(const void* type, ffi::AnyView part) = nullptr;
  /*! \brief The first argument of `takes`. */
  const void* type = nullptr;

  bool operator()(ffi::AnyView part) const { return takes(type, part); }
};

/*!
 * \brief Throw a TypeError that names the part of a container that does not fit, if one does not.
 * \param key For the keys of a Map or Dict; none for those of an Array or List.
 */
[[noreturn]] void ThrowWrongPart(const Slot& slot, ffi::AnyView value, PartCheck key,
                                 PartCheck mapped);

/*! \brief Throw a ValueError for an integer beyond 64 bits, else a TypeError. */
[[noreturn]] void ThrowNotAnInteger(const Slot& slot, ffi::AnyView value);

/*! \brief The largest `T` that the ABI can represent, which is at most that of int64_t. */
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

/*!
 * \brief Checks the source of a conversion for errors that tvm-ffi's conversions miss: integers
 * that would be truncated, and None for a required reference.
 *
 * tvm-ffi makes a new container if an element or the container has another type, so the loss would
 * not be visible in the result.
 */
template <typename T>
struct Check {
  static constexpr bool kNeeded = kIsCheckedInt<T> || std::is_enum_v<T> ||
                                  (std::is_base_of_v<ffi::ObjectRef, T> && !MayBeNull<T>());

  static void Value(ffi::AnyView value, const Slot& slot) {
    if constexpr (kIsCheckedInt<T>) {
      CheckRange<T>(slot, value.cast<int64_t>());
    } else if constexpr (std::is_enum_v<T>) {
      CheckMember<T>(slot, value.cast<int64_t>());
    } else if constexpr (kNeeded) {
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

template <typename T>
struct CheckSequence {
  static constexpr bool kNeeded = true;

  static void Value(ffi::AnyView value, const Slot& slot) {
    const ffi::SeqBaseObj* sequence = value.as<ffi::ArrayObj>();
    if (sequence == nullptr) sequence = value.as<ffi::ListObj>();
    if (sequence == nullptr) ThrowWrongType(slot, value);
    if constexpr (Check<T>::kNeeded) {
      for (const ffi::Any& element : *sequence) Check<T>::Value(element, slot);
    }
  }
};

template <typename Key, typename Mapped>
struct CheckMapping {
  static constexpr bool kNeeded = true;

  static void Value(ffi::AnyView value, const Slot& slot) {
    const ffi::MapBaseObj* mapping = value.as<ffi::MapObj>();
    if (mapping == nullptr) mapping = value.as<ffi::DictObj>();
    if (mapping == nullptr) ThrowWrongType(slot, value);
    if constexpr (Check<Key>::kNeeded || Check<Mapped>::kNeeded) {
      for (const auto& [key, mapped] : *mapping) {
        Check<Key>::Value(key, slot);
        Check<Mapped>::Value(mapped, slot);
      }
    }
  }
};

template <typename T>
struct Check<ffi::Array<T>> : CheckSequence<T> {};
template <typename T>
struct Check<ffi::List<T>> : CheckSequence<T> {};
template <typename Key, typename Mapped>
struct Check<ffi::Map<Key, Mapped>> : CheckMapping<Key, Mapped> {};
template <typename Key, typename Mapped>
struct Check<ffi::Dict<Key, Mapped>> : CheckMapping<Key, Mapped> {};

template <typename... Alternatives>
struct Check<ffi::Variant<Alternatives...>> {
  static constexpr bool kNeeded = true;

  static void Value(ffi::AnyView value, const Slot& slot) {
    if (value == nullptr) ThrowWrongType(slot, value);
    if ((Takes<Alternatives>(value, slot) || ...)) return;
    bool is_one = (IsExactly<Alternatives>(value) || ...);
    if (is_one) {
      (Check<Alternatives>::Value(value, slot), ...);
    } else {
      (Converts<Alternatives>(value, slot) || ...);
    }
  }

 private:
  /*! \brief Whether the value has the type of an alternative and, if an integer, is in its range.
   * */
  template <typename T>
  static bool Takes(ffi::AnyView value, const Slot& slot) {
    if (!IsExactly<T>(value)) return false;
    if constexpr (kIsCheckedInt<T>) {
      return Fits<T>(value.cast<int64_t>());
    } else if constexpr (std::is_enum_v<T>) {
      return EnumTraits<T>::Contains(value.cast<int64_t>());
    } else {
      if constexpr (Check<T>::kNeeded) Check<T>::Value(value, slot);
      return true;
    }
  }

  /*! \brief Whether the value is converted to this alternative. */
  template <typename T>
  static bool Converts(ffi::AnyView value, const Slot& slot) {
    if (!value.try_cast<T>()) return false;
    if constexpr (Check<T>::kNeeded) Check<T>::Value(value, slot);
    return true;
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
}  // namespace tschema

#endif  // TSCHEMA_VALUE_CHECK_H_
