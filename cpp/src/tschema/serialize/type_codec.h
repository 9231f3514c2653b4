/*!
 * \file type_codec.h
 * \brief The encoding of a type for the writers and readers of graphs, made once per type.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_TYPE_CODEC_H_
#define TSCHEMA_SRC_SERIALIZE_TYPE_CODEC_H_

#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_info.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tschema {

/*! \brief The form of an object's data in a file. */
enum class DataForm : uint8_t {
  /*! \brief Its fields. */
  kFields,
  /*! \brief JSON that the type's own `__data_to_json__` makes. */
  kHook,
  /*! \brief An object of tvm-ffi's Enum: its number. */
  kEnumNumber,
  /*! \brief An object of tvm-ffi's Enum: its name. */
  kEnumName,
  /*! \brief None: such objects cannot be made. */
  kNone,
};

/*! \brief The encoding of a field in the binary form; files contain the letters. */
enum class Wire : char {
  kBool = 'b',
  kInteger = 'i',
  kFloat32 = 'f',
  kFloat64 = 'd',
  kDataType = 't',
  kDevice = 'v',
  kString = 's',
  /*! \brief A separate value, which precedes the object. */
  kValue = 'e',
};

/*!
 * \brief `FieldStep::inline_type` of values in a file whose type follows from the text.
 * \note No field has this type index, which is among those that the reader distinguishes.
 */
inline constexpr int32_t kAnyInline = kTVMFFIOpaquePtr;

/*! \brief Objects that a field accepts by type index; others may need a check of their contents. */
struct SureObjects {
  /*! \brief The range of a type and the children whose indices follow its own, inclusive. */
  int32_t first_index = 0;
  int32_t last_index = -1;
  bool takes_none = false;

  bool Have(int32_t type_index) const {
    return (first_index <= type_index && type_index <= last_index) ||
           (takes_none && type_index == kTVMFFINone);
  }
};

/*! \brief A field as the writers and readers see it. */
struct FieldStep {
  const FieldInfo* field;
  /*!
   * \brief In JSON, the type of a value that is written in its object; kTVMFFIAny for a node.
   * \note It may be `kAnyInline` in the codec of a file, never in that of a type.
   */
  int32_t inline_type;
  Wire wire;
  /*! \brief The value may be stored once `TypeExpr::Accepts` it; else the setter decides. */
  bool is_direct;
  SureObjects sure_objects;
  /*! \brief Makes the default of the constructor's argument, or null. */
  ffi::Any (*make_default)();
  /*! \brief `,"name":`, followed by `Output::kPadding` bytes. */
  std::string_view label;

  bool is_inline() const { return inline_type != kTVMFFIAny; }
};

/*! \brief A name of an older version of a type, which files may hold. */
struct FormerField {
  ffi::String name;
  /*! \brief The position in `steps` of the field that it is now, or `TypeCodec::kRemoved`. */
  int64_t position;
};

/*! \brief The encoding of a type. */
struct TypeCodec {
  static constexpr int64_t kUnknown = -1;
  static constexpr int64_t kRemoved = -2;

  const TypeInfo* type;
  DataForm form;
  std::vector<FieldStep> steps;
  std::vector<FormerField> former_fields;
  /*! \brief The values of fields in objects of a file that lacks them, if not their defaults. */
  std::vector<std::pair<const FieldInfo*, ffi::Any>> stored_values;
  /*! \brief The fields that are separate nodes in JSON, and in the binary form. */
  std::vector<const FieldInfo*> json_edges;
  std::vector<const FieldInfo*> binary_edges;
  /*! \brief Positions in `steps` of the fields that the type's `post_init` may set. */
  std::vector<uint32_t> derived;
  /*! \brief The start of a node in JSON, up to the first field's name and colon; padded. */
  std::string_view json_head;
  /*!
   * \brief The fields that hold values, as in the metadata of JSON: `"key":["a","b"]`.
   * \note Only the key and a colon if there is no such field.
   */
  std::string value_fields;
  /*! \brief Bytes that a node takes in JSON at most, if no value is a text. */
  size_t json_size;
  /*! \brief Whether destroying an object, by foreign code, destroys those below it by recursion. */
  bool is_recursive;
  /*! \brief How foreign code deletes its objects; null until one has been made. */
  mutable std::atomic<void (*)(void* self, int flags)> foreign_deleter{nullptr};
  /*! \brief Makes an object; null if it takes more than that. */
  TVMFFIObjectCreator creator;
  ffi::Function to_json;
  ffi::Function from_json;
  /*! \brief The memory of the views above. */
  std::unique_ptr<char[]> text;

  /*! \brief The position in `steps` of a field in a file, `kRemoved` or `kUnknown`. */
  int64_t Find(std::string_view name) const;
  /*!
   * \brief An object with empty fields.
   * \throws TypeError if such objects cannot be made.
   */
  ffi::ObjectPtr<ffi::Object> Create() const {
    TVMFFIObjectHandle handle;
    if (creator == nullptr || creator(&handle) != 0) return CreateSlowly();
    auto* object = static_cast<TVMFFIObject*>(handle);
    return ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::Object>(object);
  }

 private:
  ffi::ObjectPtr<ffi::Object> CreateSlowly() const;
};

namespace detail {

extern PerType<TypeCodec> type_codecs;

const TypeCodec* MakeTypeCodec(int32_t type_index);

/*! \brief A codec of the type's own for one file, whose steps its reader may change. */
std::unique_ptr<TypeCodec> CopyTypeCodec(const TypeCodec& codec);

}  // namespace detail

/*! \brief The information on a type, valid until the process ends. */
inline const TypeCodec& TypeCodecOf(int32_t type_index) {
  const TypeCodec* codec = detail::type_codecs.Find(type_index);
  return __builtin_expect(codec != nullptr, 1) ? *codec : *detail::MakeTypeCodec(type_index);
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_TYPE_CODEC_H_
