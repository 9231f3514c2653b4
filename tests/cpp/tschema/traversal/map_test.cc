/*!
 * \file map_test.cc
 * \brief The map: identity, sharing, writing in place, checks, depth.
 */
#include <gtest/gtest.h>
#include <tschema/copy.h>
#include <tschema/map.h>
#include <tschema/release.h>
#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/function.h>

#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dtypes.h"
#include "tschema/random_ir.h"
#include "tschema/support/small_stack.h"
#include "tschema/traversal/objects_of.h"

namespace {

using tschema::Map;
using tschema::StructuralEqual;

/*! \brief Add one to every number. */
template <typename T>
T Increment(T root) {
  return Map(std::move(root),
             [](const ir::IntImmNode* number) { return Number(number->value + 1); });
}

TEST(Map, WithoutReplacementsReturnsTheSameObject) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    tir::Stmt root = RandomIr(seed).Stmt(4);
    std::set<const ffi::Object*> before = ObjectsOf(root);
    tir::Stmt same =
        Map(root, [](const ffi::Object*) -> std::optional<ffi::ObjectRef> { return std::nullopt; });
    EXPECT_TRUE(same.same_as(root));
    EXPECT_EQ(ObjectsOf(root), before);
  }
}

TEST(Map, ReplacingEachObjectByItselfReturnsTheSameObject) {
  tir::Stmt root = RandomIr(1).Stmt(4);
  EXPECT_TRUE(Map(root, [](const ffi::ObjectRef& object) { return object; }).same_as(root));
}

TEST(Map, GivesWhatFfiGives) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    tir::Stmt root = RandomIr(seed).Stmt(4);
    ffi::Any expected = ffi::StructuralMap<ffi::WalkOrder::kPostOrder>(
        root, [](const ir::IntImm& number) { return Number(number->value + 1); });
    EXPECT_TRUE(ffi::StructuralEqual::Equal(Increment(root), expected, true));
  }
}

TEST(Map, NeverTouchesTheOriginal) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    tir::Stmt root = RandomIr(seed).Stmt(4);
    tir::Stmt copy = tschema::DeepCopy(root);
    std::set<const ffi::Object*> before = ObjectsOf(root);
    Increment(root);
    EXPECT_TRUE(StructuralEqual(root, copy, true));
    EXPECT_EQ(ObjectsOf(root), before);
  }
}

TEST(Map, WritesWhatOnlyTheRootHolds) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    tir::Stmt root = RandomIr(seed).Stmt(4);
    tir::Stmt expected = Increment(root);
    tir::Stmt copy = tschema::DeepCopy(root);
    const ffi::Object* address = copy.get();
    tir::Stmt result = Increment(std::move(copy));
    EXPECT_EQ(result.get(), address);
    EXPECT_TRUE(StructuralEqual(result, expected, true));
  }
}

TEST(Map, WritesNothingThatSomebodyElseHolds) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    tir::Stmt root = tschema::DeepCopy(RandomIr(seed).Stmt(4));
    ffi::Array<ffi::ObjectRef> held;
    int count = 0;
    tschema::Walk(root, [&](const ffi::ObjectRef& object) {
      if (++count % 5 == 0) held.push_back(object);
    });
    ffi::Array<ffi::ObjectRef> copies = tschema::DeepCopy(held);
    Increment(std::move(root));
    EXPECT_TRUE(StructuralEqual(held, copies, true));
  }
}

TEST(Map, ASharedObjectIsMappedOnceAndStaysShared) {
  ir::PrimExpr shared = tir::Add(Number(1), Number(2));
  ir::PrimExpr root = tir::Mul(shared, shared);
  shared = Number(0);
  int count = 0;
  ir::PrimExpr result = Map(std::move(root), [&](const tir::AddNode* add) {
    ++count;
    return tir::Mul(add->a, add->b);
  });
  auto* mul = result.as<tir::MulNode>();
  EXPECT_EQ(count, 1);
  EXPECT_TRUE(mul->a.same_as(mul->b));
  EXPECT_TRUE(mul->a->IsInstance<tir::MulNode>());
}

