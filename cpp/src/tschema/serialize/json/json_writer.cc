/*!
 * \file json_writer.cc
 * \brief Writes a graph in the JSON schema of tvm-ffi's `ToJSONGraph`, node for node the same.
 *
 * Strings, numbers and other plain values are nodes too; equal ones are one node.
 */
#include <tschema/json.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "../../reflection/field_value.h"
#include "../graph_walk.h"
#include "../hash_index.h"
#include "../hook_data.h"
#include "../json_text.h"
#include "../output.h"
#include "../type_codec.h"
#include "./value_fields.h"

namespace tschema {
namespace {

constexpr uint32_t kNotWritten = UINT32_MAX;

/*! \brief Writes nodes as the walk meets them, and keeps the indices of those not yet used. */
class JSONEmitter {
 public:
  explicit JSONEmitter(Output* output) : output_(output) {}

  /*! \brief The walk that calls, for messages. */
  void SetWalk(const GraphWalk<JSONEmitter>* walk) { walk_ = walk; }

  static const std::vector<const FieldInfo*>& Edges(const TypeCodec& codec) {
    return codec.json_edges;
  }

  size_t Open() const { return indices_.size(); }
  void Again(const uint64_t* node) { indices_.Push(static_cast<uint32_t>(*node)); }
  void Leaf(const TVMFFIAny& value) { indices_.Push(LeafNode(value)); }

  uint64_t Close(const GraphFrame& frame) {
    uint32_t node = WriteObject(frame);
    indices_.Truncate(frame.mark);
    indices_.Push(node);
    return node;
  }

  uint32_t root() const { return indices_[0]; }

  /*! \brief Write the text before the nodes, once the walk is done. */
  void WriteHead(Output* head) const {
    head->Append(R"({"metadata":{"tschema_json":)");
    head->Reserve(Output::kMaxNumber);
    head->PutInteger(kJSONVersion);
    if (!types_.empty()) WriteValueFields(head);
    head->Append(R"(},"nodes":[)");
  }

 private:
  /*! \brief Put the types whose fields hold values, with these fields, in the order of first use.
   */
  void WriteValueFields(Output* head) const {
    head->Append(",\"");
    head->Append(kValueFieldsMember);
    head->Append("\":{");
    bool is_first = true;
    for (const TypeCodec* codec : types_) {
      if (codec->value_fields.back() != ']') continue;
      if (!is_first) head->Append(",");
      head->Append(codec->value_fields);
      is_first = false;
    }
    head->Append("}");
  }

  /*! \brief Note that the file has objects of a type. */
  void NoteType(const TypeCodec& codec) {
    // Codecs are larger than this, so that neighbors have different places.
    constexpr size_t kStride = 64;
    const size_t place = reinterpret_cast<uintptr_t>(&codec) / kStride % recent_types_.size();
    const TypeCodec*& recent = recent_types_[place];
    if (__builtin_expect(recent == &codec, 1)) return;
    recent = &codec;
    const bool is_known = std::find(types_.begin(), types_.end(), &codec) != types_.end();
    if (!is_known) types_.push_back(&codec);
  }

  /*! \brief Begin a node, with room for a short one. */
  uint32_t BeginNode(size_t size = 64) {
    node_size_ = size + Output::kMaxNumber + Output::kPadding;
    output_->Reserve(node_size_);
    if (num_nodes_ != 0) output_->Put(',');
    return num_nodes_++;
  }

  /*! \brief Begin a node of tvm-ffi's own types. */
  uint32_t BeginNode(std::string_view type_key) {
    uint32_t node = BeginNode();
    output_->Put(R"({"type":")");
    output_->Put(type_key);
    output_->Put(R"(","data":)");
    return node;
  }

  // Leaves.

  uint32_t LeafNode(const TVMFFIAny& value) {
    if (value.type_index == kTVMFFINone) {
      if (none_ == kNotWritten) {
        none_ = BeginNode();
        output_->Put(R"({"type":"None"})");
      }
      return none_;
    }
    if (IsString(value.type_index)) return TextNode(value, &strings_, &string_nodes_);
    if (IsBytes(value.type_index)) return TextNode(value, &bytes_, &bytes_nodes_);
    uint32_t id = plain_.IdOf(value);
    if (id == plain_nodes_.size()) plain_nodes_.push_back(WritePlain(value));
    return plain_nodes_[id];
  }

  uint32_t TextNode(const TVMFFIAny& value, TextTable* table, std::vector<uint32_t>* nodes) {
    uint32_t id = table->IdOf(TextOf(value));
    if (id == nodes->size()) nodes->push_back(WriteText(value));
    return (*nodes)[id];
  }

  uint32_t WriteText(const TVMFFIAny& value) {
    bool is_string = IsString(value.type_index);
    uint32_t node =
        BeginNode(is_string ? ffi::StaticTypeKey::kTVMFFIStr : ffi::StaticTypeKey::kTVMFFIBytes);
    WriteString(is_string ? TextOf(value) : std::string_view(EncodeBase64(TextOf(value))));
    output_->Append("}");
    return node;
  }

  uint32_t WritePlain(const TVMFFIAny& value) {
    uint32_t node = BeginNode(ffi::TypeIndexToTypeKey(value.type_index));
    if (value.type_index == kTVMFFIDevice) {
      output_->Put('[');
      output_->PutInteger(value.v_device.device_type);
      output_->Put(',');
      output_->PutInteger(value.v_device.device_id);
      output_->Put(']');
    } else {
      PutInline(value);
    }
    output_->Append("}");
    return node;
  }

