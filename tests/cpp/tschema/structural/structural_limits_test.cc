// Structural equality and hash on graphs that are deep, wide, or shared so that they unfold to
// 2^60 paths; all on a stack of 8 MB.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <uir/ir/expr.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/stmt.h>
#include <uir/tir/var.h>

#include <random>
#include <string>
#include <vector>

#include "dtypes.h"
#include "error_of.h"
#include "tschema/structural/structural_nodes.h"
#include "tschema/support/depth.h"
#include "tschema/support/small_stack.h"

namespace {

namespace ffi = ::tvm::ffi;
using namespace structural_nodes;  // NOLINT(google-build-using-namespace)
using ffi::Any;
using tschema::FirstMismatch;
using tschema::StructuralEqual;
using tschema::StructuralHash;
using uir::ir::IntImm;
using uir::ir::PrimExpr;
using uir::tir::Add;

constexpr int kShared = 60;

/*! \brief Wrap a value many times. */
template <typename Wrap>
Any Chain(int depth, Any value, Wrap wrap) {
  for (int i = 0; i < depth; ++i) value = wrap(std::move(value));
  return value;
}

PrimExpr Expr(const Any& value) { return value.cast<PrimExpr>(); }

Any AddLeft(Any value) { return Add(Expr(value), IntImm(kInt32, 1)); }
Any AddRight(Any value) { return Add(IntImm(kInt32, 1), Expr(value)); }
Any LetBody(Any value) {
  uir::tir::Var var("x");
  return uir::tir::Let(var, 1, Add(var, Expr(value)));
}

/*! \brief Compare a chain with a copy and with another that differs at the very end. */
template <typename Wrap>
void CheckDeep(int depth, Wrap wrap, Any bottom, Any other) {
  Any a = Chain(depth, bottom, wrap), b = Chain(depth, bottom, wrap);
  Any c = Chain(depth, other, wrap);
  EXPECT_TRUE(StructuralEqual(a, b));
  EXPECT_FALSE(StructuralEqual(a, c));
  EXPECT_EQ(StructuralHash(a), StructuralHash(b));
  EXPECT_NE(StructuralHash(a), StructuralHash(c));
  EXPECT_FALSE(FirstMismatch(a, b).has_value());
  std::optional<tschema::Mismatch> mismatch = FirstMismatch(a, c);
  ASSERT_TRUE(mismatch.has_value());
  EXPECT_GE(mismatch->lhs.size(), static_cast<size_t>(depth));
}

class StructuralLimits : public testing::Test {
 protected:
  void SetUp() override { structural_nodes::Register(); }
};

TEST_F(StructuralLimits, HashRefusesWhatHoldsItself) {
  ffi::List<Any> list;
  list.push_back(ffi::Array<Any>{list, list});
  ffi::Dict<Any, Any> dict;
  dict.Set(1, dict);
  ObjectRef dag = Make<DagNode>(nullptr, nullptr);
  const_cast<DagNode*>(dag.as<DagNode>())->a = dag;
  auto refused = [](const char* key) {
    return std::string("ValueError: cannot hash a cycle: an object of type `") + key +
           "` is below itself";
  };
  EXPECT_EQ(ErrorOf([&] { StructuralHash(list); }), refused("ffi.List"));
  EXPECT_EQ(ErrorOf([&] { StructuralHash(dict); }), refused("ffi.Dict"));
  EXPECT_EQ(ErrorOf([&] { StructuralHash(dag); }), refused("structural_nodes.Dag"));
  list.clear();
  dict.clear();
  const_cast<DagNode*>(dag.as<DagNode>())->a = nullptr;
}

TEST_F(StructuralLimits, EqualityEndsOnCycles) {
  auto make_list = [] {
    ffi::List<Any> list;
    list.push_back(list);
    return list;
  };
  ffi::List<Any> one = make_list(), other = make_list();
  EXPECT_TRUE(StructuralEqual(one, other));
  EXPECT_FALSE(FirstMismatch(one, other).has_value());
  EXPECT_FALSE(StructuralEqual(one, ffi::List<Any>{ffi::List<Any>{1}}));
  auto make_dag = [] {
    ObjectRef dag = Make<DagNode>(nullptr, nullptr);
    const_cast<DagNode*>(dag.as<DagNode>())->a = dag;
    return dag;
  };
  ObjectRef dag = make_dag(), second = make_dag();
  EXPECT_EQ(ErrorOf([&] { StructuralEqual(dag, second); }),
            "ValueError: cannot compare a cycle: an object of type `structural_nodes.Dag` is below "
            "itself");
  one.clear();
  other.clear();
  for (const ObjectRef& node : {dag, second}) {
    const_cast<DagNode*>(node.as<DagNode>())->a = nullptr;
  }
}

TEST_F(StructuralLimits, DeepToTheLeft) {
  RunOnSmallStack([] { CheckDeep(kDeep, AddLeft, IntImm(kInt32, 1), IntImm(kInt32, 2)); });
}

TEST_F(StructuralLimits, DeepToTheRight) {
  RunOnSmallStack([] { CheckDeep(kDeep, AddRight, IntImm(kInt32, 1), IntImm(kInt32, 2)); });
}

TEST_F(StructuralLimits, DeepWithBindings) {
  RunOnSmallStack([] { CheckDeep(kDeep, LetBody, IntImm(kInt32, 1), IntImm(kInt32, 2)); });
}

TEST_F(StructuralLimits, DeepThroughHandWrittenMethods) {
  RunOnSmallStack([] {
    auto wrap = [](Any value) -> Any { return Cons(1, std::move(value)); };
    CheckDeep(kDeep, wrap, 1, 2);
  });
}

TEST_F(StructuralLimits, DeepThroughArraysOfStatements) {
  RunOnSmallStack([] {
    auto wrap = [](Any value) -> Any {
      using namespace uir::tir;  // NOLINT(google-build-using-namespace)
      Stmt body = SeqStmt({Evaluate(1), value.cast<Stmt>()});
      return IfThenElse(LT(1, 2), body);
    };
    CheckDeep(kDeep, wrap, uir::tir::Evaluate(1), uir::tir::Evaluate(2));
  });
}

TEST_F(StructuralLimits, DeepThroughForeignNodes) {
  constexpr int kForeignDepth = 100000;  // Foreign code takes 1 kB and more of a stack each.
  RunOnSmallStack([] {
    auto wrap = [](Any value) -> Any { return Make<UnorderedNode>(1, std::move(value)); };
    Any a = Chain(kForeignDepth, 1, wrap), b = Chain(kForeignDepth, 1, wrap);
    EXPECT_TRUE(StructuralEqual(a, b));
    EXPECT_EQ(StructuralHash(a), StructuralHash(b));
  });
}

TEST_F(StructuralLimits, Wide) {
  const int width = kDeep;
  ffi::Array<Any> a, b;
  ffi::Map<Any, Any> map_a, map_b;
  for (int i = 0; i < width; ++i) {
    a.push_back(IntImm(kInt32, i));
    b.push_back(IntImm(kInt32, i));
    map_a.Set(i, a.back());
    map_b.Set(width - 1 - i, IntImm(kInt32, width - 1 - i));
  }
  EXPECT_TRUE(StructuralEqual(a, b));
  EXPECT_EQ(StructuralHash(a), ffi::StructuralHash()(b));
  EXPECT_TRUE(StructuralEqual(map_a, map_b));
  EXPECT_EQ(StructuralHash(map_a), ffi::StructuralHash()(map_b));
  b.Set(width - 1, IntImm(kInt32, 0));
  std::string last = std::to_string(width - 1);
  EXPECT_EQ(std::string(FirstMismatch(a, b)->text),
            "<root>[" + last + "].value: " + last + " != 0");
}

template <typename Twice>
void CheckShared(Twice twice, Any bottom, Any other) {
  Any a = Chain(kShared, bottom, twice), b = Chain(kShared, bottom, twice);
  EXPECT_TRUE(StructuralEqual(a, b));
  EXPECT_TRUE(StructuralEqual(a, a));
  EXPECT_EQ(StructuralHash(a), StructuralHash(b));
  EXPECT_FALSE(FirstMismatch(a, b).has_value());
  Any c = Chain(kShared, other, twice);
  EXPECT_FALSE(StructuralEqual(a, c));
  EXPECT_NE(StructuralHash(a), StructuralHash(c));
}

TEST_F(StructuralLimits, SharedInEveryKindOfNode) {
  auto add = [](Any value) -> Any { return Add(Expr(value), Expr(value)); };
  CheckShared(add, IntImm(kInt32, 1), IntImm(kInt32, 2));
  CheckShared([](Any value) -> Any { return Cons(value, value); }, 1, 2);
  CheckShared([](Any value) -> Any { return Make<DagNode>(value, value); }, 1, 2);
  CheckShared([](Any value) -> Any { return Make<ConstNode>(value, value); }, 1, 2);
  CheckShared([](Any value) -> Any { return ffi::Array<Any>{value, value}; }, 1, 2);
  CheckShared([](Any value) -> Any { return ffi::List<Any>{value, value}; }, 1, 2);
  auto map = [](Any value) -> Any { return ffi::Map<Any, Any>{{"a", value}, {"b", value}}; };
  CheckShared(map, 1, 2);
}

TEST_F(StructuralLimits, SharedMapsWithKeysThatHaveNoHashYet) {
  // Of a key that is an object tvm-ffi takes the hash only if it has come across the object.
  auto map = [](Any value) -> Any {
    Any key = IntImm(kInt32, 1);
    return ffi::Map<Any, Any>{{"a", value}, {"b", ffi::Array<Any>{value, key}}, {key, 7}};
  };
  for (int depth : {1, 2, 3, 10}) {
    Any value = Chain(depth, 1, map);
    EXPECT_EQ(StructuralHash(value), ffi::StructuralHash()(value)) << depth;
  }
  Any value = Chain(kShared, 1, map);
  EXPECT_EQ(StructuralHash(value), StructuralHash(value));
}

TEST_F(StructuralLimits, SharedSoThatOneSideMatchesManyOfTheOther) {
  // Equal nodes at each level, linked at random: the pairs are many more than the links.
  constexpr int kLevels = 40, kNodes = 500;
  auto graph = [](uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<PrimExpr> level(kNodes, IntImm(kInt32, 1));
    for (int i = 0; i < kLevels; ++i) {
      std::vector<PrimExpr> next;
      for (int j = 0; j < kNodes; ++j) {
        next.push_back(Add(level[random() % kNodes], level[random() % kNodes]));
      }
      level.swap(next);
    }
    return level[0];
  };
  EXPECT_TRUE(StructuralEqual(graph(1), graph(2)));
}

}  // namespace
