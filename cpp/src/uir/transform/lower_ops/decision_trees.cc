// Lowering of decision trees: each row walks several trees at once, so that the loads of their
// nodes, each of which depends on the one before, overlap.
#include <uir/ir/dtype.h>
#include <uir/relay/trees.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <string>
#include <vector>

#include "../../relay/shape_rule.h"
#include "./element_formula.h"
#include "./loops.h"

namespace uir::transform {

namespace {

/*! \brief The trees that a row walks at once; their nodes stay in the first cache for its rows. */
constexpr int64_t kTrees = 8;
/*! \brief The rows that walk these trees before the next ones. */
constexpr int64_t kRows = 64;

PrimExpr TreeIndex(int64_t value) { return IndexIn(value, ir::IntType(64)); }

/*! \brief Builds the loops of one call. */
class TreeWalk {
 public:
  TreeWalk(const OperatorCall& call, tir::Builder* builder, const tir::Buffer& result)
      : call_(call),
        depth_(relay::AttrsOf<relay::TreeLeavesAttrsNode>(call.call)->depth),
        builder_(builder),
        result_(result) {}

  void Run() {
    const PrimExpr has_nodes = tir::logical_and(tir::less(TreeIndex(0), Dim(kFeatures, 0)),
                                                tir::less(TreeIndex(0), Dim(kX, 1)));
    builder_->If(has_nodes, [&] { Walk(); });
    builder_->Else([&] {
      InLoops(builder_, {Dim(kX, 0), Dim(kRoots, 0)},
              [&](const Indices& at) { Store(at, TreeIndex(0)); });
    });
  }

 private:
  enum Operands : size_t { kX, kRoots, kFeatures, kHigh, kChildren, kLow, kMissing };

  PrimExpr Dim(size_t operand, int64_t axis) const {
    return WideIndex(call_.operand(operand).shape()[axis]);
  }

  /*! \brief A number below `count`, the last one for one out of range. */
  static PrimExpr InRange(const PrimExpr& index, const PrimExpr& count) {
    const DLDataType wide = ir::UIntType(64);
    const PrimExpr last = tir::cast(tir::sub(count, TreeIndex(1)), wide);
    return tir::cast(tir::min(tir::cast(WideIndex(index), wide), last), ir::IntType(64));
  }

  /*! \brief An element of a table of nodes. */
  PrimExpr NodeAt(size_t operand, const Indices& at) const {
    return InRange(call_.operand(operand).At(at), Dim(kFeatures, 0));
  }

  void Store(const Indices& at, const PrimExpr& node) {
    (*builder_)->Store(result_, at, tir::cast(node, result_->dtype));
  }

  void Walk() {
    const PrimExpr rows = Dim(kX, 0);
    const PrimExpr most = TreeIndex(kRows);
    const auto walk = [&](const tir::Var& part) {
      const PrimExpr first = tir::mul(part, most);
      const PrimExpr count = tir::min(most, tir::sub(rows, first));
      builder_->For("group", CeilDiv(Dim(kRoots, 0), kTrees), [&](const tir::Var& group) {
        builder_->For("row", count, [&](const tir::Var& row) {
          WalkTogether(tir::add(first, row), tir::mul(group, TreeIndex(kTrees)));
        });
      });
    };
    builder_->For("part", CeilDiv(rows, kRows), walk, tir::ForKind::kParallel);
  }

  /*! \brief Walk the trees from `first` on; the last one several times if there are too few. */
  void WalkTogether(const PrimExpr& row, const PrimExpr& first) {
    std::vector<tir::Var> trees;
    std::vector<tir::Buffer> nodes;
    for (int64_t i = 0; i < kTrees; ++i) {
      const PrimExpr last = tir::sub(Dim(kRoots, 0), TreeIndex(1));
      trees.push_back(Bind("tree", tir::min(tir::add(first, TreeIndex(i)), last)));
      nodes.push_back(LocalScalar(builder_, "node", ir::IntType(64)));
      StoreScalar(builder_, nodes.back(), NodeAt(kRoots, {trees.back()}));
    }
    // A node that has followed itself does so again, so that the rest of the steps is nothing new.
    const tir::Buffer left = LocalScalar(builder_, "steps_left", ir::IntType(64));
    StoreScalar(builder_, left, TreeIndex(depth_));
    builder_->While(tir::less(TreeIndex(0), Load(left)), [&] {
      PrimExpr moves = TreeIndex(0);
      for (const tir::Buffer& node : nodes) moves = tir::bitwise_or(moves, Step(row, node));
      const PrimExpr next = tir::sub(Load(left), TreeIndex(1));
      StoreScalar(builder_, left, tir::select(tir::equal(moves, TreeIndex(0)), TreeIndex(0), next));
    });
    for (size_t i = 0; i < trees.size(); ++i) Store({row, trees[i]}, Load(nodes[i]));
  }

  /*! \brief Go to the next node; 0 if it is the same one. */
  PrimExpr Step(const PrimExpr& row, const tir::Buffer& node) {
    const tir::Var at = Bind("at", Load(node));
    const PrimExpr feature = InRange(call_.operand(kFeatures).At({at}), Dim(kX, 1));
    const tir::Var value = Bind("value", WideElement(call_.operand(kX), {row, feature}));
    const tir::Var next = Bind("next", NodeAt(kChildren, {at, Side(at, value)}));
    StoreScalar(builder_, node, next);
    return tir::bitwise_xor(at, next);
  }

  /*! \brief 1 if the comparison of a node holds, else 0, without a branch: half of them hold. */
  PrimExpr Side(const tir::Var& node, const tir::Var& value) const {
    PrimExpr holds = Bit(tir::less_equal(value, WideElement(call_.operand(kHigh), {node})));
    if (call_.Has(kLow)) {
      const PrimExpr low = WideElement(call_.operand(kLow), {node});
      holds = tir::bitwise_and(holds, Bit(tir::less_equal(low, value)));
    }
    if (call_.Has(kMissing)) {
      const PrimExpr goes = Bit(call_.operand(kMissing).At({node}));
      holds = tir::bitwise_or(holds, tir::bitwise_and(Bit(tir::not_equal(value, value)), goes));
    }
    return holds;
  }

  static PrimExpr Bit(const PrimExpr& condition) { return tir::cast(condition, ir::IntType(64)); }

  tir::Var Bind(const std::string& name, const PrimExpr& value) {
    return BindValue(builder_, name, value);
  }

  const OperatorCall& call_;
  int64_t depth_;
  tir::Builder* builder_;
  const tir::Buffer& result_;
};

Values LowerTreeLeaves(const OperatorCall& call) {
  for (const Values& operand : call.operands) {
    for (const Value& value : operand) value.StoreIfComputed();
  }
  return StoreInLoops(call.Name(), call.results, [&](tir::Builder* builder, const auto& outputs) {
    TreeWalk(call, builder, outputs[0]).Run();
  });
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.tree_leaves", LowerTreeLeaves);

}  // namespace

}  // namespace uir::transform