  void WriteString(std::string_view text) {
    if (AppendJSONString(text, output_)) return;
    TVM_FFI_THROW(ValueError) << "cannot save a String that is not UTF-8 as JSON: "
                              << ffi::EscapedStringPy(ffi::String(text.data(), text.size()))
                              << ", at " << walk_->Path() << "; Bytes and the binary form hold any";
  }

  // Objects.

  uint32_t WriteObject(const GraphFrame& frame) {
    switch (frame.shape) {
      case Shape::kFields:
        return WriteFields(frame);
      case Shape::kSequence:
      case Shape::kMapping:
        return WriteIndices(frame);
      default:
        return frame.codec == nullptr ? WriteShape(frame.object) : WriteHook(frame);
    }
  }

  uint32_t WriteFields(const GraphFrame& frame) {
    const TypeCodec& codec = *frame.codec;
    NoteType(codec);
    uint32_t node = BeginNode(codec.json_size);
    output_->PutLabel(codec.json_head.data(), codec.json_head.size());
    if (codec.steps.empty()) {
      output_->Put("{}}");
      return node;
    }
    size_t next_index = frame.mark;
    for (const FieldStep& step : codec.steps) {
      if (&step != codec.steps.data()) {
        output_->PutLabel(step.label.data(), step.label.size());
      }
      if (step.is_inline()) {
        PutField(*step.field, frame.object);
      } else {
        output_->PutInteger(indices_[next_index++]);
      }
    }
    output_->Put("}}");
    return node;
  }

  void PutField(const FieldInfo& field, const ffi::Object* object) {
    if (field.kind == FieldKind::kForeign) {
      PutInline(RawOf(field.Read(object)));
    } else if (field.kind == FieldKind::kDataType) {
      PutDataType(field.Get<DLDataType>(object));
    } else {
      PutInline(ReadField(field, object));
    }
  }

  void PutInline(const TVMFFIAny& value) {
    switch (value.type_index) {
      case kTVMFFINone:
        return output_->Put("null");
      case kTVMFFIBool:
        return output_->Put(value.v_int64 != 0 ? "true" : "false");
      case kTVMFFIFloat:
        return PutJSONFloat(value.v_float64, output_);
      case kTVMFFIDataType:
        return PutDataType(value.v_dtype);
      default:
        return output_->PutInteger(value.v_int64);
    }
  }

  void PutDataType(DLDataType dtype) {
    if (dtype != dtype_ || dtype_text_.empty()) {
      dtype_ = dtype;
      dtype_text_ = '"' + std::string(ffi::DLDataTypeToString(dtype)) + '"';
    }
    if (dtype_text_.size() > Output::kMaxNumber) output_->Reserve(dtype_text_.size() + node_size_);
    output_->Put(dtype_text_);
  }

  uint32_t WriteIndices(const GraphFrame& frame) {
    uint32_t node = BeginNode(ffi::TypeIndexToTypeKey(frame.object->type_index()));
    PutList(indices_.size() - frame.mark, [&](size_t at) { return indices_[frame.mark + at]; });
    return node;
  }

  uint32_t WriteShape(const ffi::Object* object) {
    const auto* shape = static_cast<const ffi::ShapeObj*>(object);
    uint32_t node = BeginNode(ffi::StaticTypeKey::kTVMFFIShape);
    PutList(shape->size, [shape](size_t at) { return shape->data[at]; });
    return node;
  }

  template <typename NumberAt>
  void PutList(size_t size, NumberAt number_at) {
    output_->Reserve(size * Output::kMaxNumber + 4);
    output_->Put('[');
    for (size_t at = 0; at < size; ++at) {
      if (at != 0) output_->Put(',');
      output_->PutInteger(number_at(at));
    }
    output_->Put("]}");
  }

  uint32_t WriteHook(const GraphFrame& frame) {
    std::string data = HookData(*frame.codec, frame.object);
    uint32_t node = BeginNode(frame.codec->json_head.size());
    output_->Put(frame.codec->json_head);
    output_->Append(data);
    output_->Append("}");
    return node;
  }

  Output* output_;
  const GraphWalk<JSONEmitter>* walk_ = nullptr;
  /*! \brief Bytes that were reserved for the present node. */
  size_t node_size_ = 0;
  uint32_t num_nodes_ = 0;
  uint32_t none_ = kNotWritten;
  Stack<uint32_t> indices_;
  TextTable strings_;
  TextTable bytes_;
  PlainTable plain_;
  std::vector<uint32_t> string_nodes_;
  std::vector<uint32_t> bytes_nodes_;
  std::vector<uint32_t> plain_nodes_;
  DLDataType dtype_{};
  std::string dtype_text_;
  /*! \brief Types with fields, in the order of first use; and the last ones, by address. */
  std::vector<const TypeCodec*> types_;
  std::array<const TypeCodec*, 64> recent_types_{};
};

}  // namespace

ffi::String SaveJSON(ffi::AnyView value) {
  ffi::Any root(value);
  constexpr size_t kHeadroom = 4096;
  Output output(kHeadroom);
  JSONEmitter emitter(&output);
  GraphWalk<JSONEmitter> walk(&emitter);
  emitter.SetWalk(&walk);
  walk.Run(RawOf(root));
  output.Append(R"(],"root_index":)" + std::to_string(emitter.root()) + "}");
  Output head;
  emitter.WriteHead(&head);
  output.Prepend(head.view());
  return output.TakeString();
}

}  // namespace tschema
