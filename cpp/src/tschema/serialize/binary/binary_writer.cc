/*!
 * \file binary_writer.cc
 * \brief Writes a graph as operations of a stack machine, children first.
 */
#include <tschema/binary.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>

#include <deque>
#include <string>
#include <vector>

#include "../../reflection/field_value.h"
#include "../graph_walk.h"
#include "../hash_index.h"
#include "../hook_data.h"
#include "../output.h"
#include "../type_codec.h"
#include "./binary_format.h"

namespace tschema {
namespace {

/*! \brief Writes the body as the walk meets the values, and gathers the tables. */
class BinaryEmitter {
 public:
  static const std::vector<const FieldInfo*>& Edges(const TypeCodec& codec) {
    return codec.binary_edges;
  }

  size_t Open() const { return 0; }

  /*! \brief An id is an object's number, or its position in the table `shared`, marked. */
  void Again(uint64_t* id) {
    if ((*id & kIsShared) == 0) {
      shared_.push_back(*id);
      *id = kIsShared | (shared_.size() - 1);
    }
    body_.Reserve(kMaxLeaf);
    PutOp(Op::kAgain);
    body_.PutVarint(*id & ~kIsShared);
  }

  void Leaf(const TVMFFIAny& value) {
    body_.Reserve(kMaxLeaf);
    switch (value.type_index) {
      case kTVMFFINone:
        return PutOp(Op::kNone);
      case kTVMFFIBool:
        return PutOp(value.v_int64 != 0 ? Op::kTrue : Op::kFalse);
      case kTVMFFIInt:
        PutOp(Op::kInteger);
        return body_.PutZigzag(value.v_int64);
      case kTVMFFIFloat:
        PutOp(Op::kFloat);
        return body_.Put(&value.v_float64, sizeof(double));
      case kTVMFFIDataType:
        PutOp(Op::kDataType);
        return PutDataType(value.v_dtype);
      case kTVMFFIDevice:
        PutOp(Op::kDevice);
        return PutDevice(value.v_device);
      default:
        PutOp(IsString(value.type_index) ? Op::kString : Op::kBytes);
        body_.PutVarint(strings_.IdOf(TextOf(value)));
    }
  }

  uint64_t Close(const GraphFrame& frame) {
    switch (frame.shape) {
      case Shape::kFields:
        WriteFields(*frame.codec, frame.object);
        break;
      case Shape::kSequence:
      case Shape::kMapping:
        WriteContainer(frame);
        break;
      default:
        WriteWhole(frame);
    }
    return num_objects_++;
  }

  /*! \brief Everything, once the walk is done. */
  ffi::Bytes Join();

 private:
  static constexpr uint64_t kIsShared = uint64_t{1} << 63;
  /*! \brief The most bytes of an operation and its operands, except for counted ones. */
  static constexpr size_t kMaxLeaf = 64;

  void PutOp(Op op) { body_.Put(static_cast<char>(op)); }

  void PutDevice(DLDevice device) {
    body_.PutZigzag(device.device_type);
    body_.PutZigzag(device.device_id);
  }

  void PutDataType(DLDataType dtype) {
    if (dtypes_.size() == 0 || dtype != last_dtype_) {
      TVMFFIAny value{};
      value.type_index = kTVMFFIDataType;
      value.v_dtype = dtype;
      last_dtype_ = dtype;
      last_dtype_id_ = dtypes_.IdOf(value);
    }
    body_.PutVarint(last_dtype_id_);
  }

  /*! \brief Position of a type in the table, which it enters if it is new. */
  uint64_t IdOf(const TypeCodec& codec) {
    auto [id, is_new] = type_ids_.Insert(&codec, types_.size());
    if (is_new) types_.push_back(&codec);
    return *id;
  }

  void WriteFields(const TypeCodec& codec, const ffi::Object* object) {
    body_.Reserve((codec.steps.size() + 1) * Output::kMaxNumber);
    body_.PutVarint(static_cast<uint64_t>(Op::kFirstType) + IdOf(codec));
    for (const FieldStep& step : codec.steps) PutField(step, object);
  }

  void PutField(const FieldStep& step, const ffi::Object* object) {
    const FieldInfo& field = *step.field;
    switch (step.wire) {
      case Wire::kBool:
        return body_.Put(static_cast<char>(field.Get<bool>(object)));
      case Wire::kInteger:
        return body_.PutZigzag(ReadInteger(field, object));
      case Wire::kFloat32:
        return body_.Put(&field.Get<float>(object), sizeof(float));
      case Wire::kFloat64:
        return body_.Put(&field.Get<double>(object), sizeof(double));
      case Wire::kDataType:
        return PutDataType(field.Get<DLDataType>(object));
      case Wire::kDevice:
        return PutDevice(field.Get<DLDevice>(object));
      case Wire::kString:
        return body_.PutVarint(strings_.IdOf(TextOf(field.Get<TVMFFIAny>(object))));
      case Wire::kValue:
        return;
    }
  }

