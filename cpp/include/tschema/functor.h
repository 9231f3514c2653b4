/*!
 * \file tschema/functor.h
 * \brief The base of generated functors: dispatch by type, and traversal of children.
 *
 * For a dispatch root such as `PrimExpr` there are `PrimExprFunctor`, `PrimExprVisitor` and
 * `PrimExprMutator`, with a method for each type below it.  A type without a method, such as one of
 * another package, dispatches to that of its nearest ancestor, or else to `VisitDefault`. Register
 * a function for such a type in a constructor:
 *
 * \code
 *   class Costs : public uir::tir::PrimExprVisitor {
 *    public:
 *     Costs() {
 *       RegisterCase<toy::FusedNode>([this](const toy::FusedNode* op) { VisitFused(op); });
 *     }
 * \endcode
 */
#ifndef TSCHEMA_FUNCTOR_H_
#define TSCHEMA_FUNCTOR_H_

#include <tschema/stack_guard.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tschema {

namespace ffi = ::tvm::ffi;

struct FieldInfo;
struct TypeExpr;
struct TypeInfo;

/*!
 * \brief Cast a node to another class of its hierarchy.
 *
 * Nodes have a single base class at offset 0, so that headers need not see both classes. A root
 * with virtual functions has its table pointer first, as the classes below it have.
 */
template <typename To, typename From>
inline const To* CastNode(const From* node) {
  return reinterpret_cast<const To*>(node);
}

namespace detail {

/*!
 * \brief A table by type index that can be read during insertion; missing entries are zero.
 * \tparam Value A pointer or an integer.
 */
template <typename Value>
class TypeTable {
 public:
  Value Get(int32_t type_index) const {
    if (!Holds(type_index)) return Value{};
    const Page* page = pages_[type_index / kPageSize].load(std::memory_order_acquire);
    if (page == nullptr) return Value{};
    return page->slots[type_index % kPageSize].load(std::memory_order_acquire);
  }

  /*! \brief Nothing is kept for an index that the table does not hold. */
  void Set(int32_t type_index, Value value) {
    if (!Holds(type_index)) return;
    std::atomic<Page*>& slot = pages_[type_index / kPageSize];
    Page* page = slot.load(std::memory_order_acquire);
    if (page == nullptr) {
      Page* made = new Page();
      page = slot.compare_exchange_strong(page, made) ? made : (delete made, page);
    }
    page->slots[type_index % kPageSize].store(value, std::memory_order_release);
  }

 private:
  static constexpr int kPageSize = 256;
  static constexpr int kNumPages = 256;

  static bool Holds(int32_t type_index) {
    return static_cast<uint32_t>(type_index) < static_cast<uint32_t>(kPageSize * kNumPages);
  }

  struct Page {
    std::atomic<Value> slots[kPageSize] = {};
  };

  std::atomic<Page*> pages_[kNumPages] = {};
};

}  // namespace detail

/*! \brief Maps the types at and below a dispatch root, or any types, to cases. */
class CaseTable {
 public:
  /*!
   * \param root Key of the type that all others are below; null if there is none.
   * \param keys Keys of the cases; they live as long as the table.
   */
  template <int kSize>
  constexpr CaseTable(const char* root, const char* const (&keys)[kSize])
      : root_(root), keys_(keys), num_keys_(kSize) {}
  /*! \brief Without any case. */
  explicit constexpr CaseTable(const char* root) : root_(root), keys_(nullptr), num_keys_(0) {}

  /*! \brief Whether an object's type is the root, a case, or a subtype of one. */
  bool Contains(const ffi::Object* object) const { return Contains(object->type_index()); }
  bool Contains(int32_t type_index) const { return EntryOf(type_index) != kOutside; }

  /*!
   * \brief The case of an object's type, or else that of its nearest ancestor.
   * \return The number of the case, from 1, in the order of the keys; 0 if there is none.
   */
  int CaseOf(const ffi::Object* object) const { return EntryOf(object->type_index()) >> 1; }

  /*! \brief Whether the object's type itself is a case. */
  bool IsOwn(const ffi::Object* object) const { return IsOwn(object->type_index()); }
  bool IsOwn(int32_t type_index) const {
    uint32_t entry = EntryOf(type_index);
    return entry != kOutside && (entry & 1) != 0;
  }

  /*! \brief Whether a type is an ancestor of a case. */
  bool LeadsToCase(int32_t type_index) const;

