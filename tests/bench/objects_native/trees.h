// The trees that both sides work on: uir's nodes, and the same ones registered with ObjectDef,
// which tvm-ffi's engines reach by reflection alone.
#pragma once
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>
#include <uir/ir/expr.h>
#include <uir/tir/arith.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace bench {

namespace ffi = ::tvm::ffi;
namespace refl = ::tvm::ffi::reflection;

inline constexpr DLDataType kInt32 = {kDLInt, 32, 1};

/*! \brief The fields of `uir::ir::PrimExprNode`. */
class ExprNode : public ffi::Object {
 public:
  ffi::Optional<ffi::ObjectRef> span;
  DLDataType dtype = kInt32;

  explicit ExprNode(ffi::UnsafeInit) {}
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  static constexpr uint32_t _type_child_slots = 2;
  TVM_FFI_DECLARE_OBJECT_INFO("bench.Expr", ExprNode, ffi::Object);
};

class Expr : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Expr, ffi::ObjectRef, ExprNode);
};

class IntImmNode : public ExprNode {
 public:
  int64_t value = 0;

  explicit IntImmNode(ffi::UnsafeInit tag) : ExprNode(tag) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bench.IntImm", IntImmNode, ExprNode);
};

class AddNode : public ExprNode {
 public:
  Expr a;
  Expr b;

  explicit AddNode(ffi::UnsafeInit tag) : ExprNode(tag), a(tag), b(tag) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bench.Add", AddNode, ExprNode);
};

inline void RegisterPeer() {
  refl::ObjectDef<ExprNode>(refl::init(false))
      .def_ro("span", &ExprNode::span, refl::AttachFieldFlag::SEqHashIgnore())
      .def_ro("dtype", &ExprNode::dtype);
  refl::ObjectDef<IntImmNode>(refl::init(false)).def_ro("value", &IntImmNode::value);
  refl::ObjectDef<AddNode>(refl::init(false)).def_ro("a", &AddNode::a).def_ro("b", &AddNode::b);
}

/*! \brief The classes of uir. */
struct Ours {
  using Add = uir::tir::AddNode;
  using IntImm = uir::ir::IntImmNode;
  using Expr = uir::ir::PrimExpr;
};

/*! \brief The same classes, reflected only. */
struct Reflected {
  using Add = AddNode;
  using IntImm = IntImmNode;
  using Expr = bench::Expr;
};

/*!
 * \brief A complete binary tree of sums over constants, its 2^(depth+1) - 1 nodes allocated from
 * the root down, or in random order.
 */
template <typename Side>
typename Side::Expr MakeTree(int depth, bool shuffled) {
  size_t num_inner = (size_t{1} << depth) - 1;
  std::vector<size_t> order(2 * num_inner + 1);
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (shuffled) std::shuffle(order.begin(), order.end(), std::mt19937(7));
  std::vector<ffi::ObjectPtr<ffi::Object>> nodes(order.size());
  for (size_t index : order) {
    if (index < num_inner) {
      nodes[index] = ffi::make_object<typename Side::Add>(ffi::UnsafeInit{});
    } else {
      auto leaf = ffi::make_object<typename Side::IntImm>(ffi::UnsafeInit{});
      leaf->dtype = kInt32;
      leaf->value = static_cast<int64_t>(index - num_inner);
      nodes[index] = std::move(leaf);
    }
  }
  auto expr = [&nodes](size_t index) {
    return ffi::Any(ffi::ObjectRef(nodes[index])).cast<typename Side::Expr>();
  };
  for (size_t index = 0; index < num_inner; ++index) {
    auto* add = static_cast<typename Side::Add*>(nodes[index].get());
    add->dtype = kInt32;
    add->a = expr(2 * index + 1);
    add->b = expr(2 * index + 2);
  }
  return expr(0);
}

/*! \brief `depth` sums, each the left operand of the next. */
inline uir::ir::PrimExpr MakeChain(int64_t depth) {
  uir::ir::PrimExpr one = uir::ir::IntImm(kInt32, 1);
  uir::ir::PrimExpr expr = one;
  for (int64_t i = 0; i < depth; ++i) expr = uir::tir::Add(std::move(expr), one);
  return expr;
}

/*! \brief The same of the reflected classes. */
inline Expr MakeReflectedChain(int64_t depth) {
  auto expr = [](ffi::ObjectPtr<ffi::Object> node) {
    return ffi::Any(ffi::ObjectRef(std::move(node))).cast<Expr>();
  };
  Expr one = expr(ffi::make_object<IntImmNode>(ffi::UnsafeInit{}));
  Expr result = one;
  for (int64_t i = 0; i < depth; ++i) {
    auto add = ffi::make_object<AddNode>(ffi::UnsafeInit{});
    add->a = std::move(result);
    add->b = one;
    result = expr(std::move(add));
  }
  return result;
}

}  // namespace bench
