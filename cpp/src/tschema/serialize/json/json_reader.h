/*!
 * \file json_reader.h
 * \brief Reads a graph in the JSON schema of tvm-ffi's `ToJSONGraph`.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_JSON_JSON_READER_H_
#define TSCHEMA_SRC_SERIALIZE_JSON_JSON_READER_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../load_error.h"
#include "../node_table.h"
#include "../object_builder.h"
#include "../type_lookup.h"
#include "./json_scanner.h"
#include "./value_fields.h"

namespace tschema {

/*!
 * \brief One pass where nodes come before those that refer to them, as both writers have it.
 *
 * Where one does not, the nodes are found first and then read in the order of their references.
 */
class JSONReader {
 public:
  explicit JSONReader(std::string_view text) : scanner_(text), size_(text.size()) {}

  /*! \throws TypeError, ValueError without a place. */
  ffi::Any Read();
  /*! \brief The position of the reader. */
  LoadPlace place() const;

 private:
  /*! \brief Thrown when a node refers to one that has not been read. */
  struct ForwardReference {};
  enum class NodeState : uint8_t { kNew, kOpen, kDone };

  /*! \brief The members of a node read so far; its data are read once its type is known. */
  struct NodeMembers {
    FileType type;
    const char* data = nullptr;
    const char* end = nullptr;
  };

  // The whole.
  void ReadTop();
  void ReadMetadata();
  void CheckVersion();
  void ReadValueFields();
  void ReadNodes();
  void ReadNodesAgain();
  void ReadNodesInOrder();
  ffi::Any Root();

  // Nodes that refer forward.
  void ReadNodesByReference();
  void FindNodes();
  void ReadFrom(size_t root);
  void PushReferences(size_t node);
  void AddReferences(const FileType& type);
  void AddFieldReferences(const TypeCodec& codec);
  void AddReference();

  // A node.
  ffi::Any ReadNode();
  ffi::Any ReadNodeSlowly();
  NodeMembers ReadMembers();
  void ReadMember(const std::string& name, NodeMembers* members);
  ffi::Any ReadData(const FileType& type);
  ffi::Any ReadBuiltin(int32_t type_index);
  ffi::Any ReadDevice();
  ffi::Any ReadBytes();
  ffi::Any ReadShape();
  void ReadParts();

  // An object.
  ffi::Any ReadObject(const TypeCodec& codec);
  void ReadFields(const TypeCodec& codec, ffi::Object* object);
  void ReadFieldsSlowly(const TypeCodec& codec, size_t num_read, ffi::Object* object);
  int64_t ReadName(const TypeCodec& codec);
  void ReadField(const FieldStep& step, ffi::Object* object);
  double ReadExactFloat(const FieldStep& step);
  ffi::Any ReadAnyInline();
  DLDataType ReadDataType();
  const ffi::Any& ReadReference();
  const ffi::Any& CheckedReference(int64_t index);

  JSONScanner scanner_;
  size_t size_;
  ValueFields value_fields_;
  TypeLookup types_;
  ObjectBuilder builder_;
  NodeTable nodes_;
  LoadPlace place_;
  int64_t root_ = -1;
  /*! \brief The start of the list of nodes; null before it is read. */
  const char* nodes_start_ = nullptr;
  const char* root_start_ = nullptr;

  /*! \brief Where each node starts; empty while nodes are read in order. */
  std::vector<const char*> starts_;
  std::vector<NodeState> states_;
  std::vector<size_t> pending_;

  // Kept from node to node for their memory.
  std::vector<ffi::Any> parts_;
  /*! \brief Which fields of the present object have been read. */
  std::vector<bool> seen_;
  /*! \brief The last data type, between quotes; empty before the first. */
  std::string dtype_text_;
  DLDataType dtype_{};
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_JSON_JSON_READER_H_
