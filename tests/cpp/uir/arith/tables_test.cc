// The stores of the parts of an analyzer: facts with scopes, memos by node, and short vectors.
#include <gtest/gtest.h>
#include <uir/ir/dtype.h>
#include <uir/tir/operators.h>
#include <uir/tir/var.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "dtypes.h"
#include "error_of.h"
#include "uir/arith/constraint_set.h"
#include "uir/arith/memo_table.h"
#include "uir/arith/short_vector.h"

namespace uir {
namespace {

using arith::ConstraintSet;
using arith::Interval;
using arith::MemoTable;
using ir::PrimExpr;
using tir::Var;

TEST(ConstraintSet, ForgetsTheFactsOfAScope) {
  ConstraintSet facts;
  const Var x("x", kInt32);
  const Var y("y", kInt32);
  facts.SetVar({x, {0, 9}});
  const int64_t version = facts.version();
  facts.Enter();
  facts.SetVar({x, {0, 3}});
  facts.SetVar({y, {5, 5}});
  facts.AddFact({x < y, true});
  facts.AddBound(x + y, {1, 8});
  facts.AddNonZero({});
  facts.AddNonNegative({});
  EXPECT_EQ(facts.Find(x.get())->bound, (Interval{0, 3}));
  EXPECT_EQ(facts.BoundOf(x + y), (Interval{1, 8}));
  EXPECT_NE(facts.version(), version);
  facts.Leave();
  EXPECT_EQ(facts.version(), version);
  EXPECT_EQ(facts.Find(x.get())->bound, (Interval{0, 9}));
  EXPECT_EQ(facts.Find(y.get()), nullptr);
  EXPECT_FALSE(facts.HasBounds());
  EXPECT_TRUE(facts.facts().empty() && facts.non_zero().empty() && facts.non_negative().empty());
}

TEST(ConstraintSet, GivesEachChangeAVersionOfItsOwn) {
  ConstraintSet facts;
  const Var x("x", kInt32);
  facts.Enter();
  facts.SetVar({x, {0, 3}});
  const int64_t first = facts.version();
  facts.SetVar({x, {0, 3}});
  EXPECT_EQ(facts.version(), first);
  facts.Leave();
  facts.Enter();
  facts.SetVar({x, {0, 4}});
  EXPECT_NE(facts.version(), first);
}

TEST(ConstraintSet, HasNoScopeToLeaveAtFirst) {
  ConstraintSet facts;
  EXPECT_EQ(ErrorOf([&] { facts.Leave(); }), "ValueError: no constraint has been entered");
}

TEST(MemoTable, FindsAnswersByNodeAndNotByValue) {
  MemoTable<int> memo;
  // More than are searched linearly, so that a part of the answers is found by hash.
  constexpr int kMany = 300;
  std::vector<PrimExpr> nodes;
  for (int i = 0; i < kMany; ++i) nodes.push_back(ir::IntImm(kInt32, 1));
  for (int i = 0; i < kMany; ++i) {
    EXPECT_EQ(memo.Find(nodes[static_cast<size_t>(i)]), nullptr);
    memo.Add(nodes[static_cast<size_t>(i)], i);
  }
  for (int i = 0; i < kMany; ++i) EXPECT_EQ(*memo.Find(nodes[static_cast<size_t>(i)]), i);
  memo.Clear();
  EXPECT_EQ(memo.Find(nodes[0]), nullptr);
  EXPECT_EQ(nodes[0].use_count(), 1);
}

TEST(NodeIndex, FindsNoRemovedNode) {
  arith::NodeIndex index;
  std::vector<PrimExpr> nodes;
  for (size_t i = 0; i < 200; ++i) {
    nodes.push_back(ir::IntImm(kInt32, 1));
    index.Add(nodes.back());
  }
  while (index.size() > 150) index.RemoveLast();
  EXPECT_EQ(index.Find(nodes[149].get()), 149);
  EXPECT_EQ(index.Find(nodes[150].get()), index.size());
  index.Add(nodes[199]);
  EXPECT_EQ(index.Find(nodes[199].get()), 150);
}

TEST(ShortVector, OwnsItsElementsInlineAndOnTheHeap) {
  using Shared = std::shared_ptr<int>;
  const auto counted = std::make_shared<int>(1);
  for (const size_t size : {0, 1, 3, 4, 9}) {
    arith::ShortVector<Shared, 3> vector;
    for (size_t i = 0; i < size; ++i) vector.push_back(counted);
    const arith::ShortVector<Shared, 3> copy = vector;
    EXPECT_EQ(counted.use_count(), static_cast<long>(1 + 2 * size));
    arith::ShortVector<Shared, 3> moved = std::move(vector);
    EXPECT_EQ(moved.size(), size);
    EXPECT_EQ(counted.use_count(), static_cast<long>(1 + 2 * size));
    if (size != 0) moved.erase(moved.begin());
    moved = copy;
    EXPECT_EQ(moved.size(), size);
    moved.clear();
    EXPECT_EQ(counted.use_count(), static_cast<long>(1 + size));
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(ShortVector, ErasesInOrder) {
  arith::ShortVector<int, 2> vector;
  for (int i = 0; i < 5; ++i) vector.push_back(i);
  vector.erase(vector.begin() + 1, vector.begin() + 3);
  EXPECT_EQ(std::vector<int>(vector.begin(), vector.end()), (std::vector<int>{0, 3, 4}));
}

}  // namespace
}  // namespace uir
