/*!
 * \file map.cc
 * \brief The map: one loop over an explicit stack of the objects that are being rewritten.
 */
#include <tschema/copy.h>
#include <tschema/map.h>
#include <tschema/pointer_map.h>
#include <tschema/release.h>
#include <tschema/type_info.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <deque>
#include <utility>
#include <vector>

#include "../reflection/children.h"
#include "../support/global_function.h"
#include "../support/stack.h"

namespace tschema {
namespace detail {
namespace {

/*! \brief The result for an object. */
enum class Outcome : uint8_t {
  kSame,
  /*! \brief It is the same object, written in place, or an object below it is. */
  kWritten,
  kReplaced,
  /*! \brief It has just been put on the stack. */
  kPending,
};

/*! \brief An object whose children are being mapped. */
struct Frame {
  const ffi::Object* object;
  /*! \brief The type of a node; null for a container. */
  const TypeInfo* info;
  /*! \brief The child to be mapped next; the place of the one being mapped is the one before. */
  int64_t next;
  int64_t size;
  /*! \brief The index of the object's entry in the memo, or `kNoEntry`. */
  uint32_t entry;
  /*! \brief Replacements before those of the object's children. */
  uint32_t first_change;
  /*! \brief It has one reference, and so has each object above it. */
  bool is_owned;
  /*! \brief An object below it was written in place. */
  bool is_written;
};

constexpr uint32_t kNoEntry = UINT32_MAX;

/*! \brief A child's replacement. */
struct Change {
  int64_t place;
  ffi::Any value;
};

/*! \brief The result for an object with several references. */
struct Entry {
  /*! \brief Keeps a written object's former children alive, and their addresses taken. */
  ffi::Any original;
  /*! \brief None unless it was replaced. */
  ffi::Any replacement;
  /*! \brief kPending while its children are being mapped. */
  Outcome outcome;
};

/*!
 * \brief Whether the object has one reference, so that a write to it is not observable.
 *
 * Unlike `Object::unique`, this orders the write after the accesses of former owners.
 */
bool IsHeldOnce(const ffi::Object* object) {
  auto* header = reinterpret_cast<const TVMFFIObject*>(object);
  return __atomic_load_n(&header->combined_ref_count, __ATOMIC_ACQUIRE) == kSingleOwner;
}

class MapEngine {
 public:
  MapEngine(ffi::Any root, const MapCallback& callback)
      : callback_(callback), root_(std::move(root)) {}

  /*! \brief Releases the remaining objects, also after an exception, without recursion. */
  ~MapEngine() {
    for (Entry& entry : entries_) {
      Dispose(entry.original);
      Dispose(entry.replacement);
    }
    for (Change& change : changes_) Dispose(change.value);
    Dispose(replacement_);
    Dispose(root_);
  }

  ffi::Any Run() {
    Outcome outcome = Enter(ObjectIn(RawOf(root_)), /*is_owned=*/true);
    while (!stack_.empty()) {
      Outcome child = outcome == Outcome::kPending ? Outcome::kSame : outcome;
      outcome = Proceed(child);
    }
    return std::move(outcome == Outcome::kReplaced ? replacement_ : root_);
  }

 private:
  // `Enter` and `Finish` leave the replacement of an object that has one in `replacement_`.

  /*! \brief Map an object that needs no frame, or put it on the stack. */
  Outcome Enter(const ffi::Object* object, bool is_owned) {
    if (object == nullptr) return Outcome::kSame;
    int32_t type_index = object->type_index();
    const TypeInfo* info = nullptr;
    int64_t size = 0;
    if (__builtin_expect(type_index >= kTVMFFIDynObjectBegin, 1)) {
      info = &TypeInfoOf(type_index);
      size = static_cast<int64_t>(info->children.size());
    } else if (IsSequence(type_index)) {
      size = static_cast<int64_t>(SizeOfSequence(object));
    } else if (IsMapping(type_index)) {
      size = static_cast<int64_t>(MappingOf(object)->size());
    }
    if (size == 0 && !callback_.filter.Matches(type_index)) return Outcome::kSame;
    uint32_t entry = kNoEntry;
    if (!IsHeldOnce(object)) {
      is_owned = false;
      Outcome known = Recall(object, &entry);
      if (known != Outcome::kPending) return known;
    }
    if (size == 0) return Conclude(object, entry, Outcome::kSame);
    Push(object, info, size, entry, is_owned);
    return Outcome::kPending;
  }