 private:
  /*! \brief Twice the case, plus 1 if it is the type's own, plus `kFirst`. */
  using Entry = uint32_t;
  static constexpr Entry kOutside = ~Entry{0};
  static constexpr Entry kFirst = 2;

  Entry EntryOf(int32_t type_index) const {
    Entry entry = entries_.Get(type_index);
    return (__builtin_expect(entry != 0, 1) ? entry : Resolve(type_index)) - kFirst;
  }
  Entry Resolve(int32_t type_index) const;

  const char* root_;
  const char* const* keys_;
  int num_keys_;
  mutable detail::TypeTable<Entry> entries_;
};

namespace detail {

/*! \brief Marks types without a case at or above them. */
int FindRegistered(const std::vector<int32_t>& registered, const CaseTable& cases,
                   const ffi::Object* object);

/*! \throws TypeError that a functor has no method for a node. */
[[noreturn]] void ThrowNoMethod(const char* functor, const ffi::Object* object);

/*! \brief Functions registered for types without a method. */
template <typename Method>
class RegisteredCases {
 public:
  bool empty() const { return methods_.empty(); }

  void Add(int32_t type_index, Method method) {
    type_indices_.push_back(type_index);
    methods_.push_back(std::move(method));
  }

  /*! \brief The method for an object of a type without a case; null if there is none. */
  const Method* Find(const CaseTable& cases, const ffi::Object* object) const {
    int place = FindRegistered(type_indices_, cases, object);
    return place < 0 ? nullptr : &methods_[static_cast<size_t>(place)];
  }

 private:
  std::vector<int32_t> type_indices_;
  std::vector<Method> methods_;
};

/*! \brief A field that is walked. */
struct WalkedField;
/*! \brief The fields of a type to traverse. */
struct WalkedType;
/*! \brief The address of a reference. */
class ReferenceSlot;
/*! \brief The field of a reference, with its type. */
struct ReferencePlace;

}  // namespace detail

/*! \brief The types that a visitor or a mutator handles. */
class Family {
 public:
  /*!
   * \param roots The types at and below the dispatch roots, whose methods visit them.
   * \param parts Types outside the roots whose fields hold nodes of them; null if there are none.
   * \param num_walked The number of trailing roots without methods, whose subtypes are only
   * traversed.
   */
  template <int kSize>
  constexpr Family(const CaseTable* const (&roots)[kSize], const CaseTable* parts, int num_walked)
      : roots_(roots), num_roots_(kSize), num_visited_(kSize - num_walked), parts_(parts) {}

  /*! \brief The index of an object's root, from 0; -1 if there is none. */
  int RootOf(const ffi::Object* object) const {
    for (int root = 0; root < num_roots_; ++root) {
      if (roots_[root]->Contains(object)) return root;
    }
    return -1;
  }

  /*! \brief Whether a root has methods. */
  bool HasMethods(int root) const { return root >= 0 && root < num_visited_; }

  bool IsPart(const ffi::Object* object) const {
    return parts_ != nullptr && parts_->Contains(object);
  }

  const detail::WalkedType& WalkOf(const ffi::Object* object) const {
    const detail::WalkedType* found = walks_.Get(object->type_index());
    return __builtin_expect(found != nullptr, 1) ? *found : MakeWalk(object->type_index());
  }

 private:
  const detail::WalkedType& MakeWalk(int32_t type_index) const;
  bool Knows(int32_t type_index) const;
  bool LeadsToMember(const TypeExpr& type) const;

  const CaseTable* const* roots_;
  int num_roots_;
  int num_visited_;
  const CaseTable* parts_;
  mutable detail::TypeTable<const detail::WalkedType*> walks_;
};

/*!
 * \brief Visits the children of nodes, in the order of the fields.
 *
 * It visits fields of the family's types, also in Arrays, Maps and Optionals, and parts such as
 * ranges. It skips fields that structural equality ignores, and fields declared as `Any` or
 * `Object`. A part that is a variable, such as a buffer, is visited at its definition. All fields
 * of a type outside the family are visited.
 */
class ChildVisitor {
 public:
  ChildVisitor() = default;
  ChildVisitor(const ChildVisitor&) = delete;
  ChildVisitor& operator=(const ChildVisitor&) = delete;
  virtual ~ChildVisitor() = default;

 protected:
  /*! \brief Visit the children of a node. */
  void VisitChildren(const ffi::Object* node);

