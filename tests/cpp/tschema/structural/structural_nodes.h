/*!
 * \file structural_nodes.h
 * \brief Nodes of every structural kind, with hand-written methods and foreign ones, for tests.
 */
#ifndef TSCHEMA_TESTS_STRUCTURAL_STRUCTURAL_NODES_H_
#define TSCHEMA_TESTS_STRUCTURAL_STRUCTURAL_NODES_H_

#include <tschema/release.h>
#include <tschema/structural.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace structural_nodes {

namespace ffi = ::tvm::ffi;
using ffi::ObjectRef;
using tschema::SEqualReducer;
using tschema::SHashReducer;

/*! \brief Register all of the types below; safe to call again. */
void Register();

/*! \brief The RFC's example of a class with methods of its own: a variable that has a name. */
class NamedVarNode : public ffi::Object {
 public:
  ffi::String name_hint;
  ffi::Any note;

  explicit NamedVarNode(ffi::UnsafeInit) {}
  NamedVarNode(ffi::String name_hint, ffi::Any note)
      : name_hint(std::move(name_hint)), note(std::move(note)) {}

  bool SEqualReduce(const NamedVarNode* other, SEqualReducer equal) const {
    return equal(name_hint, other->name_hint) && equal.FreeVarEqualImpl(this, other);
  }
  void SHashReduce(SHashReducer hash_reduce) const {
    hash_reduce(name_hint);
    hash_reduce.FreeVarHashImpl(this);
  }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindFreeVar;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("structural_nodes.NamedVar", NamedVarNode, ffi::Object);
};

/*! \brief Functions by their variables, which are bound first, in the order of their names. */
class TableNode : public ffi::Object {
 public:
  ffi::Map<ObjectRef, ffi::Any> functions;
  int64_t version;

  explicit TableNode(ffi::UnsafeInit tag) : functions(tag) {}
  TableNode(ffi::Map<ObjectRef, ffi::Any> functions, int64_t version)
      : functions(std::move(functions)), version(version) {}

  bool SEqualReduce(const TableNode* other, SEqualReducer equal) const {
    if (functions.size() != other->functions.size()) return false;
    std::vector<Item> lhs = Sorted();
    std::vector<Item> rhs = other->Sorted();
    for (size_t i = 0; i < lhs.size(); ++i) {
      if (!equal.DefEqual(lhs[i].first, rhs[i].first)) return false;
    }
    for (size_t i = 0; i < lhs.size(); ++i) {
      if (!equal(lhs[i].second, rhs[i].second)) return false;
    }
    return equal(version, other->version);
  }
  void SHashReduce(SHashReducer hash_reduce) const {
    std::vector<Item> items = Sorted();
    for (const Item& item : items) hash_reduce.DefHash(item.first);
    // Made on the spot: the engine has to keep it alive.
    ffi::Array<ffi::Any> values;
    for (const Item& item : items) values.push_back(item.second);
    hash_reduce(values);
    hash_reduce(version);
  }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("structural_nodes.Table", TableNode, ffi::Object);

 private:
  using Item = std::pair<ObjectRef, ffi::Any>;

  std::vector<Item> Sorted() const {
    std::vector<Item> items(functions.begin(), functions.end());
    auto name = [](const Item& item) {
      return std::string(item.first.as<NamedVarNode>()->name_hint);
    };
    std::sort(items.begin(), items.end(),
              [&](const Item& a, const Item& b) { return name(a) < name(b); });
    return items;
  }
};

/*! \brief Equal if either part is. */
class EitherNode : public ffi::Object {
 public:
  ffi::Any a;
  ffi::Any b;

  explicit EitherNode(ffi::UnsafeInit) {}
  EitherNode(ffi::Any a, ffi::Any b) : a(std::move(a)), b(std::move(b)) {}

  bool SEqualReduce(const EitherNode* other, SEqualReducer equal) const {
    return equal(a, other->a) || equal(b, other->b);
  }
  void SHashReduce(SHashReducer) const {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("structural_nodes.Either", EitherNode, ffi::Object);
};

/*! \brief A tree node whose methods mark it as a variable: forbidden. */
class MarkedNode : public ffi::Object {
 public:
  int64_t value;

  explicit MarkedNode(ffi::UnsafeInit) {}
  explicit MarkedNode(int64_t value) : value(value) {}

