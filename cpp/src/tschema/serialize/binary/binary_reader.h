/*!
 * \file binary_reader.h
 * \brief Reads a graph in the binary form.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_BINARY_BINARY_READER_H_
#define TSCHEMA_SRC_SERIALIZE_BINARY_BINARY_READER_H_

#include <tvm/ffi/any.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "../load_error.h"
#include "../object_builder.h"
#include "../type_lookup.h"
#include "./binary_format.h"
#include "./binary_scanner.h"

namespace tschema {

/*! \brief A stack machine: each operation takes its parts from the stack and leaves one value. */
class BinaryReader {
 public:
  explicit BinaryReader(std::string_view data) : scanner_(data) { place_.unit = "value"; }

  /*! \throws TypeError, ValueError without a place. */
  ffi::Any Read();
  /*! \brief The position of the reader. */
  LoadPlace place() const;

 private:
  /*! \brief A field as the file has it. */
  struct FileField {
    /*! \brief Null for a field that is removed. */
    const FieldStep* step;
    Wire wire;
  };

  /*! \brief A type as the file has it. */
  struct FileTypeInfo {
    const TypeCodec* codec;
    std::vector<FileField> fields;
    /*! \brief Fields that the file does not have. */
    std::vector<const FieldStep*> missing;
    /*! \brief The number of fields on the stack. */
    size_t num_parts;
  };

  /*! \brief A text of the table; its objects are made when they are first used. */
  struct Text {
    std::string_view text;
    ffi::Any string;
    ffi::Any bytes;
  };

  // The tables.
  void ReadHead();
  void ReadStrings();
  void ReadDataTypes();
  void ReadTypes();
  FileTypeInfo ReadType();
  FileField ReadFileField(const TypeCodec& codec);
  void ReadShared();

  // The body.
  void ReadBody();
  void ReadOperation();
  ffi::Any ReadLeaf(Op op);
  ffi::Any ReadObjectOf(Op op);
  ffi::Any ReadObject(uint64_t type);
  void ReadField(const FileField& field, ffi::Object* object, size_t* part);
  void SkipField(Wire wire, size_t* part);
  ffi::Any ReadHook();
  ffi::Any ReadShape();
  ffi::Any ReadAgain();
  ffi::Any ReadContainer(int32_t type_index, uint64_t parts_of_one);
  /*! \brief Position of the first of the values on top of the stack. */
  size_t Parts(uint64_t count);
  void DropParts(size_t first);
  void Push(ffi::Any object);

  Text& ReadText();
  const ffi::Any& ReadString();
  bool ReadBool();
  DLDataType ReadDataType();
  DLDevice ReadDevice();

  BinaryScanner scanner_;
  size_t operation_offset_ = 0;
  LoadPlace place_;
  TypeLookup lookup_;
  ObjectBuilder builder_;
  std::vector<Text> texts_;
  std::vector<DLDataType> dtypes_;
  std::vector<FileTypeInfo> types_;

  /*! \brief Objects that are used again: in the order of the file, and of their numbers. */
  std::vector<ffi::Any> shared_;
  std::vector<std::pair<uint64_t, size_t>> shared_numbers_;
  size_t num_shared_ = 0;
  uint64_t num_objects_ = 0;

  std::vector<ffi::Any> stack_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_BINARY_BINARY_READER_H_
