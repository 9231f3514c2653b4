/*!
 * \file binary_reader_body.cc
 * \brief Runs the operations of a binary file.
 */
#include <tschema/release.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>

#include <iterator>
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
    case Op::kList:
      return ReadSequence(op);
    case Op::kMap:
      return ReadMapping<ffi::Map<ffi::Any, ffi::Any>>();
    case Op::kDict:
      return ReadMapping<ffi::Dict<ffi::Any, ffi::Any>>();
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
  place_.type = type.program->type;
  size_t first = Parts(type.num_parts);
  ffi::ObjectPtr<ffi::Object> object = type.program->Create();
  size_t part = first;
  for (const FileField& field : type.fields) ReadField(field, object.get(), &part);
  for (const FieldStep* step : type.missing) {
    place_.field = step->field;
    builder_.StoreMissing(*type.program, *step, object.get());
  }
  builder_.Finish(*type.program, object.get(), &place_);
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

ffi::Any BinaryReader::ReadHook() {
  uint64_t type_id = scanner_.ReadVarint();
  if (type_id >= types_.size()) FailValue("there is no type " + std::to_string(type_id));
  const TypeProgram& program = *types_[type_id].program;
  place_.type = program.type;
  if (program.form == DataForm::kFields) FailType("objects of the type have fields");
  std::string_view text = ReadText().text;
  // The hook's own parser recurses; this one has a limit.
  JSONScanner scanner(text);
  scanner.SkipValue();
  scanner.ExpectEnd();
  return FromHookData(program, text);
}

// Values of tvm-ffi's own.

ffi::Any BinaryReader::ReadShape() {
  std::vector<int64_t> extents(scanner_.ReadCount(1));
  for (int64_t& extent : extents) extent = scanner_.ReadZigzag();
  return ffi::Shape(std::move(extents));
}

ffi::Any BinaryReader::ReadSequence(Op op) {
  size_t first = Parts(scanner_.ReadVarint());
  auto begin = std::make_move_iterator(stack_.begin() + static_cast<int64_t>(first));
  auto end = std::make_move_iterator(stack_.end());
  ffi::Any sequence;
  if (op == Op::kArray) {
    sequence = DestroyedIteratively(ffi::Array<ffi::Any>(begin, end));
  } else {
    sequence = DestroyedIteratively(ffi::List<ffi::Any>(begin, end));
  }
  DropParts(first);
  return sequence;
}

template <typename Mapping>
ffi::Any BinaryReader::ReadMapping() {
  uint64_t count = scanner_.ReadVarint();
  if (count > stack_.size()) Parts(count);
  size_t first = Parts(count * 2);
  entries_.clear();
  for (size_t index = first; index < stack_.size(); index += 2) {
    entries_.emplace_back(std::move(stack_[index]), std::move(stack_[index + 1]));
  }
  DropParts(first);
  Mapping mapping(entries_.begin(), entries_.end());
  if (mapping.size() != entries_.size()) FailValue("a mapping has a key twice");
  entries_.clear();
  return DestroyedIteratively(std::move(mapping));
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
  auto read = [this] {
    int64_t value = scanner_.ReadZigzag();
    bool fits = value == static_cast<int32_t>(value);
    if (!fits) FailValue(std::to_string(value) + " is out of the range of `int32`");
    return static_cast<int32_t>(value);
  };
  DLDevice device{};
  device.device_type = static_cast<DLDeviceType>(read());
  device.device_id = read();
  return device;
}

}  // namespace tschema
