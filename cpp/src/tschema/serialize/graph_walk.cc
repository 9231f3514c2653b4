/*!
 * \file graph_walk.cc
 * \brief The places of values in a graph, for messages.
 */
#include "./graph_walk.h"

#include <tvm/ffi/error.h>

#include <algorithm>

namespace tschema {
namespace {

/*! \brief The part that a frame is at: `.body`, `[3]`, `.keys[0]` or `.values[0]`. */
std::string PartOf(const GraphFrame& frame, EdgesOf edges_of) {
  size_t index = frame.position - 1;
  switch (frame.shape) {
    case Shape::kFields:
      return "." + std::string(edges_of(*frame.codec)[index]->name);
    case Shape::kSequence:
      return "[" + std::to_string(index) + "]";
    default:
      return (index % 2 == 0 ? ".keys[" : ".values[") + std::to_string(index / 2) + "]";
  }
}

}  // namespace

std::string PathOf(const Stack<GraphFrame>& frames, EdgesOf edges_of) {
  constexpr size_t kMaxParts = 12;
  size_t first = frames.size() - std::min(frames.size(), kMaxParts);
  std::string path = first == 0 ? "root" : "...";
  for (size_t level = first; level < frames.size(); ++level) {
    path += PartOf(frames[level], edges_of);
  }
  return path;
}

void ThrowCannotSave(int32_t type_index, const std::string& path) {
  TVM_FFI_THROW(TypeError) << "cannot save a value of type `" << ffi::TypeIndexToTypeKey(type_index)
                           << "`, at " << path;
  TVM_FFI_UNREACHABLE();
}

void ThrowCycle(int32_t type_index, const std::string& path) {
  TVM_FFI_THROW(ValueError) << "cannot save a cycle: an object of type `"
                            << ffi::TypeIndexToTypeKey(type_index) << "` leads back to itself, at "
                            << path;
  TVM_FFI_UNREACHABLE();
}

}  // namespace tschema
