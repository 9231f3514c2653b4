/*!
 * \file binary_reader_body.cc
 * \brief Runs the operations of a binary file.
 */
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/dtype.h>

#include <string>

#include "../hook_data.h"
#include "../json/json_scanner.h"
#include "./binary_reader.h"

namespace tschema {

void BinaryReader::ReadOperation() {
  operation_offset_ = scanner_.offset();
  ++place_.index;
  place_.type = nullptr;
  place_.field = nullptr;
  uint64_t op = scanner_.ReadVarint();
  constexpr auto kFirstType = static_cast<uint64_t>(Op::kFirstType);
  if (op >= kFirstType) {
    Push(ReadObject(op - kFirstType));
  } else if (op < static_cast<uint64_t>(Op::kAgain)) {
    stack_.push_back(ReadLeaf(static_cast<Op>(op)));
  } else if (op == static_cast<uint64_t>(Op::kAgain)) {
    stack_.push_back(ReadAgain());
  } else {
    Push(ReadObjectOf(static_cast<Op>(op)));
  }
}

ffi::Any BinaryReader::ReadLeaf(Op op) {
  switch (op) {
    case Op::kFalse:
      return false;
    case Op::kTrue:
      return true;
    case Op::kInteger:
      return scanner_.ReadZigzag();
    case Op::kFloat:
      return scanner_.Read<double>();
    case Op::kString:
      return ReadString();
    case Op::kBytes: {
      Text& text = ReadText();
      if (text.bytes == nullptr) text.bytes = ffi::Bytes(text.text.data(), text.text.size());
      return text.bytes;
    }
    case Op::kDataType:
      return ReadDataType();
    case Op::kDevice:
      return ReadDevice();
    default:
      return nullptr;
  }
}

ffi::Any BinaryReader::ReadObjectOf(Op op) {
  switch (op) {
    case Op::kArray:
      return ReadContainer(kTVMFFIArray, 1);
    case Op::kList:
      return ReadContainer(kTVMFFIList, 1);
    case Op::kMap:
      return ReadContainer(kTVMFFIMap, 2);
    case Op::kDict:
      return ReadContainer(kTVMFFIDict, 2);
    case Op::kShape:
      return ReadShape();
    default:
      return ReadHook();
  }
}

/*! \brief Push an object, and keep it if it is used again. */
void BinaryReader::Push(ffi::Any object) {
  bool is_shared =
      num_shared_ < shared_numbers_.size() && shared_numbers_[num_shared_].first == num_objects_;
  if (is_shared) shared_[shared_numbers_[num_shared_++].second] = object;
  ++num_objects_;
  stack_.push_back(std::move(object));
}

ffi::Any BinaryReader::ReadAgain() {
  uint64_t index = scanner_.ReadVarint();
  bool is_there = index < shared_.size() && shared_[index] != nullptr;
  if (!is_there) FailValue("an object is used again before it is there");
  return shared_[index];
}

size_t BinaryReader::Parts(uint64_t count) {
  if (count > stack_.size()) {
    FailValue("the value has " + std::to_string(count) + " parts, but only " +
              std::to_string(stack_.size()) + " values are there");
  }
  return stack_.size() - static_cast<size_t>(count);
}

void BinaryReader::DropParts(size_t first) {
  while (stack_.size() > first) stack_.pop_back();
}

// Objects.

ffi::Any BinaryReader::ReadObject(uint64_t type_id) {
  if (type_id >= types_.size()) FailValue("there is no type " + std::to_string(type_id));
  const FileTypeInfo& type = types_[type_id];
  place_.type = type.codec->type;
  size_t first = Parts(type.num_parts);
  ffi::ObjectPtr<ffi::Object> object = type.codec->Create();
  size_t part = first;
  for (const FileField& field : type.fields) {
    if (__builtin_expect(field.step == nullptr, 0)) {
      SkipField(field.wire, &part);
    } else {
      ReadField(field, object.get(), &part);
    }
  }
  for (const FieldStep* step : type.missing) {
    place_.field = step->field;
    builder_.StoreMissing(*type.codec, *step, object.get());
  }
  builder_.Finish(*type.codec, object.get(), &place_);
  DropParts(first);
  return ffi::ObjectRef(std::move(object));
}

void BinaryReader::ReadField(const FileField& field, ffi::Object* object, size_t* part) {
  const FieldStep& step = *field.step;
  place_.field = step.field;
  switch (field.wire) {
    case Wire::kBool:
      return builder_.StoreBool(step, object, ReadBool());
    case Wire::kInteger:
      return builder_.StoreInteger(step, object, scanner_.ReadZigzag());
    case Wire::kFloat32:
      return builder_.StoreFloat(step, object, scanner_.Read<float>());
    case Wire::kFloat64:
      return builder_.StoreFloat(step, object, scanner_.Read<double>());
    case Wire::kDataType:
      return builder_.StoreDataType(step, object, ReadDataType());
    case Wire::kDevice:
      return builder_.StoreDevice(step, object, ReadDevice());
    case Wire::kString:
      return builder_.Store(step, object, ReadString());
    case Wire::kValue:
      return builder_.Store(step, object, std::move(stack_[(*part)++]));
  }
}

void BinaryReader::SkipField(Wire wire, size_t* part) {
  place_.field = nullptr;
  switch (wire) {
    case Wire::kBool:
      ReadBool();
      return;
    case Wire::kInteger:
      scanner_.ReadZigzag();
      return;
    case Wire::kFloat32:
      scanner_.Read<float>();
      return;
    case Wire::kFloat64:
      scanner_.Read<double>();
      return;
    case Wire::kDataType:
      ReadDataType();
      return;
    case Wire::kDevice:
      ReadDevice();
      return;
    case Wire::kString:
      ReadText();
      return;
    case Wire::kValue:
      ++*part;
      return;
  }
}

ffi::Any BinaryReader::ReadHook() {
  uint64_t type_id = scanner_.ReadVarint();
  if (type_id >= types_.size()) FailValue("there is no type " + std::to_string(type_id));
  const TypeCodec& codec = *types_[type_id].codec;
  place_.type = codec.type;
  if (codec.form == DataForm::kFields) FailType("objects of the type have fields");
  std::string_view text = ReadText().text;
  // The hook's own parser recurses; this one has a limit.
  JSONScanner scanner(text);
  scanner.SkipValue();
  scanner.ExpectEnd();
  return FromHookData(codec, text);
}

// Values of tvm-ffi's own.

ffi::Any BinaryReader::ReadShape() {
  std::vector<int64_t> extents(scanner_.ReadCount(1));
  for (int64_t& extent : extents) extent = scanner_.ReadZigzag();
  return ffi::Shape(std::move(extents));
}

ffi::Any BinaryReader::ReadContainer(int32_t type_index, uint64_t parts_of_one) {
  uint64_t count = scanner_.ReadVarint();
  if (count > stack_.size()) Parts(count);  // Refuses it, before the product can overflow.
  size_t first = Parts(count * parts_of_one);
  ffi::Any* begin = stack_.data() + first;
  ffi::Any container = builder_.MakeContainer(type_index, begin, stack_.data() + stack_.size());
  DropParts(first);
  return container;
}

BinaryReader::Text& BinaryReader::ReadText() {
  uint64_t index = scanner_.ReadVarint();
  if (index >= texts_.size()) FailValue("there is no string " + std::to_string(index));
  return texts_[index];
}

const ffi::Any& BinaryReader::ReadString() {
  Text& text = ReadText();
  if (text.string == nullptr) text.string = ffi::String(text.text.data(), text.text.size());
  return text.string;
}

bool BinaryReader::ReadBool() {
  auto byte = scanner_.Read<uint8_t>();
  if (byte > 1) FailValue("a `bool` must be 0 or 1, found " + std::to_string(byte));
  return byte == 1;
}

DLDataType BinaryReader::ReadDataType() {
  uint64_t index = scanner_.ReadVarint();
  if (index >= dtypes_.size()) FailValue("there is no data type " + std::to_string(index));
  return dtypes_[index];
}

DLDevice BinaryReader::ReadDevice() {
  int64_t device_type = scanner_.ReadZigzag();
  return MakeDevice(device_type, scanner_.ReadZigzag());
}

}  // namespace tschema
