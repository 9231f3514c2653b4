// Functors and visitors: which method a node goes to, and what is visited in what order.
#include <gtest/gtest.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/function.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/ir/type_functor.h>
#include <uir/relay/relay_expr_functor.h>
#include <uir/tir/arith.h>
#include <uir/tir/block.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/function.h>
#include <uir/tir/logic.h>
#include <uir/tir/operators.h>
#include <uir/tir/prim_expr_functor.h>
#include <uir/tir/reduce.h>
#include <uir/tir/stmt_functor.h>
#include <uir/tir/var.h>

#include <string>
#include <vector>

#include "../../tschema/support/depth.h"
#include "../../tschema/support/small_stack.h"
#include "./foreign_node.h"
#include "dtypes.h"

namespace uir {
namespace {

namespace ffi = ::tvm::ffi;
using ir::IntImm;
using ir::PrimExpr;
using tir::Add;
using tir::Var;

/*! \brief Evaluates integers. */
class Evaluator : public tir::PrimExprFunctor<int64_t(const PrimExpr&, int64_t)> {
 protected:
  int64_t VisitIntImm(const ir::IntImmNode* op, int64_t) override { return op->value; }
  int64_t VisitVar(const tir::VarNode*, int64_t value) override { return value; }
  int64_t VisitBinaryOp(const tir::BinaryOpNode* op, int64_t value) override {
    return (*this)(op->a, value) * 100 + (*this)(op->b, value);
  }
  int64_t VisitAdd(const tir::AddNode* op, int64_t value) override {
    return (*this)(op->a, value) + (*this)(op->b, value);
  }
};

TEST(Functor, CallsTheMethodOfTheType) {
  Var x("x", kInt32);
  Evaluator evaluate;
  EXPECT_EQ(evaluate(Add(x, IntImm(kInt32, 2)), 40), 42);
}

TEST(Functor, GoesToTheNearestAncestorThatHasAMethod) {
  Var x("x", kInt32);
  Evaluator evaluate;
  EXPECT_EQ(evaluate(tir::Mul(x, IntImm(kInt32, 2)), 3), 302);
  EXPECT_EQ(evaluate(tir::SizeVar("n", kInt32), 5), 5);
  EXPECT_EQ(evaluate(foreign::TracedVar("t"), 6), 6);
}

TEST(Functor, ATypeWithoutAMethodIsAnError) {
  Evaluator evaluate;
  try {
    evaluate(tir::Not(IntImm(ir::BoolType(), 1)), 0);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const ffi::Error& error) {
    EXPECT_EQ(error.kind(), "TypeError");
    EXPECT_EQ(error.message(),
              "uir.tir.PrimExprFunctor: there is no method for `uir.tir.Not`, nor for an ancestor "
              "of it");
  }
}

/*! \brief Names the method that a node went to. */
class Namer : public tir::PrimExprFunctor<std::string(const PrimExpr&)> {
 public:
  using tir::PrimExprFunctor<std::string(const PrimExpr&)>::RegisterCase;

 protected:
  std::string VisitDefault(const ir::PrimExprNode*) override { return "default"; }
  std::string VisitVar(const tir::VarNode*) override { return "var"; }
};

TEST(Functor, TypesOfOtherPackagesAreRegistered) {
  foreign::Fused fused({IntImm(kInt32, 1)}, std::nullopt);
  foreign::TracedVar traced("t");
  Namer name;
  EXPECT_EQ(name(fused), "default");
  EXPECT_EQ(name(traced), "var");
  name.RegisterCase<foreign::FusedNode>(
      [](const foreign::FusedNode* op) { return std::to_string(op->factors.size()); });
  name.RegisterCase(foreign::TracedVarNode::RuntimeTypeIndex(),
                    [](const ir::PrimExprNode*) { return std::string("traced"); });
  EXPECT_EQ(name(fused), "1");
  EXPECT_EQ(name(traced), "traced");
  EXPECT_EQ(name(Var("x", kInt32)), "var");
  EXPECT_EQ(Namer()(traced), "var");
}

TEST(Functor, ATypeThatTheNamespaceDoesNotNameGoesToItsAncestor) {
  class Kinds : public relay::RelayExprFunctor<std::string(const ir::RelayExpr&)> {
   protected:
    std::string VisitBaseFunc(const ir::BaseFuncNode*) override { return "function"; }
    std::string VisitGlobalVar(const ir::GlobalVarNode*) override { return "variable"; }
  };
  tir::PrimFunc func({}, tir::Evaluate(IntImm(kInt32, 0)));
  Kinds kind;
  EXPECT_EQ(kind(func), "function");
  EXPECT_EQ(kind(ir::ExternFunc("f")), "function");
  EXPECT_EQ(kind(ir::GlobalVar("g")), "variable");
}

/*! \brief Lists variables and constants in the order of the visit. */
class Lister : public tir::StmtVisitor {
 public:
  std::vector<std::string> seen;

