/*!
 * \file walk.cc
 * \brief The walk: recursion to a fixed depth, below that an explicit stack.
 */
#include <tschema/pointer_map.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_info.h>
#include <tschema/walk.h>
#include <tvm/ffi/error.h>
#if TSCHEMA_FFI_HAS_VISIT
#include <tvm/ffi/extra/structural_visit.h>
#endif
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <deque>

#include "../reflection/children.h"
#include "../support/global_function.h"
#include "../support/stack.h"

namespace tschema {
namespace detail {
namespace {

struct Nothing {};

template <WalkOrder order, WalkSharing sharing>
class WalkEngine {
 public:
  explicit WalkEngine(const WalkCallback& callback) : callback_(callback) {}

  /*! \brief Walk an object, none if null. \return False to end the walk. */
  [[gnu::always_inline]] inline bool Visit(const ffi::Object* object, int depth) {
    if (object == nullptr || IsKnown(object)) return true;
    int32_t type_index = object->type_index();
    if (type_index < kTVMFFIDynObjectBegin) return VisitContainer(object, depth);
    const TypeInfo& info = TypeInfoOf(type_index);
    if (info.children.empty()) return Call(object) != kInterrupt;
    return VisitNode(object, info, depth);
  }

 private:
  /*! \brief Whether an object that several others hold has been walked; from now on it has. */
  [[gnu::always_inline]] bool IsKnown(const ffi::Object* object) {
    if constexpr (sharing == WalkSharing::kEveryPath) return false;
    return object->use_count() > 1 && !Remember(object);
  }

  [[gnu::noinline]] bool Remember(const ffi::Object* object) {
    return known_.Insert(object, {}).second;
  }

  WalkAction Call(const ffi::Object* object) {
    if (!callback_.filter.Matches(object->type_index())) return kAdvance;
    return callback_.call(callback_.context, object);
  }

  [[gnu::noinline]] bool VisitNode(const ffi::Object* object, const TypeInfo& info, int depth) {
    return Enclose(object, depth, [&] {
      PrefetchSecondChild(object, info);
      for (const Child& child : info.children) {
        if (!Visit(Read(object, child), depth + 1)) return false;
      }
      return true;
    });
  }

  [[gnu::noinline]] bool VisitContainer(const ffi::Object* object, int depth) {
    return Enclose(object, depth, [&] {
      return EachContent(object,
                         [&](const ffi::Object* content) { return Visit(content, depth + 1); });
    });
  }

  /*! \brief Call back before or after the children, which go to the stack if they are deep. */
  template <typename VisitChildren>
  bool Enclose(const ffi::Object* object, int depth, VisitChildren visit_children) {
    if (__builtin_expect(depth == kMaxRecursion, 0)) return VisitDeep(object);
    if constexpr (order == WalkOrder::kPreOrder) {
      WalkAction action = Call(object);
      if (action != kAdvance) return action == kSkip;
    }
    if (!visit_children()) return false;
    if constexpr (order == WalkOrder::kPostOrder) return Call(object) != kInterrupt;
    return true;
  }

  /*! \brief The object in a field; one that a getter makes is kept for the rest of the walk. */
  [[gnu::always_inline]] const ffi::Object* Read(const ffi::Object* object, const Child& child) {
    if (__builtin_expect(child.kind != FieldKind::kForeign, 1)) return ObjectIn(object, child);
    return ReadForeign(object, child);
  }

  [[gnu::cold]] const ffi::Object* ReadForeign(const ffi::Object* object, const Child& child) {
    kept_.push_back(TypeInfoOf(object).fields[child.field].Read(object));
    return ObjectIn(RawOf(kept_.back()));
  }

  // The explicit stack holds objects that are still to be walked; in post-order also, marked,
  // objects whose children have been.

  static constexpr uintptr_t kDone = 1;

  void Push(const ffi::Object* object) {
    if (object == nullptr) return;
    __builtin_prefetch(object);
    stack_.Push(reinterpret_cast<uintptr_t>(object));
  }

  /*! \brief Put the objects above `bottom` in the order in which they are to be taken. */
  void ReverseFrom(size_t bottom) {
    for (size_t low = bottom, high = stack_.size(); low + 1 < high; ++low) {
      std::swap(stack_[low], stack_[--high]);
    }
  }

  void PushChildren(const ffi::Object* object) {
    size_t bottom = stack_.size();
    int32_t type_index = object->type_index();
    if (type_index < kTVMFFIDynObjectBegin) {
      EachContent(object, [this](const ffi::Object* content) {
        Push(content);
        return true;
      });
    } else {
      for (const Child& child : TypeInfoOf(type_index).children) Push(Read(object, child));
    }
    ReverseFrom(bottom);
  }

