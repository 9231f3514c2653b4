/*!
 * \file tschema/type_info.h
 * \brief Run-time type information for the engines: fields with kinds and offsets.
 *
 * Built once per type, on first use, from tvm-ffi's type table, so that compiled types, types
 * loaded from a schema and types of other packages are treated alike. Engines interpret these rows,
 * without code per field and without boxing.
 */
#ifndef TSCHEMA_TYPE_INFO_H_
#define TSCHEMA_TYPE_INFO_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tschema {

namespace ffi = ::tvm::ffi;

class AttrVisitor;
class SEqualReducer;
class SHashReducer;
struct Callable;

/*! \brief The representation of a field in memory. */
enum class FieldKind : uint8_t {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat32,
  kFloat64,
  /*! \brief A declared enum: int32_t, one of its members. */
  kEnum,
  /*! \brief DLDataType, 4 bytes. */
  kDataType,
  /*! \brief DLDevice, 8 bytes. */
  kDevice,
  /*! \brief ffi::String: 16 bytes, laid out as an FFI value. */
  kString,
  /*! \brief ffi::Bytes: 16 bytes, laid out as an FFI value. */
  kBytes,
  /*! \brief Any, a union or an optional plain value: 16 bytes, laid out as an FFI value. */
  kAny,
  /*! \brief A pointer to an object, or null: 8 bytes. */
  kObject,
  /*! \brief A field of foreign code, accessible only through its getter. */
  kForeign,
};

/*! \brief A type as a schema spells it, parsed: `Array[uir.tir.Var]`. */
struct TypeExpr {
  enum class Kind : uint8_t {
    kAny,
    kBool,
    kInt,
    kFloat,
    kEnum,
    kDataType,
    kDevice,
    kString,
    kBytes,
    /*! \brief A node, or an object of tvm-ffi, of the type `type_index`. */
    kObject,
    kOptional,
    kArray,
    kList,
    kMap,
    kDict,
    kTuple,
    kUnion,
  };

  Kind kind = Kind::kAny;
  /*! \brief The object's type; subtypes outside its index range are found by ancestry. */
  int32_t type_index = kTVMFFIAny;
  /*! \brief Inclusive range of an integer; for uint64, up to 2^63 - 1, as in the ABI. */
  int64_t low = 0;
  int64_t high = 0;
  std::vector<TypeExpr> arguments;
  /*! \brief As the schema spells it, for messages. */
  std::string text;

  /*!
   * \brief Whether a value is of this type, including elements of containers.
   * \note An enum accepts any int32 here; the field's setter knows its members.
   */
  bool Accepts(ffi::AnyView value) const;
};

/*! \brief A field of a type, inherited ones included. */
struct FieldInfo {
  /*! \brief Bytes from the start of the object. */
  uint32_t offset;
  FieldKind kind;
  /*! \brief Neither compared nor hashed. */
  bool ignored;
  /*! \brief Binds the variables in it. */
  bool binds;
  /*! \brief Binds the variables in it and in the objects that they refer to. */
  bool binds_pattern;
  /*! \brief Not an argument of the constructor. */
  bool derived;
  std::string_view name;
  /*! \brief Never null: tvm-ffi's row, with default, getter and setter. */
  const TVMFFIFieldInfo* reflected;
  /*! \brief The accepted type; never null. */
  const TypeExpr* type;

  template <typename T>
  const T& Get(const void* object) const {
    return *reinterpret_cast<const T*>(static_cast<const char*>(object) + offset);
  }
  template <typename T>
  T& Get(void* object) const {
    return *reinterpret_cast<T*>(static_cast<char*>(object) + offset);
  }

