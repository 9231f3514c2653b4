/*!
 * \file value_type.h
 * \brief What values a field takes: the conversions of `tschema/convert.h`, at run time.
 *
 * A compiled constructor knows the C++ type of each argument; here a tree stands for it, and
 * the values, the checks and the messages are the same.
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

/*! \brief What a field takes of an object, in bytes. */
struct Extent {
  int64_t size;
  int64_t align;
};

/*! \brief The size and the alignment of fields of a type, by its kind alone: no type need be known.
 */
Extent ExtentOf(const TypeRef& ref);

/*! \brief The type of a field, of an argument, or of the elements of a container. */
class ValueType {
 public:
  /*!
   * \brief Make the type that a reference names.
   * \param ref As the schema has it; its node types are registered or at least have an index.
   * \param schema Where its enums are; must live as long as the result.
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
   * \throws TypeError, ValueError like `Convert`; the field is then as it was.
   */
  void Assign(void* address, ffi::AnyView value, const Slot& slot) const;

  /*! \brief Make a field's empty state of zeros: what an object has before it is filled in. */
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
  /*! \brief Refuse what the conversions let through: ranges, members, None in containers. */
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
  /*! \brief Whether `Check` can refuse anything. */
  bool needs_check_ = false;
  Extent extent_;
  /*! \brief Of objects and containers. */
  int32_t type_index_ = kTVMFFIAny;
  /*! \brief How many indices behind it are its children's. */
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