 protected:
  void VisitVar(const tir::VarNode* op) override { seen.emplace_back(op->name); }
  void VisitIntImm(const ir::IntImmNode* op) override { seen.push_back(std::to_string(op->value)); }
};

std::vector<std::string> ListOf(const PrimExpr& expr) {
  Lister lister;
  lister(expr);
  return lister.seen;
}

std::vector<std::string> ListOf(const tir::Stmt& stmt) {
  Lister lister;
  lister(stmt);
  return lister.seen;
}

using Names = std::vector<std::string>;

TEST(Visitor, VisitsInTheOrderOfTheFields) {
  Var x("x", kInt32), y("y", kInt32);
  EXPECT_EQ(ListOf(x + y * 2), (Names{"x", "y", "2"}));
  EXPECT_EQ(ListOf(tir::Select(x < y, x, 7)), (Names{"x", "y", "x", "7"}));
}

TEST(Visitor, EntersContainersAndParts) {
  Var x("x", kInt32), lhs("l", kInt32), rhs("r", kInt32), i("i", kInt32);
  tir::CommReducer sum({lhs}, {rhs}, {lhs + rhs}, {IntImm(kInt32, 0)});
  tir::IterVar axis(i, ir::Range(0, 8), tir::IterVarType::kCommReduce);
  PrimExpr reduce = tir::Reduce(sum, {axis}, {x + i}, IntImm(ir::BoolType(), 1));
  EXPECT_EQ(ListOf(reduce), (Names{"l", "r", "l", "r", "0", "i", "0", "8", "x", "i", "1"}));
}

TEST(Visitor, StatementsEnterExpressions) {
  Var i("i", kInt32), n("n", kInt32);
  tir::Buffer buffer = tir::decl_buffer({n}, kInt32, "b");
  tir::Stmt store = tir::BufferStore(buffer, i * 3, {i});
  tir::Stmt loop = tir::For(i, 0, n, tir::ForKind::kSerial, store);
  // The buffer is used, not bound: what it is made of is not visited again.
  EXPECT_EQ(ListOf(loop), (Names{"i", "0", "n", "i", "3", "i"}));
  EXPECT_EQ(ListOf(tir::SeqStmt({tir::AllocBuffer(buffer), loop}))[1], "n");
}

TEST(Visitor, EntersTypesOfOtherPackages) {
  Var x("x", kInt32), y("y", kInt32);
  foreign::Fused fused({x, IntImm(kInt32, 4)}, y);
  EXPECT_EQ(ListOf(fused), (Names{"x", "4", "y"}));
  EXPECT_EQ(ListOf(PrimExpr(fused) + 1), (Names{"x", "4", "y", "1"}));
}

TEST(Visitor, AMethodMayVisitWhatIsBelow) {
  class Loops : public tir::StmtVisitor {
   public:
    int depth = 0, deepest = 0;

   protected:
    void VisitFor(const tir::ForNode* op) override {
      deepest = std::max(deepest, ++depth);
      StmtVisitor::VisitFor(op);
      --depth;
    }
  };
  Var i("i", kInt32), j("j", kInt32);
  tir::Stmt body = tir::Evaluate(i + j);
  tir::Stmt inner = tir::For(j, 0, 4, tir::ForKind::kSerial, body);
  Loops loops;
  loops(tir::SeqStmt({inner, tir::For(i, 0, 4, tir::ForKind::kSerial, inner)}));
  EXPECT_EQ(loops.deepest, 2);
}

TEST(Visitor, TypesAreAFamilyToo) {
  class Count : public ir::TypeVisitor {
   public:
    int prims = 0;

   protected:
    void VisitPrimType(const ir::PrimTypeNode*) override { ++prims; }
  };
  ir::PrimType prim(kInt32);
  Count count;
  count(ir::FuncType({prim, ir::TupleType({prim, prim})}, ir::PointerType(prim)));
  EXPECT_EQ(count.prims, 4);
}

PrimExpr Chain(int depth, const PrimExpr& leaf) {
  PrimExpr expr = leaf;
  for (int level = 0; level < depth; ++level) expr = Add(std::move(expr), leaf);
  return expr;
}

TEST(Visitor, ManyLevels) {
  RunOnSmallStack([] {
    Var x("x", kInt32);
    EXPECT_EQ(ListOf(Chain(kDeep, x)).size(), kDeep + 1);
  });
}

TEST(Visitor, ManyLevelsThroughMethodsThatPeopleWrite) {
  class Depth : public tir::PrimExprFunctor<int(const PrimExpr&)> {
   protected:
    int VisitAdd(const tir::AddNode* op) override { return (*this)(op->a) + 1; }
    int VisitVar(const tir::VarNode*) override { return 0; }
  };
  RunOnSmallStack([] { EXPECT_EQ(Depth()(Chain(kDeep, Var("x", kInt32))), kDeep); });
}

TEST(Visitor, ErrorsComeOutOfTheDepth) {
  class Refuse : public tir::PrimExprVisitor {
   protected:
    void VisitIntImm(const ir::IntImmNode*) override { TVM_FFI_THROW(ValueError) << "a constant"; }
  };
  RunOnSmallStack([] {
    PrimExpr chain = Add(IntImm(kInt32, 1), Var("x", kInt32));
    for (int level = 0; level < 300000; ++level) chain = Add(chain, Var("x", kInt32));
    Refuse refuse;
    EXPECT_THROW(refuse(chain), ffi::Error);
    EXPECT_NO_THROW(refuse(Var("x", kInt32)));
  });
}

}  // namespace
}  // namespace uir
