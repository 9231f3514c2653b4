/*!
 * \file walk_test.cc
 * \brief The walk: the order of tvm-ffi's, results, sharing, depth.
 */
#include <gtest/gtest.h>
#include <tschema/release.h>
#include <tschema/walk.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include "tschema/random_ir.h"
#include "tschema/support/small_stack.h"

namespace {

using tschema::Walk;
using tschema::WalkAction;
using tschema::WalkOptions;
using tschema::WalkOrder;
using tschema::WalkSharing;
using Objects = std::vector<const ffi::Object*>;

Objects WalkedByTschema(ffi::AnyView root, WalkOptions options) {
  Objects objects;
  Walk(root, [&](const ffi::Object* object) { objects.push_back(object); }, options);
  return objects;
}

/*! \brief What tvm-ffi's walk comes to, but for strings. */
template <ffi::WalkOrder order>
Objects WalkedByFfi(ffi::AnyView root) {
  Objects objects;
  auto collect = [&](const ffi::ObjectRef& object) -> ffi::Expected<ffi::WalkResult> {
    bool is_string = object->type_index() == kTVMFFIStr;
    if (!is_string) objects.push_back(object.get());
    return ffi::WalkResult::Advance();
  };
  ffi::StructuralWalk<order>(root, collect);
  return objects;
}

Objects WithoutRepetitions(const Objects& objects) {
  Objects result;
  std::set<const ffi::Object*> known;
  for (const ffi::Object* object : objects) {
    if (known.insert(object).second) result.push_back(object);
  }
  return result;
}

TEST(Walk, ComesToWhatFfiComesToInThatOrder) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    tir::Stmt root = RandomIr(seed).Stmt(4);
    Objects pre = WalkedByFfi<ffi::WalkOrder::kPreOrder>(root);
    Objects post = WalkedByFfi<ffi::WalkOrder::kPostOrder>(root);
    EXPECT_EQ(WalkedByTschema(root, {WalkOrder::kPreOrder, WalkSharing::kEveryPath}), pre);
    EXPECT_EQ(WalkedByTschema(root, {WalkOrder::kPostOrder, WalkSharing::kEveryPath}), post);
    EXPECT_EQ(WalkedByTschema(root, WalkOrder::kPreOrder), WithoutRepetitions(pre));
    EXPECT_EQ(WalkedByTschema(root, WalkOrder::kPostOrder), WithoutRepetitions(post));
  }
}

TEST(Walk, CallsForTheTypeOfTheParameter) {
  ir::PrimExpr root = tir::Add(tir::Mul(Number(1), Number(2)), Number(3));
  int num_constants = 0;
  int num_exprs = 0;
  Walk(root, [&](const ir::IntImmNode*) { ++num_constants; });
  Walk(root, [&](const ir::PrimExpr&) { ++num_exprs; });
  EXPECT_EQ(num_constants, 3);
  EXPECT_EQ(num_exprs, 5);
}

TEST(Walk, SkipLeavesOutWhatIsBelow) {
  ir::PrimExpr root = tir::Add(tir::Mul(Number(1), Number(2)), Number(3));
  int count = 0;
  bool is_complete = Walk(root, [&](const ffi::Object* object) {
    ++count;
    return object->IsInstance<tir::MulNode>() ? tschema::kSkip : tschema::kAdvance;
  });
  EXPECT_TRUE(is_complete);
  EXPECT_EQ(count, 3);
}

TEST(Walk, InterruptEndsIt) {
  ir::PrimExpr root = tir::Add(tir::Mul(Number(1), Number(2)), Number(3));
  int count = 0;
  bool is_complete = Walk(root, [&](const ir::IntImmNode* number) {
    ++count;
    return number->value == 2 ? tschema::kInterrupt : tschema::kAdvance;
  });
  EXPECT_FALSE(is_complete);
  EXPECT_EQ(count, 2);
}

TEST(Walk, ReturnsTheFirstResult) {
  ir::PrimExpr root = tir::Add(tir::Mul(Number(1), Number(2)), Number(3));
  auto first_above = [&](int64_t bound) {
    return Walk(root, [&](const ir::IntImmNode* number) {
      return number->value > bound ? std::optional<int64_t>(number->value) : std::nullopt;
    });
  };
  EXPECT_EQ(first_above(1), 2);
  EXPECT_EQ(first_above(2), 3);
  EXPECT_EQ(first_above(3), std::nullopt);
}

TEST(Walk, PassesIgnoredFieldsAndKeysBy) {
  ir::Span span(ir::SourceName("file"), 1, 1);
  ffi::Map<ffi::Any, ffi::Any> root({{Number(1), tir::Add(Number(2), Number(3), span)}});
  int num_spans = 0;
  int64_t sum = 0;
  Walk(root, [&](const ir::SpanNode*) { ++num_spans; });
  Walk(root, [&](const ir::IntImmNode* number) { sum += number->value; });
  EXPECT_EQ(num_spans, 0);
  EXPECT_EQ(sum, 5);
}

TEST(Walk, PlainValuesHaveNoObjects) {
  int count = 0;
  auto callback = [&](const ffi::Object*) { ++count; };
  Walk(nullptr, callback);
  Walk(1, callback);
  Walk(ffi::String("a string that is on the heap"), callback);
  EXPECT_EQ(count, 0);
}

