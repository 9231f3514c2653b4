/*!
 * \file json_reader_node.cc
 * \brief Reads one node of a JSON graph: first as the writers write it, then in any other way.
 */
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>

#include "../hook_data.h"
#include "../json_text.h"
#include "./json_reader.h"

namespace tschema {

ffi::Any JSONReader::ReadNode() {
  place_.type = nullptr;
  place_.field = nullptr;
  scanner_.Mark();
  const char* start = scanner_.position();
  if (scanner_.TryLiteral(R"({"type":")")) {
    const FileType* type = types_.FindPlain(scanner_.TryPlainString());
    if (type != nullptr && scanner_.TryLiteral(R"(,"data":)")) {
      ffi::Any node = ReadData(*type);
      if (scanner_.TryMark('}')) return node;
    }
  }
  scanner_.Seek(start);
  return ReadNodeSlowly();
}

ffi::Any JSONReader::ReadNodeSlowly() {
  NodeMembers members = ReadMembers();
  if (members.data == nullptr) return nullptr;
  scanner_.Seek(members.data);
  ffi::Any node = ReadData(members.type);
  scanner_.Seek(members.end);
  return node;
}

JSONReader::NodeMembers JSONReader::ReadMembers() {
  NodeMembers members;
  scanner_.Expect('{');
  bool is_empty = scanner_.TryMark('}');
  while (!is_empty) {
    std::string name(scanner_.ReadString());
    scanner_.Expect(':');
    ReadMember(name, &members);
    if (!scanner_.More('}')) break;
  }
  members.end = scanner_.position();
  if (members.type.key.empty()) FailValue("the node has no `type`");
  bool needs_data = members.type.type_index != kTVMFFINone;
  if (needs_data && members.data == nullptr) FailValue("the node has no `data`");
  return members;
}

void JSONReader::ReadMember(const std::string& name, NodeMembers* members) {
  if (name == "type") {
    if (!members->type.key.empty()) FailValue("`type` is repeated");
    members->type = types_.Find(scanner_.ReadString());
  } else if (name == "data") {
    if (members->data != nullptr) FailValue("`data` is repeated");
    scanner_.SkipSpace();
    members->data = scanner_.position();
    scanner_.SkipValue();
  } else {
    FailValue("a node has `type` and `data`, but no `" + name + "`");
  }
}

ffi::Any JSONReader::ReadData(const FileType& type) {
  if (type.codec == nullptr) return ReadBuiltin(type.type_index);
  place_.type = type.codec->type;
  if (type.codec->form == DataForm::kFields) return ReadObject(*type.codec);
  return FromHookData(*type.codec, scanner_.SkipValue());
}

// Values of tvm-ffi's own.

ffi::Any JSONReader::ReadBuiltin(int32_t type_index) {
  switch (type_index) {
    case kTVMFFIBool:
      return scanner_.ReadBool();
    case kTVMFFIInt:
      return scanner_.ReadInteger();
    case kTVMFFIFloat:
      return scanner_.ReadFloat();
    case kTVMFFIDataType:
      return ReadDataType();
    case kTVMFFIDevice:
      return ReadDevice();
    case kTVMFFIStr: {
      std::string_view text = scanner_.ReadString();
      return ffi::String(text.data(), text.size());
    }
    case kTVMFFIBytes:
      return ReadBytes();
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIMap:
    case kTVMFFIDict:
      ReadParts();
      return builder_.MakeContainer(type_index, parts_.data(), parts_.data() + parts_.size());
    case kTVMFFIShape:
      return ReadShape();
    default:
      scanner_.ReadNull();
      return nullptr;
  }
}

ffi::Any JSONReader::ReadDevice() {
  scanner_.Expect('[');
  int64_t device_type = scanner_.ReadInteger();
  scanner_.Expect(',');
  int64_t device_id = scanner_.ReadInteger();
  scanner_.Expect(']');
  return MakeDevice(device_type, device_id);
}

ffi::Any JSONReader::ReadBytes() {
  ffi::Bytes bytes;
  if (!DecodeBase64(scanner_.ReadString(), &bytes)) FailValue("the text is not in base 64");
  return bytes;
}

ffi::Any JSONReader::ReadShape() {
  std::vector<int64_t> extents;
  scanner_.Expect('[');
  bool is_empty = scanner_.TryMark(']');
  while (!is_empty) {
    extents.push_back(scanner_.ReadInteger());
    if (!scanner_.More(']')) break;
  }
  return ffi::Shape(std::move(extents));
}

void JSONReader::ReadParts() {
  parts_.clear();
  scanner_.Expect('[');
  if (scanner_.TryMark(']')) return;
  do {
    parts_.push_back(ReadReference());
  } while (scanner_.More(']'));
}

// Objects.

ffi::Any JSONReader::ReadObject(const TypeCodec& codec) {
  ffi::ObjectPtr<ffi::Object> object = codec.Create();
  ReadFields(codec, object.get());
  builder_.Finish(codec, object.get(), &place_);
  return ffi::ObjectRef(std::move(object));
}

void JSONReader::ReadFields(const TypeCodec& codec, ffi::Object* object) {
  scanner_.Expect('{');
  size_t num_read = 0;
  size_t num_fields = codec.steps.size();
  // There is no comma before the first name.
  size_t skip = 1;
  for (; num_read < num_fields; ++num_read, skip = 0) {
    const FieldStep& step = codec.steps[num_read];
    if (!scanner_.TryLabel(step.label.substr(skip))) break;
    ReadField(step, object);
  }
  if (num_read == num_fields && scanner_.TryMark('}')) return;
  ReadFieldsSlowly(codec, num_read, object);
}

void JSONReader::ReadFieldsSlowly(const TypeCodec& codec, size_t num_read, ffi::Object* object) {
  seen_.assign(codec.steps.size(), false);
  std::fill_n(seen_.begin(), num_read, true);
  bool has_more = num_read == 0 ? !scanner_.TryMark('}') : scanner_.More('}');
  while (has_more) {
    int64_t position = ReadName(codec);
    if (position == TypeCodec::kRemoved) {
      scanner_.SkipValue();
      has_more = scanner_.More('}');
      continue;
    }
    auto index = static_cast<size_t>(position);
    place_.field = codec.steps[index].field;
    if (seen_[index]) FailValue("the field is repeated");
    seen_[index] = true;
    ReadField(codec.steps[index], object);
    has_more = scanner_.More('}');
  }
  for (size_t index = 0; index < seen_.size(); ++index) {
    if (seen_[index]) continue;
    place_.field = codec.steps[index].field;
    builder_.StoreMissing(codec, codec.steps[index], object);
  }
}

int64_t JSONReader::ReadName(const TypeCodec& codec) {
  place_.field = nullptr;
  std::string_view name = scanner_.ReadString();
  int64_t position = codec.Find(name);
  if (position == TypeCodec::kUnknown) FailUnknownField(name);
  scanner_.Expect(':');
  return position;
}

void JSONReader::ReadField(const FieldStep& step, ffi::Object* object) {
  place_.field = step.field;
  switch (step.inline_type) {
    case kTVMFFIBool:
      return builder_.StoreBool(step, object, scanner_.ReadBool());
    case kTVMFFIInt:
      return builder_.StoreInteger(step, object, scanner_.ReadInteger());
    case kTVMFFIFloat:
      return builder_.StoreFloat(step, object, ReadExactFloat(step));
    case kTVMFFIDataType:
      return builder_.StoreDataType(step, object, ReadDataType());
    case kTVMFFINone:
      return scanner_.ReadNull();
    case kAnyInline:
      return builder_.Store(step, object, ReadAnyInline());
    default:
      return builder_.Store(step, object, ReadReference());
  }
}

/*! \brief Read a number; one without a point is an integer, and must keep its value. */
double JSONReader::ReadExactFloat(const FieldStep& step) {
  const size_t always_exact = step.field->kind == FieldKind::kFloat32 ? 7 : 15;
  const char* start = scanner_.position();
  double value = scanner_.ReadFloat();
  auto size = static_cast<size_t>(scanner_.position() - start);
  if (__builtin_expect(size <= always_exact, 1)) return value;
  std::string_view text(start, size);
  if (text.find_first_of(".eENI") != std::string_view::npos) return value;
  scanner_.Seek(start);
  CheckExact(*step.field, scanner_.ReadInteger());
  return value;
}

/*! \brief Read a value whose type follows from its first letter and its decimal point. */
ffi::Any JSONReader::ReadAnyInline() {
  scanner_.SkipSpace();
  const char* start = scanner_.position();
  std::string_view text = scanner_.SkipValue();
  scanner_.Seek(start);
  switch (text.front()) {
    case 't':
    case 'f':
      return scanner_.ReadBool();
    case 'n':
      scanner_.ReadNull();
      return nullptr;
    case '"':
      return ReadDataType();
    default:
      bool is_whole = text.find_first_of(".eENI") == std::string_view::npos;
      return is_whole ? ffi::Any(scanner_.ReadInteger()) : ffi::Any(scanner_.ReadFloat());
  }
}

DLDataType JSONReader::ReadDataType() {
  scanner_.Mark();
  if (!dtype_text_.empty() && scanner_.TryLiteral(dtype_text_)) return dtype_;
  std::string text(scanner_.ReadString());
  dtype_ = ffi::StringToDLDataType(text);
  dtype_text_ = '"' + text + '"';
  return dtype_;
}

const ffi::Any& JSONReader::ReadReference() {
  int64_t index = scanner_.ReadInteger();
  bool is_read = starts_.empty() && static_cast<uint64_t>(index) < nodes_.size();
  return __builtin_expect(is_read, 1) ? nodes_[static_cast<size_t>(index)]
                                      : CheckedReference(index);
}

}  // namespace tschema
