// Spans: what a mutator makes of a node says where the node was written.
#include <gtest/gtest.h>
#include <uir/ir/dtype.h>
#include <uir/ir/span.h>
#include <uir/tir/arith.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt_functor.h>

#include <utility>

namespace uir::tir {

namespace {

/*! \brief Puts a constant where one variable is. */
class PutConstant : public StmtMutator {
 public:
  explicit PutConstant(Var var) : var_(std::move(var)) {}

 protected:
  ir::PrimExpr VisitVar(const VarNode* op) override {
    if (op != var_.get()) return StmtMutator::VisitVar(op);
    return ir::IntImm(op->dtype, 7);
  }

 private:
  Var var_;
};

class Spans : public ::testing::Test {
 protected:
  Stmt MakeLoop() const {
    const ir::PrimExpr sum = Add(x, x, at(2));
    return For(i, 0, x, ForKind::kSerial, Evaluate(sum, at(3)), std::nullopt, {}, std::nullopt,
               at(1));
  }

  static ir::Span at(int line) { return ir::Span(ir::SourceName("a.py"), line, 1); }

  static void Check(const Stmt& stmt) {
    const auto* loop = stmt.as<ForNode>();
    EXPECT_EQ(loop->span.value()->line, 1);
    const auto* evaluate = loop->body.as<EvaluateNode>();
    EXPECT_EQ(evaluate->span.value()->line, 3);
    EXPECT_EQ(evaluate->value.as<AddNode>()->a.as<ir::IntImmNode>()->value, 7);
    EXPECT_EQ(evaluate->value->span.value()->line, 2);
  }

  Var x{"x", ir::IntType(32)};
  Var i{"i", ir::IntType(32)};
};

TEST_F(Spans, StayOnCopies) {
  const Stmt loop = MakeLoop();
  Check(PutConstant(x)(loop));
}

TEST_F(Spans, StayOnWhatIsWrittenInPlace) { Check(PutConstant(x)(MakeLoop())); }

}  // namespace

}  // namespace uir::tir