TEST(Map, VariablesStayTheSameInAllTheirUses) {
  tir::Var x("x");
  tir::Var y("y");
  ir::PrimExpr root = tir::Let(x, Number(1), tir::Add(x, tir::Mul(x, x)));
  ir::PrimExpr result = Map(root, [&](const tir::VarNode*) { return y; });
  auto* let = result.as<tir::LetNode>();
  EXPECT_TRUE(let->var.same_as(y));
  EXPECT_TRUE(let->body.as<tir::AddNode>()->a.same_as(y));
  EXPECT_TRUE(root.as<tir::LetNode>()->var.same_as(x));
}

TEST(Map, ChangedNodesRunPostInit) {
  ir::PrimExpr root = tir::Add(tir::Add(Number(1), Number(2)), tir::Add(Number(3), Number(4)));
  auto widen = [](const ir::IntImmNode* number) { return ir::IntImm(kInt64, number->value); };
  ir::PrimExpr copied = Map(root, widen);
  ir::PrimExpr written = Map(tschema::DeepCopy(root), widen);
  for (const ir::PrimExpr& result : {copied, written}) {
    tschema::Walk(result, [](const tir::AddNode* add) { EXPECT_EQ(add->dtype.bits, 64); });
  }
  EXPECT_EQ(root->dtype.bits, 32);
}

TEST(Map, TheCallbackSeesChangedNodesComplete) {
  ir::PrimExpr root = tir::Add(Number(1), Number(2));
  Map(root, [&](const ir::PrimExpr& expr) -> std::optional<ir::PrimExpr> {
    if (expr->IsInstance<ir::IntImmNode>()) return ir::IntImm(kInt64, 1);
    EXPECT_EQ(expr->dtype.bits, 64);
    return std::nullopt;
  });
}

TEST(Map, WhatPostInitRefusesIsAnError) {
  auto narrow_two = [](const ir::IntImmNode* number) -> std::optional<ir::PrimExpr> {
    if (number->value == 1) return std::nullopt;
    return ir::IntImm(DLDataType{kDLInt, 8, 1}, 2);
  };
  EXPECT_THROW(Map(tir::Add(Number(1), Number(2)), narrow_two), ffi::Error);
}

/*! \brief The message of the error that mapping numbers to statements raises. */
std::string MessageOfMismatch(ffi::Any root) {
  try {
    Map(std::move(root), [](const ir::IntImmNode*) { return tir::Evaluate(Number(1)); });
  } catch (const ffi::Error& error) {
    EXPECT_EQ(error.kind(), "TypeError");
    return error.message();
  }
  return "nothing was raised";
}

TEST(Map, AReplacementMustFitItsPlace) {
  EXPECT_EQ(MessageOfMismatch(tir::Add(Number(1), Number(2))),
            "mapping field `a` of `uir.tir.Add` gave a `uir.tir.Evaluate`, expected "
            "uir.ir.PrimExpr");
  ffi::Any call = tir::Call(kInt32, ir::GlobalVar("f"), {Number(1)});
  std::string expected =
      "mapping field `args` of `uir.tir.Call` gave a `ffi.Array`, expected Array[uir.ir.PrimExpr]";
  EXPECT_EQ(MessageOfMismatch(call), expected);
  EXPECT_EQ(MessageOfMismatch(tschema::DeepCopy(call)), expected);
}

TEST(Map, ReachesIntoContainers) {
  auto make = [](int64_t n) {
    ffi::Dict<ffi::Any, ffi::Any> dict({{"in a dictionary", Number(n)}});
    return ffi::Array<ffi::Any>({ffi::List<ffi::Any>({Number(n), nullptr, 1.5}),
                                 ffi::Map<ffi::Any, ffi::Any>({{1, Number(n)}, {2, dict}}),
                                 ffi::Any(Number(n)), "text"});
  };
  ffi::Array<ffi::Any> root = make(1);
  ffi::Array<ffi::Any> result = Increment(root);
  EXPECT_TRUE(StructuralEqual(result, make(2)));
  EXPECT_TRUE(StructuralEqual(root, make(1)));
  const ffi::Object* address = root.get();
  result = Increment(std::move(root));
  EXPECT_EQ(result.get(), address);
  EXPECT_TRUE(StructuralEqual(result, make(2)));
}

