/*!
 * \file value_type.h
 * \brief Types of fields at run time, with the conversions of `tschema/convert.h`.
 *
 * A compiled constructor knows the C++ type of each argument; a dynamic one has a tree instead,
 * with the same values, checks and messages.
 */
#ifndef TSCHEMA_SRC_DYNAMIC_VALUE_TYPE_H_
#define TSCHEMA_SRC_DYNAMIC_VALUE_TYPE_H_

#include <tschema/convert.h>
#include <tvm/ffi/any.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../reflection/type_expr.h"
#include "./schema.h"

namespace tschema {
namespace dynamic {

/*! \brief How a field is stored. */
enum class Storage : uint8_t {
  /*! \brief A truth value, a number, a data type, a device. */
  kPlain,
  /*! \brief A pointer to an object, or null: 8 bytes. */
  kObject,
  /*! \brief An FFI value: 16 bytes. */
  kValue,
};

/*! \brief The size and the alignment of a field, in bytes. */
struct Extent {
  int64_t size;
  int64_t align;
};

/*! \brief The size and the alignment of fields of a type, which depend only on its kind. */
Extent ExtentOf(const TypeRef& ref);

/*! \brief The type of a field, of an argument, or of the elements of a container. */
class ValueType {
 public:
  /*!
   * \brief Make the type that a reference names.
   * \param ref The reference in the schema; its node types at least have an index.
   * \param schema The schema with its enums; must live as long as the result.
   * \throws ValueError if the schema has no such enum, or names no type.
   */
  ValueType(const TypeRef& ref, const Schema& schema);

  /*!
   * \brief Convert a value.
   * \param slot The destination, for error messages.
   * \throws TypeError, ValueError as the constructor of a compiled type throws it.
   */
  ffi::Any Convert(ffi::AnyView value, const Slot& slot) const;

  /*!
   * \brief Convert a value and store it.
   * \param address A field of this type that holds a value or its empty state.
   * \throws TypeError, ValueError like `Convert`; the field is then unchanged.
   */
  void Assign(void* address, ffi::AnyView value, const Slot& slot) const;

  /*! \brief Set zeroed memory to the empty state that a field has before it is filled in. */
  void Initialize(void* address) const;

  Storage storage() const { return storage_; }
  /*! \brief Bytes. */
  int64_t size() const { return extent_.size; }
  const std::string& text() const { return text_; }

 private:
  using Kind = TypeExpr::Kind;

  void SetKind(const TypeRef& ref, const Schema& schema);
  void SetNamedKind(const std::string& name);
  void SetStorage();
  void SetNeedsCheck();

  /*! \brief Whether a type index is that of the type or of one below it. */
  bool IsInstance(int32_t type_index) const {
    bool is_in_range = static_cast<uint32_t>(type_index - type_index_) <= child_slots_;
    return is_in_range || ::tschema::IsInstance(type_index, type_index_);
  }

  /*! \brief Whether the C++ type is an integer whose range is checked, or an enum. */
  bool is_checked_integer() const {
    return kind_ == Kind::kEnum || (kind_ == Kind::kInt && (extent_.size < 8 || low_ == 0));
  }

  /*! \brief Whether a container can hold the value as this type: tvm-ffi's `CheckAnyStrict`. */
  bool Holds(ffi::AnyView value) const;
  bool HoldsParts(ffi::AnyView container) const;

  /*! \brief Convert if that is possible: tvm-ffi's `TryCastFromAnyView`. */
  std::optional<ffi::Any> TryConvert(ffi::AnyView value) const;
  std::optional<ffi::Any> TryConvertNumber(ffi::AnyView value) const;
  std::optional<ffi::Any> TryConvertAlternative(ffi::AnyView value) const;
  template <typename Sequence>
  std::optional<ffi::Any> TryConvertSequence(ffi::AnyView value) const;
  template <typename Mapping>
  std::optional<ffi::Any> TryConvertMapping(ffi::AnyView value) const;
  std::optional<ffi::Any> TryConvertTuple(ffi::AnyView value) const;

  /*! \brief Throw the TypeError for a value that cannot be converted, or for a part of it. */
  [[noreturn]] void ThrowMisfit(ffi::AnyView value, const Slot& slot) const;
  /*! \brief Check what conversions ignore: ranges, members of enums, None in containers. */
  void Check(ffi::AnyView value, const Slot& slot) const;
  void CheckInteger(ffi::AnyView value, const Slot& slot) const;
  void CheckParts(ffi::AnyView container, const Slot& slot) const;
  void CheckAlternatives(ffi::AnyView value, const Slot& slot) const;
  bool Takes(ffi::AnyView value, const Slot& slot) const;

  void StorePlain(void* address, ffi::AnyView value) const;

  Kind kind_ = Kind::kAny;
  Storage storage_ = Storage::kValue;
  /*! \brief Whether the C++ reference can be null, so that a container of them holds None. */
  bool is_nullable_ = false;
  /*! \brief Whether `Check` can fail. */
  bool needs_check_ = false;
  Extent extent_;
  /*! \brief The type index of objects and containers. */
  int32_t type_index_ = kTVMFFIAny;
  /*! \brief The number of following indices that belong to its children. */
  uint32_t child_slots_ = 0;
  /*! \brief Inclusive range of an integer, as far as the ABI carries it. */
  int64_t low_ = 0;
  int64_t high_ = 0;
  const Enum* members_ = nullptr;
  std::vector<ValueType> args_;
  std::string text_;
};

}  // namespace dynamic
}  // namespace tschema

#endif  // TSCHEMA_SRC_DYNAMIC_VALUE_TYPE_H_
