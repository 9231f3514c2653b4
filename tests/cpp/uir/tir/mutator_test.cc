// Mutators: the same object, a changed copy, or the object itself, changed.
#include <gtest/gtest.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/expr.h>
#include <uir/tir/arith.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/operators.h>
#include <uir/tir/prim_expr_functor.h>
#include <uir/tir/reduce.h>
#include <uir/tir/stmt_functor.h>
#include <uir/tir/var.h>

#include <utility>

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

/*! \brief Puts an expression where a variable is. */
class Substitute : public tir::StmtMutator {
 public:
  Substitute(Var var, PrimExpr value) : var_(std::move(var)), value_(std::move(value)) {}

 protected:
  PrimExpr VisitVar(const tir::VarNode* op) override {
    return op == var_.get() ? value_ : StmtMutator::VisitVar(op);
  }

 private:
  Var var_;
  PrimExpr value_;
};

class Mutator : public ::testing::Test {
 protected:
  Var x{"x", kInt32};
  Var y{"y", kInt32};
  Substitute put{x, y};
};

TEST_F(Mutator, ReturnsTheSameObjectIfNothingChanges) {
  PrimExpr expr = tir::Select(y < 3, y + 1, foreign::Fused({y, y}, y));
  EXPECT_TRUE(put(expr).same_as(expr));
  tir::Stmt stmt = tir::For(y, 0, 4, tir::ForKind::kSerial, tir::Evaluate(expr));
  EXPECT_TRUE(put(stmt).same_as(stmt));
  const auto* before = stmt.get();
  EXPECT_EQ(put(std::move(stmt)).get(), before);
}

TEST_F(Mutator, CopiesWhatChangesAndSharesTheRest) {
  PrimExpr kept = y + 1;
  PrimExpr changed = x + 2;
  PrimExpr expr = Add(kept, changed);
  PrimExpr result = put(expr);
  ASSERT_FALSE(result.same_as(expr));
  EXPECT_TRUE(expr.as<tir::AddNode>()->b.same_as(changed));
  EXPECT_TRUE(changed.as<tir::AddNode>()->a.same_as(x));
  EXPECT_TRUE(result.as<tir::AddNode>()->a.same_as(kept));
  EXPECT_TRUE(result.as<tir::AddNode>()->b.as<tir::AddNode>()->a.same_as(y));
}

TEST_F(Mutator, ChangesInPlaceWhatNobodyElseHolds) {
  PrimExpr expr = Add(Add(x, 1), Add(y, 2));
  const auto* outer = expr.as<tir::AddNode>();
  const auto* inner = outer->a.get();
  PrimExpr result = put(std::move(expr));
  EXPECT_EQ(result.get(), outer);
  EXPECT_EQ(outer->a.get(), inner);
  EXPECT_TRUE(outer->a.as<tir::AddNode>()->a.same_as(y));
}

TEST_F(Mutator, LeavesAloneWhatIsSharedBelowWhatIsNot) {
  PrimExpr shared = Add(x, 1);
  PrimExpr expr = Add(shared, 2);
  const auto* outer = expr.get();
  PrimExpr result = put(std::move(expr));
  EXPECT_EQ(result.get(), outer);
  EXPECT_TRUE(shared.as<tir::AddNode>()->a.same_as(x));
  EXPECT_FALSE(result.as<tir::AddNode>()->a.same_as(shared));
}

TEST_F(Mutator, ContainersAreCopiedOrChangedInPlace) {
  ffi::Array<PrimExpr> args = {x, Add(x, 1), y};
  PrimExpr shuffle = tir::Shuffle(args, {0, 1});
  PrimExpr result = put(shuffle);
  EXPECT_TRUE(args[0].same_as(x));
  EXPECT_TRUE(result.as<tir::ShuffleNode>()->vectors[0].same_as(y));
  EXPECT_TRUE(result.as<tir::ShuffleNode>()->vectors[2].same_as(y));
  shuffle = IntImm(kInt32, 0);
  args = {};
  const void* array = result.as<tir::ShuffleNode>()->vectors.get();
  result = Substitute(y, x)(std::move(result));
  EXPECT_EQ(result.as<tir::ShuffleNode>()->vectors.get(), array);
  EXPECT_TRUE(result.as<tir::ShuffleNode>()->vectors[2].same_as(x));
}

TEST_F(Mutator, AReferenceThatAMethodKeepsIsNotChanged) {
  class Keep : public Substitute {
   public:
    using Substitute::Substitute;
    ffi::Optional<PrimExpr> kept;

   protected:
    PrimExpr VisitAdd(const tir::AddNode* op) override {
      kept = ffi::GetRef<PrimExpr>(op);
      return Substitute::VisitAdd(op);
    }
  };
  Keep keep(x, y);
  PrimExpr result = keep(Add(x, 1));
  EXPECT_TRUE(keep.kept.value().as<tir::AddNode>()->a.same_as(x));
  EXPECT_TRUE(result.as<tir::AddNode>()->a.same_as(y));
}