  /*! \brief Read the field as an owning FFI value. */
  ffi::Any Read(const ffi::Object* object) const;
  /*!
   * \brief Write the field from an FFI value.
   * \throws TypeError, ValueError if the field does not accept it.
   */
  void Write(ffi::Object* object, ffi::AnyView value) const;
  /*! \brief A fresh default. \pre The field has one. */
  ffi::Any MakeDefault() const;
  bool has_default() const { return (reflected->flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0; }
};

/*! \brief A compact row for a field that structural engines visit. */
struct Child {
  uint32_t offset;
  FieldKind kind;
  /*! \brief Index in the type's `fields`. */
  uint16_t field;
};

/*! \name Structural methods that a class does not take from the generator. */
/*! \{ */
inline constexpr unsigned kCustomVisitAttrs = 1;
inline constexpr unsigned kCustomSEqualReduce = 2;
inline constexpr unsigned kCustomSHashReduce = 4;
/*! \} */

/*! \brief Hand-written code of a type; null for each function that it does not have. */
struct TypeHooks {
  /*! \brief A hand-written `SEqualReduce`. */
  bool (*equal)(const ffi::Object* self, const ffi::Object* other, SEqualReducer equal) = nullptr;
  /*! \brief A hand-written `SHashReduce`. */
  void (*hash)(const ffi::Object* self, SHashReducer hash_reduce) = nullptr;
  /*! \brief A hand-written `VisitAttrs`. */
  void (*visit)(ffi::Object* self, AttrVisitor* visitor) = nullptr;
  /*! \brief `PostInit`: checks the operands, sets the derived fields; throws. */
  void (*post_init)(ffi::Object* self) = nullptr;
  /*! \brief The structural methods that the class turned off. */
  unsigned custom = 0;
};

/*! \brief The type information that the engines use. */
struct TypeInfo {
  int32_t type_index;
  /*! \brief Size in bytes; 0 if the type is abstract or its size is unknown. */
  int32_t size;
  TVMFFISEqHashKind structural_kind;
  /*! \brief Whether objects of the type can be constructed. */
  bool is_concrete;
  /*! \brief Whether no field can refer to another object. */
  bool is_leaf;
  uint64_t key_hash;
  std::string_view key;
  /*! \brief The parents' first. */
  std::vector<FieldInfo> fields;
  /*! \brief The fields that can refer to another object: kObject, kAny and kForeign. */
  std::vector<FieldInfo> edges;
  /*! \brief The same without ignored ones, which a walk visits. */
  std::vector<Child> children;
  TypeHooks hooks;
  /*! \brief Copies an object; null if only `__ffi_shallow_copy__` can, or if it cannot be copied.
   * */
  ffi::ObjectPtr<ffi::Object> (*copy)(const ffi::Object* self);
  /*! \brief Makes an empty object of a dynamic type, which has no creator; null for other types. */
  ffi::ObjectPtr<ffi::Object> (*create)(int32_t type_index);
  /*! \brief The constructor; null for types without a C++ package. */
  const Callable* constructor;
  /*! \brief The form in script, such as `toy.clamp({value}, low={low})`; empty without one. */
  ffi::String script;
  const TVMFFITypeInfo* reflected;

  /*! \brief The field of that name, or null. */
  const FieldInfo* Find(std::string_view name) const;

  /*!
   * \brief Make an object with empty fields, to be filled in before other code sees it.
   * \throws TypeError if the type is abstract or has no creator.
   */
  ffi::ObjectPtr<ffi::Object> Create() const;
};

namespace detail {

inline constexpr int32_t kMaxTypes = 1 << 16;

/*! \throws RuntimeError if a type has an index that no table holds. */
void CheckTypeIndex(int32_t type_index);

/*! \brief A table of values by type index, filled in on first use. */
template <typename Value>
class PerType {
 public:
  /*! \brief The value of a type; null if it is not set, or the index is beyond `kMaxTypes`. */
  const Value* Find(int32_t type_index) const {
    bool is_inside = static_cast<uint32_t>(type_index) < static_cast<uint32_t>(kMaxTypes);
    if (__builtin_expect(!is_inside, 0)) return nullptr;
    return slots_[type_index].load(std::memory_order_acquire);
  }

  /*! \throws RuntimeError if the index is beyond `kMaxTypes`. */
  void Set(int32_t type_index, const Value* value) {
    CheckTypeIndex(type_index);
    slots_[type_index].store(value, std::memory_order_release);
  }

 private:
  std::atomic<const Value*> slots_[kMaxTypes];
};

extern PerType<TypeInfo> type_infos;

const TypeInfo* MakeTypeInfo(int32_t type_index);

}  // namespace detail

/*!
 * \brief The information on a type, valid until the process ends.
 * \param type_index The index of an object's type, registered.
 */
inline const TypeInfo& TypeInfoOf(int32_t type_index) {
  const TypeInfo* info = detail::type_infos.Find(type_index);
  return __builtin_expect(info != nullptr, 1) ? *info : *detail::MakeTypeInfo(type_index);
}

/*! \brief The types that have a form in script. */
std::vector<int32_t> TypesWithScript();

inline const TypeInfo& TypeInfoOf(const ffi::Object* object) {
  return TypeInfoOf(object->type_index());
}

}  // namespace tschema

#endif  // TSCHEMA_TYPE_INFO_H_
