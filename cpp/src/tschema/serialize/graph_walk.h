/*!
 * \file graph_walk.h
 * \brief Visits a graph children first and each object once, for the writers.
 *
 * Knows no format: it passes every value to an emitter, in the order of output.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_GRAPH_WALK_H_
#define TSCHEMA_SRC_SERIALIZE_GRAPH_WALK_H_

#include <tschema/pointer_map.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/container/seq_base.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "../reflection/field_value.h"
#include "../support/stack.h"
#include "./type_codec.h"

namespace tschema {

/*! \brief The kinds of parts of an object. */
enum class Shape : uint8_t { kFields, kSequence, kMapping, kWhole };

/*! \brief An object whose parts are being visited. */
struct GraphFrame {
  const ffi::Object* object;
  /*! \brief Null unless the parts are fields, or the whole is made by a hook. */
  const TypeCodec* codec;
  /*! \brief The number of visited parts. */
  size_t position;
  /*! \brief The result of the emitter's `Open` for the object. */
  size_t mark;
  Shape shape;
  /*! \brief Whether the object has other references, so that it may be visited again. */
  bool is_shared;
};

/*! \brief Which fields of a type are parts. */
using EdgesOf = const std::vector<const FieldInfo*>& (*)(const TypeCodec& codec);

/*! \brief The path from the root to the part that is being visited, for messages. */
std::string PathOf(const Stack<GraphFrame>& frames, EdgesOf edges_of);

/*! \brief Throw the error for a value of a type that no file can hold. */
[[noreturn]] void ThrowCannotSave(int32_t type_index, const std::string& path);

/*! \brief Throw the error for an object on a cycle. */
[[noreturn]] void ThrowCycle(int32_t type_index, const std::string& path);

/*!
 * \brief The walk.
 * \tparam Emitter Has `Edges(codec)`, `Open()`, `Leaf(value)`, `Again(&id)` for an object that
 * came before, and `Close(frame)`, which gives the object an id below `kOpen`.
 */
template <typename Emitter>
class GraphWalk {
 public:
  explicit GraphWalk(Emitter* emitter) : emitter_(emitter) {}

  void Run(const TVMFFIAny& root) {
    Visit(root);
    while (!frames_.empty()) {
      if (!Descend(&frames_.Top())) Close();
    }
  }

  /*! \brief The place of the walk, for messages. */
  std::string Path() const { return PathOf(frames_, &Emitter::Edges); }

 private:
  static constexpr uint64_t kOpen = UINT64_MAX;

  /*! \brief Visit a value; true if it is an object whose parts come first. */
  bool Visit(const TVMFFIAny& value) {
    if (IsLeaf(value)) {
      emitter_->Leaf(value);
      return false;
    }
    if (value.type_index < kTVMFFIStaticObjectBegin) ThrowCannotSave(value.type_index, Path());
    return Open(reinterpret_cast<const ffi::Object*>(value.v_obj));
  }

  bool Open(const ffi::Object* object) {
    bool is_shared = IsShared(object);
    if (is_shared) {
      auto [id, is_new] = ids_.Insert(object, kOpen);
      if (!is_new && *id == kOpen) ThrowCycle(object->type_index(), Path());
      if (!is_new) {
        emitter_->Again(id);
        return false;
      }
    }
    GraphFrame frame{object, nullptr, 0, emitter_->Open(), Shape::kWhole, is_shared};
    SetShape(&frame);
    frames_.Push(frame);
    return true;
  }

  void SetShape(GraphFrame* frame) {
    switch (frame->object->type_index()) {
      case kTVMFFIArray:
      case kTVMFFIList:
        frame->shape = Shape::kSequence;
        return;
      case kTVMFFIMap:
      case kTVMFFIDict:
        frame->shape = Shape::kMapping;
        entries_.Push(static_cast<const ffi::MapBaseObj*>(frame->object)->begin());
        return;
      case kTVMFFIShape:
        return;
      default:
        frame->codec = &TypeCodecOf(frame->object->type_index());
        if (frame->codec->form == DataForm::kNone) {
          ThrowCannotSave(frame->object->type_index(), Path());
        }
        if (frame->codec->form == DataForm::kFields) frame->shape = Shape::kFields;
    }
  }

  /*! \brief Visit parts until one of them opens; false if all have been visited. */
  bool Descend(GraphFrame* frame) {
    switch (frame->shape) {
      case Shape::kFields:
        return DescendFields(frame);
      case Shape::kSequence:
        return DescendSequence(frame);
      case Shape::kMapping:
        return DescendMapping(frame);
      default:
        return false;
    }
  }

  // A visit that opens an object may move the frames, so it must come last.

  bool DescendFields(GraphFrame* frame) {
    const auto& edges = Emitter::Edges(*frame->codec);
    const ffi::Object* object = frame->object;
    for (size_t position = frame->position; position < edges.size(); ++position) {
      const FieldInfo& field = *edges[position];
      frame->position = position + 1;
      if (DescendField(field, object)) return true;
    }
    return false;
  }

  bool DescendField(const FieldInfo& field, const ffi::Object* object) {
    switch (field.kind) {
      case FieldKind::kObject: {
        const auto* child = field.Get<const ffi::Object*>(object);
        if (child != nullptr) return Open(child);
        emitter_->Leaf(TVMFFIAny{});
        return false;
      }
      case FieldKind::kString:
      case FieldKind::kBytes:
      case FieldKind::kAny:
        // In place, because emitters keep views of short strings.
        return Visit(field.Get<TVMFFIAny>(object));
      case FieldKind::kForeign:
        return Visit(RawOf(made_.emplace_back(field.Read(object))));
      default:
        emitter_->Leaf(ReadField(field, object));
        return false;
    }
  }

  bool DescendSequence(GraphFrame* frame) {
    const auto* sequence = static_cast<const ffi::SeqBaseObj*>(frame->object);
    while (frame->position < sequence->size()) {
      if (Visit(RawOf(sequence->begin()[frame->position++]))) return true;
    }
    return false;
  }

  bool DescendMapping(GraphFrame* frame) {
    size_t count = static_cast<const ffi::MapBaseObj*>(frame->object)->size() * 2;
    while (frame->position < count) {
      ffi::MapBaseObj::iterator& entry = entries_.Top();
      bool is_key = frame->position++ % 2 == 0;
      const ffi::Any& part = is_key ? entry->first : entry->second;
      if (!is_key) ++entry;
      if (Visit(RawOf(part))) return true;
    }
    return false;
  }

  void Close() {
    GraphFrame frame = frames_.Top();
    uint64_t id = emitter_->Close(frame);
    frames_.Pop();
    if (frame.shape == Shape::kMapping) entries_.Pop();
    if (frame.is_shared) ids_.Set(frame.object, id);
  }

  Emitter* emitter_;
  Stack<GraphFrame> frames_;
  Stack<ffi::MapBaseObj::iterator> entries_;
  PointerMap<uint64_t> ids_;
  /*! \brief Values that getters made; their addresses must not be used again during the walk. */
  std::deque<ffi::Any> made_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_GRAPH_WALK_H_