TEST_F(Mutator, AMethodMaySeeTheNodesAboveIts) {
  class Look : public tir::StmtMutator {
   public:
    int64_t found = 0;

   protected:
    tir::Stmt VisitFor(const tir::ForNode* op) override {
      loop_ = op;
      return StmtMutator::VisitFor(op);
    }
    PrimExpr VisitVar(const tir::VarNode* op) override {
      if (op->name == "y") found = loop_->extent.as<ir::IntImmNode>()->value;
      return StmtMutator::VisitVar(op);
    }

   private:
    const tir::ForNode* loop_ = nullptr;
  };
  Look look;
  look(tir::For(x, 0, 9, tir::ForKind::kSerial, tir::Evaluate(y)));
  EXPECT_EQ(look.found, 9);
}

TEST_F(Mutator, ChecksWhatChangedBeforeAnyoneSeesIt) {
  Var wide("wide", kInt64);
  PrimExpr expr = Add(Add(x, x), Add(x, x));
  PrimExpr copy = Substitute(x, wide)(expr);
  EXPECT_EQ(copy->dtype.bits, 64);
  EXPECT_EQ(copy.as<tir::AddNode>()->a->dtype.bits, 64);
  EXPECT_EQ(expr->dtype.bits, 32);
  // In place too: the outer node holds the same objects as before.
  const auto* before = expr.get();
  PrimExpr changed = Substitute(x, wide)(std::move(expr));
  EXPECT_EQ(changed.get(), before);
  EXPECT_EQ(changed->dtype.bits, 64);
  EXPECT_THROW(Substitute(x, wide)(Add(x, y)), ffi::Error);
}

TEST_F(Mutator, AFieldTakesOnlyItsType) {
  tir::Stmt loop = tir::For(x, 0, 9, tir::ForKind::kSerial, tir::Evaluate(y));
  try {
    Substitute(x, IntImm(kInt32, 1))(loop);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const ffi::Error& error) {
    EXPECT_EQ(error.kind(), "TypeError");
    EXPECT_EQ(error.message(),
              "`uir.tir.For`: field `loop_var` takes uir.tir.Var, not uir.ir.IntImm");
  }
  EXPECT_TRUE(loop.as<tir::ForNode>()->loop_var.same_as(x));
}

TEST_F(Mutator, BindersAndUsesOfABufferStayTogether) {
  tir::Buffer buffer = tir::decl_buffer({x}, kInt32, "b");
  tir::Stmt store = tir::BufferStore(buffer, tir::BufferLoad(buffer, {y}), {y});
  tir::Stmt result = put(tir::SeqStmt({tir::AllocBuffer(buffer), store}));
  const auto* seq = result.as<tir::SeqStmtNode>();
  tir::Buffer bound = seq->seq[0].as<tir::AllocBufferNode>()->buffer;
  EXPECT_FALSE(bound.same_as(buffer));
  EXPECT_TRUE(bound->shape[0].same_as(y));
  const auto* new_store = seq->seq[1].as<tir::BufferStoreNode>();
  EXPECT_TRUE(new_store->buffer.same_as(bound));
  EXPECT_TRUE(new_store->value.as<tir::BufferLoadNode>()->buffer.same_as(bound));
  EXPECT_TRUE(buffer->shape[0].same_as(x));
}

TEST_F(Mutator, PartsAreMutated) {
  Var i("i", kInt32), lhs("l", kInt32), rhs("r", kInt32);
  tir::CommReducer sum({lhs}, {rhs}, {lhs + rhs}, {IntImm(kInt32, 0)});
  tir::IterVar axis(i, ir::Range(0, x), tir::IterVarType::kCommReduce);
  PrimExpr reduce = tir::Reduce(sum, {axis}, {i}, IntImm(ir::BoolType(), 1));
  PrimExpr result = put(reduce);
  const auto* node = result.as<tir::ReduceNode>();
  EXPECT_TRUE(node->combiner.same_as(sum));
  EXPECT_TRUE(node->axis[0]->dom.value()->extent.same_as(y));
  EXPECT_TRUE(axis->dom.value()->extent.same_as(x));
}

TEST_F(Mutator, TypesOfOtherPackagesAreMutated) {
  foreign::Fused fused({x, y}, x);
  PrimExpr result = put(fused);
  const auto* node = result.as<foreign::FusedNode>();
  EXPECT_TRUE(node->factors[0].same_as(y));
  EXPECT_TRUE(node->addend.value().same_as(y));
  EXPECT_TRUE(fused->factors[0].same_as(x));
}

TEST_F(Mutator, ManyLevels) {
  RunOnSmallStack([this] {
    PrimExpr chain = x;
    for (int level = 0; level < kDeep; ++level) chain = Add(std::move(chain), 1);
    PrimExpr copy = put(chain);
    EXPECT_FALSE(copy.same_as(chain));
    const auto* before = copy.get();
    PrimExpr back = Substitute(y, x)(std::move(copy));
    EXPECT_EQ(back.get(), before);
    EXPECT_TRUE(Substitute(y, x)(chain).same_as(chain));
  });
}

}  // namespace
}  // namespace uir