TEST(Walk, LetsExceptionsThrough) {
  auto fail = [](const ir::IntImmNode*) { throw std::runtime_error("no"); };
  EXPECT_THROW(Walk(DeepSum(3), fail), std::runtime_error);
  EXPECT_THROW(Walk(DeepSum(1000), fail), std::runtime_error);
}

TEST(Walk, LeavesACycle) {
  ffi::List<ffi::Any> list;
  list.push_back(ffi::Array<ffi::Any>({list, Number(1)}));
  int count = 0;
  Walk(list, [&](const ffi::Object*) { ++count; });
  EXPECT_EQ(count, 3);
  list.clear();
}

/*! \brief The values of the numbers in a walk, in order. */
std::vector<int64_t> Numbers(ffi::AnyView root, WalkOrder order) {
  std::vector<int64_t> numbers;
  Walk(root, [&](const ir::IntImmNode* number) { numbers.push_back(number->value); }, order);
  return numbers;
}

TEST(Walk, KeepsItsOrderBelowTheDepthOfRecursion) {
  ir::PrimExpr root = Number(0);
  std::vector<int64_t> expected = {0};
  for (int level = 1; level < 1000; ++level) {
    root = tir::Add(tir::Add(Number(2 * level), std::move(root)), Number(2 * level + 1));
    expected.insert(expected.begin(), 2 * level);
    expected.push_back(2 * level + 1);
  }
  EXPECT_EQ(Numbers(root, WalkOrder::kPreOrder), expected);
  EXPECT_EQ(Numbers(root, WalkOrder::kPostOrder), expected);
}

TEST(Walk, AnyDepth) {
  RunOnSmallStack([] {
    ir::PrimExpr sum = DeepSum(kDeep);
    ffi::Any containers = DeepContainers(kDeep);
    for (WalkOrder order : {WalkOrder::kPreOrder, WalkOrder::kPostOrder}) {
      EXPECT_EQ(WalkedByTschema(sum, order).size(), kDeep + 2);
      EXPECT_EQ(WalkedByTschema(sum, {order, WalkSharing::kEveryPath}).size(), 2 * kDeep + 1);
      EXPECT_EQ(WalkedByTschema(containers, order).size(), kDeep + 1);
    }
    tschema::Dispose(containers);
  });
}

TEST(Walk, ManyPathsAreWalkedOnce) {
  EXPECT_EQ(WalkedByTschema(ManyPaths(60), WalkOrder::kPreOrder).size(), 61);
  EXPECT_EQ(WalkedByTschema(ManyPaths(1000), WalkOrder::kPostOrder).size(), 1001);
}

TEST(Walk, ManyChildren) {
  ffi::Array<ffi::Any> children;
  for (int index = 0; index < kDeep; ++index) children.push_back(Number(index));
  std::vector<int64_t> numbers = Numbers(children, WalkOrder::kPreOrder);
  EXPECT_EQ(numbers.size(), kDeep);
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
}

class WalkFunction : public testing::Test {
 protected:
  /*! \brief Call `tschema.walk` with a callback that ends at the number 2 with `result`. */
  ffi::Any EndAtTwo(const ffi::Any& result) {
    auto callback = ffi::Function::FromTyped([&](ffi::AnyView value) -> ffi::Any {
      ++count_;
      auto number = value.as<ir::IntImm>();
      return number.has_value() && (*number)->value == 2 ? result : ffi::Any(nullptr);
    });
    return walk_(root_, callback);
  }

  ffi::Function walk_ = ffi::Function::GetGlobalRequired("tschema.walk");
  ir::PrimExpr root_ = tir::Add(tir::Mul(Number(1), Number(2)), Number(3));
  int count_ = 0;
};

TEST_F(WalkFunction, TakesWhatFfiTakesFromACallback) {
  EXPECT_EQ(EndAtTwo(nullptr), nullptr);
  EXPECT_EQ(count_, 5);
  ffi::Any interrupt = EndAtTwo(ffi::VisitInterrupt(ffi::Any(7)));
  EXPECT_EQ(interrupt.cast<ffi::VisitInterrupt>()->value.cast<int>(), 7);
  EXPECT_EQ(count_, 9);
  EXPECT_EQ(EndAtTwo(2).type_index(), kTVMFFIVisitInterrupt);
  EXPECT_EQ(EndAtTwo(0), nullptr);
}

TEST_F(WalkFunction, RefusesOtherResults) {
  EXPECT_THROW(EndAtTwo("yes"), ffi::Error);
  EXPECT_THROW(EndAtTwo(3), ffi::Error);
  EXPECT_THROW(walk_(root_), ffi::Error);
}

TEST_F(WalkFunction, TakesTheOrder) {
  std::vector<int64_t> depths;
  auto callback = ffi::Function::FromTyped(
      [&](ffi::AnyView value) { depths.push_back(value.as<ir::IntImm>().has_value() ? 1 : 0); });
  walk_(root_, callback, 1);
  EXPECT_EQ(depths, (std::vector<int64_t>{1, 1, 0, 1, 0}));
}

}  // namespace