 private:
  virtual const Family& family() const = 0;
  /*! \brief Visit an object of a root of the family. */
  virtual void VisitMember(int root, const ffi::ObjectRef& member) = 0;
  /*! \brief Visit a part of the family. */
  virtual void VisitPart(const ffi::Object* part) = 0;

  void VisitValue(const detail::WalkedField& field, const ffi::ObjectRef& value);
  void VisitObject(const detail::WalkedField& field, const ffi::ObjectRef& value);
  void VisitElements(const detail::WalkedField& field, const ffi::Object* sequence);
  void VisitEntries(const detail::WalkedField& field, const ffi::Object* map);
};

/*!
 * \brief Rewrites nodes, with copy on write.
 *
 * It visits the same fields as `ChildVisitor`. An unchanged node is returned itself; one with one
 * reference is changed in place; any other one is copied first. `PostInit` runs on each changed
 * node before it is returned. If it or a method throws, nodes changed in place are lost.
 */
class ChildMutator {
 public:
  ChildMutator() = default;
  ChildMutator(const ChildMutator&) = delete;
  ChildMutator& operator=(const ChildMutator&) = delete;
  virtual ~ChildMutator() = default;

 protected:
  /*!
   * \brief Mutate the children of a node.
   * \return The node if it is unchanged or was changed in place, else a changed copy.
   * \throws TypeError if a field does not accept the new value.
   */
  ffi::ObjectRef MutateChildren(const ffi::Object* node);

  /*! \brief Replace all later uses of a part that is a variable. */
  void Replace(const ffi::ObjectRef& part, ffi::ObjectRef by);

 private:
  friend class HeldNode;

  virtual const Family& family() const = 0;
  /*! \brief Mutate an object of a root of the family. */
  virtual ffi::ObjectRef MutateMember(int root, ffi::ObjectRef member) = 0;
  /*! \brief Mutate a part of the family. */
  virtual ffi::ObjectRef MutatePart(const ffi::Object* part) = 0;

  bool MutateOwned(const detail::WalkedType& walk, ffi::Object* node);
  ffi::ObjectRef MutateShared(const detail::WalkedType& walk, const ffi::Object* node);
  bool MutateSlot(const detail::ReferencePlace& place, detail::ReferenceSlot slot);
  ffi::ObjectRef MutateValue(const detail::ReferencePlace& place, ffi::ObjectRef value);
  ffi::ObjectRef MutateObject(const detail::ReferencePlace& place, ffi::ObjectRef value);
  ffi::ObjectRef MutatePartHeld(ffi::ObjectRef part);
  ffi::ObjectRef MutateHeld(ffi::ObjectRef node);
  ffi::ObjectRef MutateSequence(const detail::ReferencePlace& place, ffi::ObjectRef sequence);
  ffi::ObjectRef MutateMap(const detail::ReferencePlace& place, ffi::ObjectRef map);

  /*! \brief The node of the innermost caller, which may be its only owner. */
  const ffi::Object* held_ = nullptr;
  /*! \brief Whether a descendant of the current node was changed in place. */
  bool is_touched_ = false;
  /*! \brief The replacements of variables outside the family, by address; both are kept alive. */
  std::unordered_map<const ffi::Object*, std::pair<ffi::ObjectRef, ffi::ObjectRef>> replaced_;
};

/*! \brief Marks the caller's reference to a node as the unique one. */
class HeldNode {
 public:
  HeldNode(ChildMutator* mutator, const ffi::Object* node)
      : mutator_(mutator), outer_(mutator->held_) {
    mutator->held_ = node;
  }
  HeldNode(const HeldNode&) = delete;
  HeldNode& operator=(const HeldNode&) = delete;
  ~HeldNode() { mutator_->held_ = outer_; }

 private:
  ChildMutator* mutator_;
  const ffi::Object* outer_;
};

namespace detail {

/*! \brief Cast a reference to a type that the caller has checked; may be null. */
template <typename Ref>
Ref MoveAs(ffi::ObjectRef reference) {
  return ffi::detail::ObjectUnsafe::ObjectRefFromObjectPtr<Ref>(
      ffi::detail::ObjectUnsafe::ObjectPtrFromObjectRef<ffi::Object>(std::move(reference)));
}

}  // namespace detail

}  // namespace tschema

#endif  // TSCHEMA_FUNCTOR_H_
