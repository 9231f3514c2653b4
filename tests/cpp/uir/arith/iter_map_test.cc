// Iterator maps from C++.
#include <gtest/gtest.h>
#include <uir/arith/domain_touched.h>
#include <uir/arith/iter_map.h>
#include <uir/arith/region.h>
#include <uir/ir/dtype.h>
#include <uir/tir/buffer.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt.h>
#include <uir/tir/var.h>

#include "dtypes.h"

namespace uir {
namespace {

using arith::IterMapResult;
using ir::IntImm;
using tir::Var;

TEST(DetectIterMap, InvertsASplit) {
  const Var i("i", kInt32);
  const ir::Range range(IntImm(kInt32, 0), IntImm(kInt32, 24));
  const IterMapResult found = arith::detect_iter_map({tir::floordiv(i, 6), tir::floormod(i, 6)},
                                                     {{i, range}}, std::nullopt, "bijective");
  ASSERT_EQ(found->indices.size(), 2);
  const Var outer("outer", kInt32);
  const Var inner("inner", kInt32);
  const auto inverse = arith::inverse_affine_iter_map(found->indices, {outer, inner});
  EXPECT_TRUE(arith::Analyzer()->CanProveEqual(inverse[i], outer * 6 + inner));
}

TEST(DetectIterMap, SaysWhyThereIsNoMap) {
  const Var i("i", kInt32);
  const ir::Range range(IntImm(kInt32, 0), IntImm(kInt32, 24));
  const IterMapResult found = arith::detect_iter_map({i, i + 1}, {{i, range}});
  EXPECT_TRUE(found->indices.empty());
  EXPECT_EQ(found->errors.size(), 1);
}

TEST(SubspaceDivide, DividesATile) {
  const Var i("i", kInt32);
  const Var j("j", kInt32);
  const ir::Range range(IntImm(kInt32, 0), IntImm(kInt32, 8));
  const arith::SubspaceDivision found =
      arith::subspace_divide({i * 8 + j}, {{i, range}, {j, range}}, {j}, i < 3);
  ASSERT_EQ(found->outer.size(), 1);
  const arith::Analyzer analyzer;
  EXPECT_TRUE(analyzer->CanProveEqual(found->outer[0]->extent, IntImm(kInt32, 3)));
  EXPECT_TRUE(analyzer->CanProveEqual(found->inner[0]->extent, IntImm(kInt32, 8)));
}

TEST(DomainTouched, UnitesStores) {
  const Var i("i", kInt32);
  const tir::Buffer buffer = tir::decl_buffer({IntImm(kInt32, 64)}, kInt32, "A");
  const tir::Stmt store = tir::BufferStore(buffer, IntImm(kInt32, 1), {i * 4 + 2});
  const tir::Stmt loop =
      tir::For(i, IntImm(kInt32, 0), IntImm(kInt32, 8), tir::ForKind::kSerial, store);
  const auto touched = arith::domain_touched(loop, buffer);
  ASSERT_EQ(touched.size(), 1);
  EXPECT_TRUE(arith::Analyzer()->CanProveEqual(touched[0]->max_value.value(), IntImm(kInt32, 30)));
  EXPECT_TRUE(arith::domain_touched(loop, buffer, true, false).empty());
}

TEST(EstimateRegion, CoversATileWithItsHalo) {
  const Var i("i", kInt32);
  const ir::Range domain(IntImm(kInt32, 0), IntImm(kInt32, 8));
  const ir::PrimExpr always = IntImm(ir::BoolType(), 1);
  const auto wide = arith::estimate_region_lower_bound({ir::Range(i * 4, IntImm(kInt32, 6))},
                                                       {{i, domain}}, always);
  ASSERT_TRUE(wide.has_value());
  const arith::Analyzer analyzer;
  EXPECT_TRUE(analyzer->CanProveEqual(wide.value()[0]->max_value.value(), IntImm(kInt32, 33)));
  const auto gaps = arith::estimate_region_strict_bound({ir::Range(i * 4, IntImm(kInt32, 2))},
                                                        {{i, domain}}, always);
  EXPECT_FALSE(gaps.has_value());
}

}  // namespace
}  // namespace uir
