/*!
 * \file binary_reader.cc
 * \brief Reads the tables of a binary file.
 */
#include "./binary_reader.h"

#include <tschema/binary.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <string>

namespace tschema {
namespace {

/*! \brief Whether the letter is one of `Wire`. */
bool IsWire(char letter) {
  return std::string_view("bifdtvse").find(letter) != std::string_view::npos;
}

/*! \brief Checks write data types into their messages, so each one must have a name. */
void CheckDataType(DLDataType dtype) {
  try {
    ffi::DLDataTypeToString(dtype);
  } catch (const ffi::Error&) {
    FailValue("there is no data type of code " + std::to_string(dtype.code));
  }
}

}  // namespace

LoadPlace BinaryReader::place() const {
  LoadPlace place = place_;
  place.offset = place.index < 0 ? scanner_.offset() : operation_offset_;
  return place;
}

ffi::Any BinaryReader::Read() {
  ReadHead();
  ReadStrings();
  ReadDataTypes();
  ReadTypes();
  ReadShared();
  ReadBody();
  place_.index = -1;
  if (num_shared_ != shared_.size()) FailValue("an object that is used again is not there");
  if (stack_.size() != 1) {
    FailValue("the data leave " + std::to_string(stack_.size()) + " values, not one");
  }
  return std::move(stack_[0]);
}

void BinaryReader::ReadHead() {
  bool is_ours = scanner_.remaining() >= kBinaryMagic.size() &&
                 scanner_.ReadBytes(kBinaryMagic.size()) == kBinaryMagic;
  if (!is_ours) FailValue("the data are not a graph in the binary form of tschema");
  uint64_t version = scanner_.ReadVarint();
  if (version >= 1 && version <= kBinaryVersion) return;
  FailValue("the data have version " + std::to_string(version) +
            " of the format, and only versions up to " + std::to_string(kBinaryVersion) +
            " are known; a newer version wrote them");
}

void BinaryReader::ReadStrings() {
  texts_.resize(scanner_.ReadCount(1));
  for (Text& text : texts_) text.text = scanner_.ReadBytes(scanner_.ReadVarint());
}

void BinaryReader::ReadDataTypes() {
  dtypes_.resize(scanner_.ReadCount(sizeof(DLDataType)));
  for (DLDataType& dtype : dtypes_) {
    dtype = scanner_.Read<DLDataType>();
    CheckDataType(dtype);
  }
}

void BinaryReader::ReadTypes() {
  constexpr size_t kMinTypeSize = 2;
  size_t count = scanner_.ReadCount(kMinTypeSize);
  types_.reserve(count);
  while (types_.size() < count) {
    types_.push_back(ReadType());
    place_ = LoadPlace{};
  }
  place_.unit = "value";
}

BinaryReader::FileTypeInfo BinaryReader::ReadType() {
  constexpr size_t kMinFieldSize = 2;
  std::string_view key = ReadText().text;
  FileTypeInfo type{lookup_.Find(key).codec, {}, {}, 0};
  if (type.codec == nullptr) FailType("objects of type `" + std::string(key) + "` have no fields");
  place_.type = type.codec->type;
  size_t count = scanner_.ReadCount(kMinFieldSize);
  std::vector<bool> is_there(type.codec->steps.size());
  for (size_t index = 0; index < count; ++index) {
    FileField field = ReadFileField(*type.codec);
    if (field.step != nullptr) {
      size_t position = static_cast<size_t>(field.step - type.codec->steps.data());
      if (is_there[position]) FailValue("the field is repeated");
      is_there[position] = true;
    }
    type.fields.push_back(field);
    type.num_parts += field.wire == Wire::kValue ? 1 : 0;
  }
  for (size_t position = 0; position < is_there.size(); ++position) {
    if (!is_there[position]) type.missing.push_back(&type.codec->steps[position]);
  }
  return type;
}

BinaryReader::FileField BinaryReader::ReadFileField(const TypeCodec& codec) {
  place_.field = nullptr;
  std::string_view name = ReadText().text;
  int64_t position = codec.Find(name);
  if (position == TypeCodec::kUnknown) FailUnknownField(name);
  const bool is_removed = position == TypeCodec::kRemoved;
  const FieldStep* step = is_removed ? nullptr : &codec.steps[static_cast<size_t>(position)];
  place_.field = is_removed ? nullptr : step->field;
  char letter = scanner_.Read<char>();
  if (!IsWire(letter)) FailValue("the field is held in an unknown way");
  return {step, static_cast<Wire>(letter)};
}

void BinaryReader::ReadShared() {
  shared_.resize(scanner_.ReadCount(1));
  uint64_t number = 0;
  for (size_t index = 0; index < shared_.size(); ++index) {
    number += static_cast<uint64_t>(scanner_.ReadZigzag());
    shared_numbers_.emplace_back(number, index);
  }
  std::sort(shared_numbers_.begin(), shared_numbers_.end());
  auto is_same = [](const auto& a, const auto& b) { return a.first == b.first; };
  bool is_repeated = std::adjacent_find(shared_numbers_.begin(), shared_numbers_.end(), is_same) !=
                     shared_numbers_.end();
  if (is_repeated) FailValue("an object that is used again is in the table twice");
}

void BinaryReader::ReadBody() {
  uint64_t size = scanner_.ReadVarint();
  if (size != scanner_.remaining()) {
    FailValue("the body has " + std::to_string(scanner_.remaining()) + " bytes, not the " +
              std::to_string(size) + " that are announced");
  }
  while (!scanner_.AtEnd()) ReadOperation();
}

}  // namespace tschema