  static Op OpOf(int32_t type_index) {
    switch (type_index) {
      case kTVMFFIArray:
        return Op::kArray;
      case kTVMFFIList:
        return Op::kList;
      case kTVMFFIMap:
        return Op::kMap;
      default:
        return Op::kDict;
    }
  }

  void WriteContainer(const GraphFrame& frame) {
    body_.Reserve(kMaxLeaf);
    PutOp(OpOf(frame.object->type_index()));
    body_.PutVarint(frame.shape == Shape::kMapping ? frame.position / 2 : frame.position);
  }

  void WriteWhole(const GraphFrame& frame) {
    body_.Reserve(kMaxLeaf);
    if (frame.codec != nullptr) {
      PutOp(Op::kHook);
      body_.PutVarint(IdOf(*frame.codec));
      body_.PutVarint(strings_.IdOf(made_.emplace_back(HookData(*frame.codec, frame.object))));
      return;
    }
    const auto* shape = static_cast<const ffi::ShapeObj*>(frame.object);
    body_.Reserve((shape->size + 2) * Output::kMaxNumber);
    PutOp(Op::kShape);
    body_.PutVarint(shape->size);
    for (size_t index = 0; index < shape->size; ++index) body_.PutZigzag(shape->data[index]);
  }

  // The tables.

  void WriteTypes(Output* output);
  void WriteStrings(Output* output);
  void WriteDataTypes(Output* output);
  void WriteShared(Output* output);

  Output body_;
  TextTable strings_;
  PlainTable dtypes_;
  DLDataType last_dtype_{};
  uint32_t last_dtype_id_ = 0;
  PointerMap<uint64_t> type_ids_;
  std::vector<const TypeCodec*> types_;
  uint64_t num_objects_ = 0;
  std::vector<uint64_t> shared_;
  /*! \brief Texts that hooks made. */
  std::deque<std::string> made_;
};

void BinaryEmitter::WriteTypes(Output* output) {
  output->Reserve(Output::kMaxNumber);
  output->PutVarint(types_.size());
  for (const TypeCodec* codec : types_) {
    output->Reserve((codec->steps.size() + 2) * Output::kMaxNumber);
    output->PutVarint(strings_.IdOf(codec->type->key));
    output->PutVarint(codec->steps.size());
    for (const FieldStep& step : codec->steps) {
      output->PutVarint(strings_.IdOf(step.field->name));
      output->Put(static_cast<char>(step.wire));
    }
  }
}

void BinaryEmitter::WriteStrings(Output* output) {
  output->Reserve(Output::kMaxNumber);
  output->PutVarint(strings_.texts().size());
  for (std::string_view text : strings_.texts()) {
    output->Reserve(text.size() + Output::kMaxNumber);
    output->PutVarint(text.size());
    output->Put(text);
  }
}

void BinaryEmitter::WriteDataTypes(Output* output) {
  output->Reserve(dtypes_.size() * sizeof(DLDataType) + Output::kMaxNumber);
  output->PutVarint(dtypes_.size());
  for (uint32_t id = 0; id < dtypes_.size(); ++id) {
    uint64_t bits = dtypes_.BitsOf(id);
    output->Put(&bits, sizeof(DLDataType));
  }
}

void BinaryEmitter::WriteShared(Output* output) {
  output->Reserve((shared_.size() + 1) * Output::kMaxNumber);
  output->PutVarint(shared_.size());
  int64_t last = 0;
  for (uint64_t number : shared_) {
    output->PutZigzag(static_cast<int64_t>(number) - last);
    last = static_cast<int64_t>(number);
  }
}

ffi::Bytes BinaryEmitter::Join() {
  // Writing the types adds keys and names to the strings, which come first in the file.
  Output types;
  WriteTypes(&types);
  Output head;
  head.Reserve(Output::kMaxNumber);
  head.Put(kBinaryMagic);
  head.PutVarint(kBinaryVersion);
  WriteStrings(&head);
  WriteDataTypes(&head);
  head.Append(types.view());
  WriteShared(&head);
  head.Reserve(Output::kMaxNumber);
  head.PutVarint(body_.size());
  head.Append(body_.view());
  return head.TakeBytes();
}

}  // namespace

ffi::Bytes SaveBinary(ffi::AnyView value) {
  ffi::Any root(value);
  BinaryEmitter emitter;
  // The tables have views of values that the walk keeps: it must live as long as they do.
  GraphWalk<BinaryEmitter> walk(&emitter);
  walk.Run(RawOf(root));
  return emitter.Join();
}

}  // namespace tschema