TEST(Map, FindsManyValuesOfALargeMap) {
  ffi::Map<ffi::Any, ffi::Any> root;
  ffi::Map<ffi::Any, ffi::Any> expected;
  for (int key = 0; key < 1000; ++key) {
    root.Set(key, key % 3 == 0 ? ffi::Any(Number(key)) : ffi::Any(key));
    expected.Set(key, key % 3 == 0 ? ffi::Any(Number(key + 1)) : ffi::Any(key));
  }
  EXPECT_TRUE(StructuralEqual(Increment(root), expected));
  EXPECT_TRUE(StructuralEqual(Increment(std::move(root)), expected));
}

TEST(Map, KeysAndIgnoredFieldsStay) {
  ir::Span span(ir::SourceName("file"), 1, 1);
  ffi::Map<ffi::Any, ffi::Any> root({{Number(1), tir::Add(Number(2), Number(3), span)}});
  auto callback = [](const ffi::ObjectRef& object) -> std::optional<ffi::ObjectRef> {
    if (object->IsInstance<ir::SpanNode>()) throw std::runtime_error("entered an ignored field");
    if (auto* number = object.as<ir::IntImmNode>()) return Number(number->value + 10);
    return std::nullopt;
  };
  ffi::Map<ffi::Any, ffi::Any> result = Map(root, callback);
  EXPECT_EQ((*result.begin()).first.cast<ir::IntImm>()->value, 1);
  auto add = (*result.begin()).second.cast<tir::Add>();
  EXPECT_TRUE(add->span.value().same_as(span));
  EXPECT_EQ(add->a.as<ir::IntImmNode>()->value, 12);
}

TEST(Map, OptionalFieldsCanBecomeEmpty) {
  tir::Stmt root = tir::IfThenElse(tir::LT(Number(1), Number(2)), tir::Evaluate(Number(1)),
                                   tir::Evaluate(Number(2)));
  auto drop_second = [](const tir::EvaluateNode* evaluate) -> std::optional<ffi::Any> {
    if (evaluate->value.as<ir::IntImmNode>()->value == 1) return std::nullopt;
    return ffi::Any(nullptr);
  };
  tir::Stmt result = Map(root, drop_second);
  EXPECT_FALSE(result.as<tir::IfThenElseNode>()->else_case.has_value());
}

TEST(Map, ARootOfAnotherTypeIsAnError) {
  tir::Var root("x");
  auto replace = [](const tir::VarNode*) { return Number(1); };
  EXPECT_THROW(Map(root, replace), ffi::Error);
  EXPECT_EQ(Map(ffi::Any(root), replace).cast<ir::IntImm>()->value, 1);
}

TEST(Map, PlainValuesStay) {
  auto fail = [](const ffi::Object*) -> ffi::ObjectRef { throw std::runtime_error("called"); };
  EXPECT_EQ(Map(ffi::Any(1), fail).cast<int>(), 1);
  EXPECT_EQ(Map(ffi::Any(nullptr), fail), nullptr);
}

TEST(Map, ACycleIsAnError) {
  ffi::List<ffi::Any> list;
  list.push_back(ffi::Array<ffi::Any>({list, Number(1)}));
  EXPECT_THROW(Increment(list), ffi::Error);
  list.clear();
}