  void Push(const ffi::Object* object, const TypeInfo* info, int64_t size, uint32_t entry,
            bool is_owned) {
    auto first_change = static_cast<uint32_t>(changes_.size());
    stack_.Push({object, info, 0, size, entry, first_change, is_owned, false});
    if (info != nullptr) {
      PrefetchSecondChild(object, *info);
    } else if (IsMapping(object->type_index())) {
      positions_.Push(MappingOf(object)->begin());
    }
  }

  /*! \brief The result for a shared object, or kPending and a new entry in the memo. */
  [[gnu::noinline]] Outcome Recall(const ffi::Object* object, uint32_t* entry) {
    auto [place, is_new] = memo_.Insert(object, static_cast<uint32_t>(entries_.size()));
    *entry = *place;
    if (is_new) {
      entries_.push_back({ffi::GetRef<ffi::ObjectRef>(object), nullptr, Outcome::kPending});
      return Outcome::kPending;
    }
    const Entry& known = entries_[*place];
    if (known.outcome == Outcome::kPending) {
      TVM_FFI_THROW(ValueError) << "cannot map a cycle: an object of type `" << object->GetTypeKey()
                                << "` is below itself";
    }
    if (known.outcome == Outcome::kReplaced) replacement_ = known.replacement;
    return known.outcome;
  }

  /*!
   * \brief Take in what became of the top frame's last child, then enter the next or finish.
   * \return kPending if a frame was pushed, else what became of the last child or of the object.
   */
  Outcome Proceed(Outcome child) {
    Frame* frame = &stack_.Top();
    while (true) {
      if (child == Outcome::kReplaced) {
        changes_.push_back({frame->next - 1, std::move(replacement_)});
      } else if (child == Outcome::kWritten) {
        NoteWritten(frame);
      }
      if (frame->next == frame->size) return Finish();
      int64_t place = frame->next++;
      child = Enter(ChildAt(*frame, place), frame->is_owned);
      if (child == Outcome::kPending) return child;
    }
  }

  const ffi::Object* ChildAt(const Frame& frame, int64_t place) {
    if (__builtin_expect(frame.info != nullptr, 1)) {
      const Child& child = frame.info->children[place];
      if (__builtin_expect(child.kind != FieldKind::kForeign, 1)) {
        return ObjectIn(frame.object, child);
      }
      return ReadForeign(frame, child);
    }
    if (IsSequence(frame.object->type_index())) {
      return ObjectIn(ElementsOf(frame.object)[place]);
    }
    return ObjectIn(RawOf((positions_.Top()++)->second));
  }

  /*! \brief Keep the result of a getter, with two references so that it does not count as owned. */
  [[gnu::cold]] const ffi::Object* ReadForeign(const Frame& frame, const Child& child) {
    kept_.push_back(frame.info->fields[child.field].Read(frame.object));
    kept_.push_back(kept_.back());
    return ObjectIn(RawOf(kept_.back()));
  }

  /*! \brief Record that the last child was written, and check the elements of a container. */
  void NoteWritten(Frame* frame) {
    frame->is_written = true;
    if (frame->info == nullptr) return;
    const Child& child = frame->info->children[frame->next - 1];
    const ffi::Object* object = ObjectIn(frame->object, child);
    if (object->type_index() >= kTVMFFIDynObjectBegin) return;
    Check(*frame->info, child, ffi::AnyView(object));
  }

  static void Check(const TypeInfo& info, const Child& child, ffi::AnyView value) {
    const FieldInfo& field = info.fields[child.field];
    if (field.type->Accepts(value)) return;
    TVM_FFI_THROW(TypeError) << "mapping field `" << field.name << "` of `" << info.key
                             << "` gave a `" << value.GetTypeKey() << "`, expected "
                             << field.type->text;
  }

  /*! \brief Apply the changes to the top frame's object and take the frame off. */
  Outcome Finish() {
    const Frame& top = stack_.Top();
    if (top.info == nullptr && IsMapping(top.object->type_index())) positions_.Pop();
    bool has_changes = changes_.size() > top.first_change;
    if (!has_changes && !top.is_written) {
      // Most objects do not change: their frames are not copied.
      const ffi::Object* object = top.object;
      uint32_t entry = top.entry;
      stack_.Pop();
      return Conclude(object, entry, Outcome::kSame);
    }
    Frame frame = stack_.Pop();
    if (frame.is_owned) {
      ApplyChanges(frame, const_cast<ffi::Object*>(frame.object));
      return Conclude(frame.object, frame.entry, Outcome::kWritten);
    }
    ffi::ObjectPtr<ffi::Object> copy = ShallowCopy(frame.object);
    if (frame.info == nullptr) DestroyIteratively(copy.get());
    ApplyChanges(frame, copy.get());
    const ffi::Object* object = copy.get();
    replacement_ = ffi::ObjectRef(std::move(copy));
    return Conclude(object, frame.entry, Outcome::kReplaced);
  }