  bool SEqualReduce(const MarkedNode* other, SEqualReducer equal) const {
    return equal(value, other->value) && equal.FreeVarEqualImpl(this, other);
  }
  void SHashReduce(SHashReducer hash_reduce) const { hash_reduce.FreeVarHashImpl(this); }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("structural_nodes.Marked", MarkedNode, ffi::Object);
};

/*! \brief Everything is turned off and nothing written by hand: no structural behaviour. */
class SilentNode : public ffi::Object {
 public:
  int64_t value;

  explicit SilentNode(ffi::UnsafeInit) {}
  explicit SilentNode(int64_t value) : value(value) {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("structural_nodes.Silent", SilentNode, ffi::Object);
};

/*! \brief A list, with methods that say what the generated ones would, in another order. */
class ConsNode : public ffi::Object {
 public:
  ffi::Any head;
  ffi::Any tail;
  double weight = 0;

  explicit ConsNode(ffi::UnsafeInit) {}
  ConsNode(ffi::Any head, ffi::Any tail, double weight)
      : head(std::move(head)), tail(std::move(tail)), weight(weight) {}
  ConsNode(const ConsNode&) = default;
  ~ConsNode() { tschema::Release(head, tail); }

  bool SEqualReduce(const ConsNode* other, SEqualReducer equal) const {
    return equal(weight, other->weight) && equal(tail, other->tail) && equal(head, other->head);
  }
  void SHashReduce(SHashReducer hash_reduce) const {
    hash_reduce(weight);
    hash_reduce(tail);
    hash_reduce(head);
  }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("structural_nodes.Cons", ConsNode, ffi::Object);
};

/*! \brief Registered without tschema, as are all below: fields of every kind. */
class ForeignNode : public ffi::Object {
 public:
  int32_t small = 0;
  float single = 0;
  double number = 0;
  bool flag = false;
  ffi::String text;
  ffi::Any value;
  ffi::Optional<int64_t> maybe;
  ffi::Optional<ObjectRef> binder;
  ffi::Optional<ObjectRef> pattern;
  ffi::Array<ffi::Any> parts;
  int64_t ignored = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("structural_nodes.Foreign", ForeignNode, ffi::Object);
};

#define STRUCTURAL_NODES_DECLARE(Name, Kind)                                               \
  class Name##Node : public ffi::Object {                                                  \
   public:                                                                                 \
    ffi::Any a;                                                                            \
    ffi::Any b;                                                                            \
    ~Name##Node() { tschema::Release(a, b); }                                              \
    static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = Kind;                        \
    TVM_FFI_DECLARE_OBJECT_INFO_FINAL("structural_nodes." #Name, Name##Node, ffi::Object); \
  }

STRUCTURAL_NODES_DECLARE(Dag, kTVMFFISEqHashKindDAGNode);
STRUCTURAL_NODES_DECLARE(Const, kTVMFFISEqHashKindConstTreeNode);
STRUCTURAL_NODES_DECLARE(Unique, kTVMFFISEqHashKindUniqueInstance);
STRUCTURAL_NODES_DECLARE(Unsupported, kTVMFFISEqHashKindUnsupported);
/*! \brief A variable with parts. */
STRUCTURAL_NODES_DECLARE(Typed, kTVMFFISEqHashKindFreeVar);
/*! \brief Compared by foreign `__s_equal__`: a and b in either order; hashed by `__s_hash__`. */
STRUCTURAL_NODES_DECLARE(Unordered, kTVMFFISEqHashKindTreeNode);

#undef STRUCTURAL_NODES_DECLARE

/*! \brief An object of one of the types above that have parts `a` and `b`. */
template <typename Node>
ObjectRef Make(ffi::Any a, ffi::Any b) {
  ffi::ObjectPtr<Node> node = ffi::make_object<Node>();
  node->a = std::move(a);
  node->b = std::move(b);
  return ObjectRef(std::move(node));
}

inline ObjectRef NamedVar(const char* name) {
  return ObjectRef(ffi::make_object<NamedVarNode>(name, nullptr));
}

inline ObjectRef Cons(ffi::Any head, ffi::Any tail) {
  return ObjectRef(ffi::make_object<ConsNode>(std::move(head), std::move(tail), 0.5));
}

}  // namespace structural_nodes

#endif  // TSCHEMA_TESTS_STRUCTURAL_STRUCTURAL_NODES_H_