TEST(Map, ACallbackMayKeepWhatItSees) {
  std::vector<ir::PrimExpr> kept;
  ir::PrimExpr root = tschema::DeepCopy(tir::Add(tir::Add(Number(1), Number(2)), Number(3)));
  auto keep = [&](const ir::PrimExpr& expr) -> std::optional<ir::PrimExpr> {
    kept.push_back(expr);
    if (auto* number = expr.as<ir::IntImmNode>()) return Number(number->value + 1);
    return std::nullopt;
  };
  ir::PrimExpr result = Map(std::move(root), keep);
  EXPECT_TRUE(StructuralEqual(result, tir::Add(tir::Add(Number(2), Number(3)), Number(4))));
  EXPECT_EQ(kept[0].as<ir::IntImmNode>()->value, 1);
  EXPECT_TRUE(StructuralEqual(kept[2], tir::Add(Number(2), Number(3))));
}

TEST(Map, AnyDepth) {
  RunOnSmallStack([] {
    auto next = [](const ir::IntImmNode* number) { return Number(number->value + 1); };
    ir::PrimExpr sum = DeepSum(kDeep);
    ir::PrimExpr copied = Map(sum, next);
    EXPECT_FALSE(copied.same_as(sum));
    ir::PrimExpr written = Map(std::move(sum), next);
    EXPECT_TRUE(StructuralEqual(copied, written));
    ffi::Any containers = DeepContainers(kDeep);
    ffi::Any mapped = Map(containers, next);
    EXPECT_FALSE(mapped.same_as(containers));
    tschema::Dispose(containers);
    mapped = nullptr;
  });
}

TEST(Map, DropsDeepContainersWithoutRecursion) {
  RunOnSmallStack([] {
    auto to_zero = [](const ffi::ObjectRef& object) -> std::optional<ffi::Any> {
      if (object.as<ffi::DictObj>() != nullptr && object.use_count() < 3) return ffi::Any(0);
      return std::nullopt;
    };
    ffi::Any twice = ffi::Array<ffi::Any>({DeepContainers(kDeep), DeepContainers(kDeep)});
    twice = Map(std::move(twice), to_zero);
    EXPECT_EQ(twice.cast<ffi::Array<ffi::Any>>()[0].cast<int>(), 0);
    EXPECT_EQ(Map(DeepContainers(kDeep), to_zero).cast<int>(), 0);
    auto fail = [](const ir::IntImmNode*) -> ffi::Any { throw std::runtime_error("no"); };
    EXPECT_THROW(Map(DeepContainers(kDeep), fail), std::runtime_error);
  });
}

TEST(Map, ManyPathsAreMappedOnce) {
  ir::PrimExpr result = Increment(ManyPaths(60));
  EXPECT_EQ(ObjectsOf(result).size(), 61);
}

TEST(Map, ManyChildren) {
  ffi::Array<ffi::Any> children;
  for (int index = 0; index < kDeep; ++index) children.push_back(Number(index));
  children = Increment(std::move(children));
  for (int index = 0; index < kDeep; ++index) {
    ASSERT_EQ(children[index].cast<ir::IntImm>()->value, index + 1);
  }
}

TEST(Map, ThreadsMapTheSameGraph) {
  tir::Stmt root = RandomIr(1).Stmt(5);
  tir::Stmt copy = tschema::DeepCopy(root);
  tir::Stmt expected = Increment(root);
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index) {
    threads.emplace_back([root, expected] {
      for (int round = 0; round < 20; ++round) {
        EXPECT_TRUE(StructuralEqual(Increment(root), expected, true));
        EXPECT_TRUE(StructuralEqual(Increment(tschema::DeepCopy(root)), expected, true));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(StructuralEqual(root, copy, true));
}

TEST(Map, FunctionLeavesWhatItReturnsNoneFor) {
  ffi::Function map = ffi::Function::GetGlobalRequired("tschema.map");
  ir::PrimExpr root = tir::Add(Number(1), Number(2));
  auto callback = ffi::Function::FromTyped([](ffi::AnyView value) -> ffi::Any {
    auto number = value.as<ir::IntImm>();
    if (number.has_value() && (*number)->value == 1) return Number(3);
    return nullptr;
  });
  ffi::Any result = map(root, callback);
  EXPECT_TRUE(StructuralEqual(result, tir::Add(Number(3), Number(2))));
  EXPECT_TRUE(StructuralEqual(root, tir::Add(Number(1), Number(2))));
}

}  // namespace