  /*! \brief Walk an object that is not known yet, and everything below it. */
  bool VisitDeep(const ffi::Object* root) {
    size_t bottom = stack_.size();
    if (!EnterDeep(root)) return false;
    while (stack_.size() > bottom) {
      uintptr_t frame = stack_.Pop();
      auto* object = reinterpret_cast<const ffi::Object*>(frame & ~kDone);
      if (order == WalkOrder::kPostOrder && (frame & kDone) != 0) {
        if (Call(object) == kInterrupt) return false;
      } else if (!IsKnown(object) && !EnterDeep(object)) {
        return false;
      }
    }
    return true;
  }

  bool EnterDeep(const ffi::Object* object) {
    if constexpr (order == WalkOrder::kPreOrder) {
      WalkAction action = Call(object);
      if (action != kAdvance) return action == kSkip;
    } else {
      stack_.Push(reinterpret_cast<uintptr_t>(object) | kDone);
    }
    PushChildren(object);
    return true;
  }

  const WalkCallback callback_;
  PointerMap<Nothing> known_;
  Stack<uintptr_t> stack_;
  std::deque<ffi::Any> kept_;
};

template <WalkOrder order, WalkSharing sharing>
bool RunWalkAs(const ffi::Object* root, const WalkCallback& callback) {
  return WalkEngine<order, sharing>(callback).Visit(root, 0);
}

}  // namespace

bool RunWalk(ffi::AnyView root, const WalkCallback& callback, WalkOptions options) {
  const ffi::Object* object = ObjectIn(root.CopyToTVMFFIAny());
  bool is_once = options.sharing == WalkSharing::kOnce;
  if (options.order == WalkOrder::kPreOrder) {
    return is_once ? RunWalkAs<WalkOrder::kPreOrder, WalkSharing::kOnce>(object, callback)
                   : RunWalkAs<WalkOrder::kPreOrder, WalkSharing::kEveryPath>(object, callback);
  }
  return is_once ? RunWalkAs<WalkOrder::kPostOrder, WalkSharing::kOnce>(object, callback)
                 : RunWalkAs<WalkOrder::kPostOrder, WalkSharing::kEveryPath>(object, callback);
}

}  // namespace detail

namespace {

/*! \brief Call a callback that returns None, a number or an interrupt, as in tvm-ffi's walk. */
std::optional<ffi::Any> CallFunction(const ffi::Function& function, ffi::AnyView object,
                                     WalkAction* action) {
  ffi::Any result = function(object);
  if (result.type_index() == kTVMFFIVisitInterrupt) return result;
  *action = kAdvance;
  if (result == nullptr) return std::nullopt;
  std::optional<int64_t> number = result.as<int64_t>();
  if (!number || *number < 0 || *number > static_cast<int64_t>(kInterrupt)) {
    TVM_FFI_THROW(TypeError) << "a callback of `walk` returns None, 0 to continue, 1 to skip the "
                                "objects below, 2 or a VisitInterrupt to stop; got "
                             << result.GetTypeKey();
  }
  *action = static_cast<WalkAction>(*number);
  return std::nullopt;
}

/*! \brief The walk for other languages. \return The interrupt that ended it, or None. */
ffi::Any WalkWithFunction(ffi::AnyView root, const ffi::Function& function, int order,
                          bool every_path) {
  ffi::Any interrupt;
  auto callback = [&](ffi::AnyView object) {
    WalkAction action = kInterrupt;
    if (std::optional<ffi::Any> result = CallFunction(function, object, &action)) {
      interrupt = *std::move(result);
      return kInterrupt;
    }
#if TSCHEMA_FFI_HAS_VISIT
    if (action == kInterrupt) interrupt = ffi::VisitInterrupt();
#else
    if (action == kInterrupt) interrupt = static_cast<int64_t>(kInterrupt);
#endif
    return action;
  };
  WalkOptions options(order == 0 ? WalkOrder::kPreOrder : WalkOrder::kPostOrder,
                      every_path ? WalkSharing::kEveryPath : WalkSharing::kOnce);
  Walk(root, callback, options);
  return interrupt;
}

void WalkPacked(ffi::PackedArgs arguments, ffi::Any* result) {
  if (arguments.size() < 2 || arguments.size() > 4) {
    TVM_FFI_THROW(TypeError) << "tschema.walk(root, callback, order=0, every_path=False) got "
                             << arguments.size() << " arguments";
  }
  int order = arguments.size() > 2 ? arguments[2].cast<int>() : 0;
  bool every_path = arguments.size() > 3 && arguments[3].cast<bool>();
  *result = WalkWithFunction(arguments[0], arguments[1].cast<ffi::Function>(), order, every_path);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.walk", ffi::Function::FromPacked(&WalkPacked));
}

}  // namespace
}  // namespace tschema
