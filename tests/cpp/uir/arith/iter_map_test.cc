// Iterator maps from C++.
#include <gtest/gtest.h>
#include <uir/arith/iter_map.h>
#include <uir/arith/region.h>
#include <uir/ir/dtype.h>
#include <uir/tir/operators.h>
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

TEST(EstimateRegion, CoversATileWithItsHalo) {
  const Var i("i", kInt32);
  const ir::Range domain(IntImm(kInt32, 0), IntImm(kInt32, 8));
  const ir::PrimExpr always = IntImm(ir::BoolType(), 1);
  const auto wide = arith::estimate_region_lower_bound({ir::Range(i * 4, IntImm(kInt32, 6))},
                                                       {{i, domain}}, always);
  ASSERT_TRUE(wide.has_value());
  const arith::Analyzer analyzer;
  EXPECT_TRUE(analyzer->CanProveEqual(wide.value()[0]->max_value.value(), IntImm(kInt32, 33)));
  const auto gaps = arith::estimate_region_lower_bound({ir::Range(i * 4, IntImm(kInt32, 2))},
                                                       {{i, domain}}, always);
  EXPECT_FALSE(gaps.has_value());
}

}  // namespace
}  // namespace uir