  void ApplyChanges(const Frame& frame, ffi::Object* target) {
    if (frame.info != nullptr) {
      WriteFields(frame, target);
      if (frame.info->hooks.post_init != nullptr) frame.info->hooks.post_init(target);
    } else if (IsSequence(target->type_index())) {
      ffi::Any* elements = MutableElementsOf(target);
      for (size_t index = frame.first_change; index < changes_.size(); ++index) {
        Exchange(elements[changes_[index].place], index);
      }
    } else {
      WriteValues(frame, MutableMappingOf(target));
    }
    changes_.resize(frame.first_change);
  }

  void WriteFields(const Frame& frame, ffi::Object* target) {
    for (size_t index = frame.first_change; index < changes_.size(); ++index) {
      const Child& child = frame.info->children[changes_[index].place];
      Check(*frame.info, child, changes_[index].value);
      void* field = reinterpret_cast<char*>(target) + child.offset;
      if (child.kind == FieldKind::kObject) {
        ExchangeReference(*static_cast<ffi::ObjectRef*>(field), index);
      } else if (child.kind == FieldKind::kAny) {
        Exchange(*static_cast<ffi::Any*>(field), index);
      } else {
        frame.info->fields[child.field].Write(target, changes_[index].value);
      }
    }
  }

  /*! \brief Put a change's value into its place and release the previous value. */
  void Exchange(ffi::Any& place, size_t index) {
    std::swap(place, changes_[index].value);
    Dispose(changes_[index].value);
  }

  void ExchangeReference(ffi::ObjectRef& place, size_t index) {
    ffi::Any old = std::exchange(place, std::move(changes_[index].value).cast<ffi::ObjectRef>());
    Dispose(old);
  }

  /*! \brief A copy of a map iterates in the map's order. */
  void WriteValues(const Frame& frame, ffi::MapBaseObj* target) {
    auto entry = target->begin();
    int64_t place = 0;
    for (size_t index = frame.first_change; index < changes_.size(); ++index) {
      for (; place < changes_[index].place; ++place) ++entry;
      Exchange(entry->second, index);
    }
  }

  /*! \brief Call back for an object, which is in `replacement_` if it is a copy. */
  Outcome Conclude(const ffi::Object* object, uint32_t entry, Outcome outcome) {
    if (callback_.filter.Matches(object->type_index())) {
      ffi::Any result;
      if (callback_.call(callback_.context, object, &result) && ObjectIn(RawOf(result)) != object) {
        replacement_ = std::move(result);
        outcome = Outcome::kReplaced;
      }
    }
    if (entry != kNoEntry) {
      entries_[entry].outcome = outcome;
      if (outcome == Outcome::kReplaced) entries_[entry].replacement = replacement_;
    }
    return outcome;
  }

  const MapCallback callback_;
  ffi::Any root_;
  Stack<Frame> stack_;
  /*! \brief The positions in the maps on the stack. */
  Stack<ffi::MapBaseObj::iterator> positions_;
  /*! \brief The changes to children of the objects on the stack, in order. */
  std::vector<Change> changes_;
  ffi::Any replacement_;
  PointerMap<uint32_t> memo_;
  std::vector<Entry> entries_;
  std::deque<ffi::Any> kept_;
};

}  // namespace

ffi::Any RunMap(ffi::Any root, const MapCallback& callback) {
  return MapEngine(std::move(root), callback).Run();
}

}  // namespace detail

namespace {

/*! \brief The map for other languages: None from the callback leaves an object unchanged. */
ffi::Any MapWithFunction(ffi::AnyView root, const ffi::Function& function) {
  return Map(ffi::Any(root), [&](ffi::AnyView object) -> std::optional<ffi::Any> {
    ffi::Any result = function(object);
    if (result == nullptr) return std::nullopt;
    return result;
  });
}

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.map", ffi::Function::FromTyped(&MapWithFunction));
}

}  // namespace
}  // namespace tschema
