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

/*! \brief Throw a TypeError that names the slot, what it expects and what it got. */
[[noreturn]] void ThrowWrongType(const Slot& slot, ffi::AnyView value);

/*! \brief Throw a ValueError that names the slot, its range and the value. */
[[noreturn]] void ThrowOutOfRange(const Slot& slot, int64_t value, int64_t low, uint64_t high);

/*! \brief Throw a ValueError that names the slot and the value that is not a member of its enum. */
[[noreturn]] void ThrowNotAMember(const Slot& slot, int64_t value);

namespace detail {

template <typename T>
inline constexpr bool kIsCheckedInt =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, int64_t>;

/*! \brief Whether a part of a container can become what it must; none if `takes` is null. */
struct PartCheck {
  bool (*takes)(const void* type, ffi::AnyView part) = nullptr;
  /*! \brief What `takes` is given. */
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
 * \brief Checks for errors that tvm-ffi's conversions miss: integers that a container would
 * truncate, and None for a required reference.
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
  /*! \brief Whether the value has the type of an alternative and, if an integer, is in its range.
   * */
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

/*!
 * \brief Checks the source of a conversion for truncated integers: tvm-ffi makes a new container if
 * an element or the container itself has another type.
 */
template <typename T>
struct CheckSource {
  static constexpr bool kNeeded = kIsCheckedInt<T> || std::is_enum_v<T>;

  static void Value(ffi::AnyView value, const Slot& slot) { Check<T>::Value(value, slot); }
};

template <typename T>
struct CheckSource<ffi::Optional<T>> {
  static constexpr bool kNeeded = CheckSource<T>::kNeeded;

  static void Value(ffi::AnyView value, const Slot& slot) {
    if (value != nullptr) CheckSource<T>::Value(value, slot);
  }
};

template <typename T>
struct CheckSequenceSource {
  static constexpr bool kNeeded = CheckSource<T>::kNeeded;

  /*! \pre The value is an Array or a List. */
  static void Value(ffi::AnyView value, const Slot& slot) {
    const auto* sequence = static_cast<const ffi::SeqBaseObj*>(value.cast<const ffi::Object*>());
    for (const ffi::Any& element : *sequence) CheckSource<T>::Value(element, slot);
  }
};

template <typename Key, typename Mapped>
struct CheckMappingSource {
  static constexpr bool kNeeded = CheckSource<Key>::kNeeded || CheckSource<Mapped>::kNeeded;

  /*! \pre The value is a Map or a Dict. */
  static void Value(ffi::AnyView value, const Slot& slot) {
    const auto* mapping = static_cast<const ffi::MapBaseObj*>(value.cast<const ffi::Object*>());
    for (const auto& [key, mapped] : *mapping) {
      if constexpr (CheckSource<Key>::kNeeded) CheckSource<Key>::Value(key, slot);
      if constexpr (CheckSource<Mapped>::kNeeded) CheckSource<Mapped>::Value(mapped, slot);
    }
  }
};

template <typename T>
struct CheckSource<ffi::Array<T>> : CheckSequenceSource<T> {};
template <typename T>
struct CheckSource<ffi::List<T>> : CheckSequenceSource<T> {};
template <typename Key, typename Mapped>
struct CheckSource<ffi::Map<Key, Mapped>> : CheckMappingSource<Key, Mapped> {};
template <typename Key, typename Mapped>
struct CheckSource<ffi::Dict<Key, Mapped>> : CheckMappingSource<Key, Mapped> {};

template <typename... Alternatives>
struct CheckSource<ffi::Variant<Alternatives...>> {
  static constexpr bool kNeeded = (CheckSource<Alternatives>::kNeeded || ...);

  static void Value(ffi::AnyView value, const Slot& slot) {
    // A value of one of the types is not converted, and `Check` has checked it.
    if ((ffi::detail::AnyUnsafe::CheckAnyViewStrict<Alternatives>(value) || ...)) return;
    (Takes<Alternatives>(value, slot) || ...);
  }

 private:
  /*! \brief Whether the value is converted to this alternative. */
  template <typename T>
  static bool Takes(ffi::AnyView value, const Slot& slot) {
    if (!value.try_cast<T>()) return false;
    if constexpr (CheckSource<T>::kNeeded) CheckSource<T>::Value(value, slot);
    return true;
  }
};

template <typename... Elements>
struct CheckSource<ffi::Tuple<Elements...>> {
  static constexpr bool kNeeded = (CheckSource<Elements>::kNeeded || ...);

  static void Value(ffi::AnyView value, const Slot& slot) {
    const ffi::Any* element = value.as<ffi::ArrayObj>()->begin();
    (Element<Elements>(*element++, slot), ...);
  }

 private:
  template <typename T>
  static void Element(ffi::AnyView value, const Slot& slot) {
    if constexpr (CheckSource<T>::kNeeded) CheckSource<T>::Value(value, slot);
  }
};

}  // namespace detail
}  // namespace tschema

#endif  // TSCHEMA_VALUE_CHECK_H_
