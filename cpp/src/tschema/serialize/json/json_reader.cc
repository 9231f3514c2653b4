/*!
 * \file json_reader.cc
 * \brief Reads a complete JSON graph, with its nodes in any order.
 */
#include "./json_reader.h"

#include <tschema/json.h>
#include <tvm/ffi/error.h>

#include <algorithm>

namespace tschema {

LoadPlace JSONReader::place() const {
  LoadPlace place = place_;
  place.offset = scanner_.offset();
  return place;
}

ffi::Any JSONReader::Read() {
  ReadTop();
  return Root();
}

void JSONReader::ReadTop() {
  bool has_nodes = false;
  bool has_metadata = false;
  scanner_.Expect('{');
  bool is_empty = scanner_.TryMark('}');
  while (!is_empty) {
    std::string name(scanner_.ReadString());
    bool is_repeated = (name == "nodes" && has_nodes) || (name == "root_index" && root_ >= 0) ||
                       (name == "metadata" && has_metadata);
    if (is_repeated) FailValue("`" + name + "` is repeated");
    scanner_.Expect(':');
    if (name == "nodes") {
      has_nodes = true;
      ReadNodes();
    } else if (name == "root_index") {
      root_start_ = scanner_.position();
      root_ = scanner_.ReadInteger();
      if (root_ < 0) FailValue("`root_index` is negative");
    } else if (name == "metadata") {
      has_metadata = true;
      ReadMetadata();
    } else {
      scanner_.SkipValue();
    }
    if (!scanner_.More('}')) break;
  }
  scanner_.ExpectEnd();
  if (!has_nodes) FailValue("`nodes` is missing");
  if (root_ < 0) FailValue("`root_index` is missing");
}

void JSONReader::ReadMetadata() {
  if (!scanner_.TryMark('{')) {
    scanner_.SkipValue();
    return;
  }
  if (scanner_.TryMark('}')) return;
  do {
    std::string name(scanner_.ReadString());
    scanner_.Expect(':');
    if (name == "tschema_json") {
      CheckVersion();
    } else if (name == kValueFieldsMember) {
      ReadValueFields();
    } else {
      scanner_.SkipValue();
    }
  } while (scanner_.More('}'));
}

void JSONReader::CheckVersion() {
  int64_t version = scanner_.ReadInteger();
  if (version >= 1 && version <= kJSONVersion) return;
  FailValue("the text has version " + std::to_string(version) +
            " of the format, and only versions up to " + std::to_string(kJSONVersion) +
            " are known; a newer version wrote it");
}

void JSONReader::ReadValueFields() {
  value_fields_.Read(&scanner_);
  types_.FindBy([this](std::string_view key) { return value_fields_.Find(key); });
  if (nodes_start_ != nullptr) ReadNodesAgain();
}

/*! \brief Read the nodes of a text whose metadata come after them. */
void JSONReader::ReadNodesAgain() {
  const char* end = scanner_.position();
  scanner_.Seek(nodes_start_);
  nodes_.Clear();
  starts_.clear();
  ReadNodes();
  scanner_.Seek(end);
}

ffi::Any JSONReader::Root() {
  if (static_cast<size_t>(root_) < nodes_.size()) return nodes_[static_cast<size_t>(root_)];
  scanner_.Seek(root_start_);
  FailValue("`root_index` is " + std::to_string(root_) + ", but there are " +
            std::to_string(nodes_.size()) + " nodes");
}

void JSONReader::ReadNodes() {
  nodes_start_ = scanner_.position();
  try {
    ReadNodesInOrder();
  } catch (const ForwardReference&) {
    scanner_.Seek(nodes_start_);
    nodes_.Clear();
    ReadNodesByReference();
  }
  place_ = LoadPlace{};
}

void JSONReader::ReadNodesInOrder() {
  constexpr size_t kUsualNodeSize = 64;
  scanner_.Expect('[');
  if (scanner_.TryMark(']')) return;
  nodes_.Reserve(size_ / kUsualNodeSize);
  do {
    place_.index = static_cast<int64_t>(nodes_.size());
    nodes_.Add(ReadNode());
  } while (scanner_.More(']'));
}

// Nodes that refer forward.

void JSONReader::ReadNodesByReference() {
  place_ = LoadPlace{};
  FindNodes();
  const char* end = scanner_.position();
  nodes_.Resize(starts_.size());
  states_.assign(starts_.size(), NodeState::kNew);
  for (size_t node = 0; node < starts_.size(); ++node) ReadFrom(node);
  scanner_.Seek(end);
}

void JSONReader::FindNodes() {
  scanner_.Expect('[');
  if (scanner_.TryMark(']')) return;
  do {
    scanner_.SkipSpace();
    starts_.push_back(scanner_.position());
    scanner_.SkipValue();
  } while (scanner_.More(']'));
}

void JSONReader::ReadFrom(size_t root) {
  pending_.assign(1, root);
  while (!pending_.empty()) {
    size_t node = pending_.back();
    place_ = LoadPlace{};
    place_.index = static_cast<int64_t>(node);
    scanner_.Seek(starts_[node]);
    if (states_[node] == NodeState::kNew) {
      states_[node] = NodeState::kOpen;
      PushReferences(node);
      continue;
    }
    pending_.pop_back();
    if (states_[node] == NodeState::kDone) continue;
    nodes_[node] = ReadNode();
    states_[node] = NodeState::kDone;
  }
}

void JSONReader::PushReferences(size_t node) {
  NodeMembers members = ReadMembers();
  if (members.data == nullptr) return;
  scanner_.Seek(members.data);
  AddReferences(members.type);
  // The first reference is read first.
  size_t top = pending_.size();
  while (pending_[top - 1] != node) --top;
  std::reverse(pending_.begin() + static_cast<int64_t>(top), pending_.end());
}

void JSONReader::AddReferences(const FileType& type) {
  switch (type.type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIMap:
    case kTVMFFIDict:
      scanner_.Expect('[');
      if (scanner_.TryMark(']')) return;
      do {
        AddReference();
      } while (scanner_.More(']'));
      return;
    default:
      bool has_fields = type.codec != nullptr && type.codec->form == DataForm::kFields;
      if (has_fields) {
        AddFieldReferences(*type.codec);
      } else {
        scanner_.SkipValue();
      }
  }
}

void JSONReader::AddFieldReferences(const TypeCodec& codec) {
  place_.type = codec.type;
  scanner_.Expect('{');
  if (scanner_.TryMark('}')) return;
  do {
    int64_t index = ReadName(codec);
    bool is_removed = index == TypeCodec::kRemoved;
    if (is_removed || codec.steps[static_cast<size_t>(index)].is_inline()) {
      scanner_.SkipValue();
    } else {
      AddReference();
    }
  } while (scanner_.More('}'));
}

void JSONReader::AddReference() {
  int64_t index = scanner_.ReadInteger();
  bool is_node = index >= 0 && static_cast<size_t>(index) < nodes_.size();
  if (!is_node) {
    FailValue("there is no node " + std::to_string(index) + ", only " +
              std::to_string(nodes_.size()));
  }
  auto node = static_cast<size_t>(index);
  if (states_[node] == NodeState::kOpen) {
    FailValue("node " + std::to_string(index) + " leads back to itself");
  }
  if (states_[node] == NodeState::kNew) pending_.push_back(node);
}

const ffi::Any& JSONReader::CheckedReference(int64_t index) {
  bool is_done = !starts_.empty() && index >= 0 && static_cast<size_t>(index) < nodes_.size() &&
                 states_[static_cast<size_t>(index)] == NodeState::kDone;
  if (is_done) return nodes_[static_cast<size_t>(index)];
  if (index < 0) FailValue("there is no node " + std::to_string(index));
  throw ForwardReference();
}

}  // namespace tschema
