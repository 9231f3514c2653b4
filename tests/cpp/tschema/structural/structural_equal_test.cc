// Structural equality: variables, kinds of nodes, values, containers, and the path to a difference.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/error.h>
#include <uir/ir/attrs.h>
#include <uir/ir/expr.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt.h>
#include <uir/tir/var.h>

#include <cmath>
#include <limits>
#include <string>

#include "dtypes.h"
#include "error_of.h"
#include "tschema/structural/structural_nodes.h"

namespace {

namespace ffi = ::tvm::ffi;
using namespace structural_nodes;  // NOLINT(google-build-using-namespace)
using tschema::FirstMismatch;
using tschema::StructuralEqual;
using uir::ir::IntImm;
using uir::ir::PrimExpr;
using uir::tir::Add;
using uir::tir::Let;
using uir::tir::Var;

constexpr DLDataType kHandle = {kDLOpaqueHandle, 64, 1};

std::string Text(ffi::AnyView lhs, ffi::AnyView rhs) {
  std::optional<tschema::Mismatch> mismatch = FirstMismatch(lhs, rhs);
  return mismatch ? std::string(mismatch->text) : "equal";
}

class StructuralEqualTest : public testing::Test {
 protected:
  void SetUp() override { structural_nodes::Register(); }
};

TEST_F(StructuralEqualTest, ComparesPlainValues) {
  EXPECT_TRUE(StructuralEqual(1, 1));
  EXPECT_FALSE(StructuralEqual(1, 2));
  EXPECT_FALSE(StructuralEqual(1, true));
  EXPECT_FALSE(StructuralEqual(1, 1.0));
  EXPECT_TRUE(StructuralEqual(nullptr, nullptr));
  EXPECT_FALSE(StructuralEqual(nullptr, 0));
  EXPECT_FALSE(StructuralEqual(0.0, -0.0));
}

TEST_F(StructuralEqualTest, TakesEveryNaNForOne) {
  double other = std::copysign(std::numeric_limits<double>::quiet_NaN(), -1.0);
  EXPECT_TRUE(StructuralEqual(std::nan(""), other));
  constexpr DLDataType kFloat64 = {kDLFloat, 64, 1};
  EXPECT_TRUE(StructuralEqual(uir::ir::FloatImm(kFloat64, std::nan("")),
                              uir::ir::FloatImm(kFloat64, other)));
  EXPECT_FALSE(
      StructuralEqual(uir::ir::FloatImm(kFloat64, 0.0), uir::ir::FloatImm(kFloat64, other)));
}

TEST_F(StructuralEqualTest, ComparesTextWhereverItIsKept) {
  ffi::String long_text("a text of more than seven bytes");
  EXPECT_TRUE(StructuralEqual(long_text, "a text of more than seven bytes"));
  EXPECT_TRUE(StructuralEqual("short", ffi::String("short")));
  EXPECT_FALSE(StructuralEqual(ffi::String("short"), ffi::Bytes("short")));
}

TEST_F(StructuralEqualTest, RenamesBoundVariables) {
  Var x("x"), y("y"), z("z");
  EXPECT_TRUE(StructuralEqual(Let(x, 1, Add(x, x)), Let(y, 1, Add(y, y))));
  EXPECT_FALSE(StructuralEqual(Let(x, 1, Add(x, x)), Let(y, 1, Add(y, z))));
  EXPECT_FALSE(StructuralEqual(Add(x, y), Add(y, x)));
  EXPECT_TRUE(StructuralEqual(Add(x, y), Add(y, x), /*map_free_vars=*/true));
  EXPECT_FALSE(StructuralEqual(Add(x, y), Add(y, y), /*map_free_vars=*/true));
  EXPECT_FALSE(StructuralEqual(Add(x, x), Add(x, y), /*map_free_vars=*/true));
}

TEST_F(StructuralEqualTest, LetsABoundVariableStandForItselfNoMore) {
  Var x("x"), y("y");
  PrimExpr shared = Add(x, IntImm(kInt32, 1));
  EXPECT_TRUE(StructuralEqual(Let(x, 1, shared), Let(x, 1, shared)));
  EXPECT_FALSE(StructuralEqual(Let(x, 1, shared), Let(y, 1, shared)));
}

TEST_F(StructuralEqualTest, PairsTheKeysOfMapsThatAreVariables) {
  auto function = [](bool is_mapped) {
    Var a("a", kHandle), b("b", kHandle);
    uir::tir::Buffer buffer(Var("data", kHandle), kInt32, {IntImm(kInt32, 4)});
    ffi::Map<Var, uir::tir::Buffer> buffer_map;
    buffer_map.Set(is_mapped ? a : b, buffer);
    return uir::tir::PrimFunc({a, b}, uir::tir::Evaluate(0), buffer_map);
  };
  EXPECT_TRUE(StructuralEqual(function(true), function(true)));
  EXPECT_FALSE(StructuralEqual(function(true), function(false)));
  std::optional<tschema::Mismatch> mismatch = FirstMismatch(function(true), function(false));
  EXPECT_EQ(std::string(mismatch->text), "<root>.buffer_map[`uir.tir.Var`]: only on the left");
}

TEST_F(StructuralEqualTest, KnowsTheKindsOfNodes) {
  ObjectRef a = Make<DagNode>(1, 2), b = Make<DagNode>(1, 2);
  EXPECT_TRUE(StructuralEqual(ffi::Array<ffi::Any>{a, b}, ffi::Array<ffi::Any>{b, a}));
  EXPECT_FALSE(StructuralEqual(ffi::Array<ffi::Any>{a, a}, ffi::Array<ffi::Any>{a, b}));
  EXPECT_TRUE(StructuralEqual(Make<ConstNode>(1, "x"), Make<ConstNode>(1, "x")));
  ObjectRef unique = Make<UniqueNode>(1, 2);
  EXPECT_TRUE(StructuralEqual(unique, unique));
  EXPECT_FALSE(StructuralEqual(unique, Make<UniqueNode>(1, 2)));
  EXPECT_NE(ErrorOf([] {
              StructuralEqual(Make<UnsupportedNode>(1, 2), Make<UnsupportedNode>(1, 2));
            }).find("TypeError: objects of type `structural_nodes.Unsupported` cannot be "),
            std::string::npos);
  ffi::Function function = ffi::Function::FromTyped([] {});
  EXPECT_NE(ErrorOf([&] { StructuralEqual(function, function); }).find("`ffi.Function`"),
            std::string::npos);
}

TEST_F(StructuralEqualTest, NamesTheFieldThatDiffers) {
  Var i("i"), j("j");
  auto loop = [](Var var, int64_t offset, uir::tir::ForKind kind) {
    PrimExpr value = Add(var, IntImm(kInt32, offset));
    return uir::tir::For(var, 0, 8, kind,
                         uir::tir::SeqStmt({uir::tir::Evaluate(0), uir::tir::Evaluate(value)}));
  };
  using uir::tir::ForKind;
  EXPECT_EQ(Text(loop(i, 1, ForKind::kSerial), loop(j, 1, ForKind::kSerial)), "equal");
  EXPECT_EQ(Text(loop(i, 1, ForKind::kSerial), loop(j, 2, ForKind::kSerial)),
            "<root>.body.seq[1].value.b.value: 1 != 2");
  EXPECT_EQ(Text(loop(i, 1, ForKind::kSerial), loop(j, 2, ForKind::kParallel)),
            "<root>.kind: 0 != 1");
}

TEST_F(StructuralEqualTest, SaysWhatIsMissing) {
  EXPECT_EQ(Text(ffi::Array<ffi::Any>{1, 2}, ffi::Array<ffi::Any>{1}),
            "<root>[1]: only on the left");
  EXPECT_EQ(Text(ffi::List<ffi::Any>{1}, ffi::List<ffi::Any>{1, 2}),
            "<root>[1]: only on the right");
  ffi::Map<ffi::Any, ffi::Any> less{{"a", 1}}, more{{"a", 1}, {"b", 2}};
  EXPECT_EQ(Text(less, more), "<root>[\"b\"]: only on the right");
  EXPECT_EQ(Text(more, less), "<root>[\"b\"]: only on the left");
  EXPECT_EQ(Text(1, "text"), "<root>: 1 != \"text\"");
  EXPECT_EQ(Text(Var("x"), Var("y")), "<root>: `uir.tir.Var` differs");
}

TEST_F(StructuralEqualTest, ComparesShapesAndContainersByContent) {
  EXPECT_TRUE(StructuralEqual(ffi::Shape({1, 2}), ffi::Shape({1, 2})));
  EXPECT_FALSE(StructuralEqual(ffi::Shape({1, 2}), ffi::Shape({1, 3})));
  EXPECT_FALSE(StructuralEqual(ffi::Shape({1, 2}), ffi::Shape({1, 2, 3})));
  EXPECT_FALSE(StructuralEqual(ffi::Array<ffi::Any>{1}, ffi::List<ffi::Any>{1}));
  ffi::Dict<ffi::Any, ffi::Any> ab{{"a", 1}, {"b", 2}}, ba{{"b", 2}, {"a", 1}};
  EXPECT_TRUE(StructuralEqual(ab, ba));
}

TEST_F(StructuralEqualTest, IsAGlobalFunctionToo) {
  auto equal = ffi::Function::GetGlobalRequired("tschema.structural_equal");
  auto mismatch = ffi::Function::GetGlobalRequired("tschema.first_mismatch");
  EXPECT_TRUE(equal(IntImm(kInt32, 1), IntImm(kInt32, 1), false).cast<bool>());
  EXPECT_EQ(mismatch(1, 1, false), nullptr);
  auto found = mismatch(IntImm(kInt32, 1), IntImm(kInt32, 2), false).cast<ffi::Array<ffi::Any>>();
  EXPECT_EQ(found[2].cast<ffi::String>(), "<root>.value: 1 != 2");
}

}  // namespace
