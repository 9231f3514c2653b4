/*!
 * \file traversal_hooks_test.cc
 * \brief tvm-ffi's own walk and map over this library's hooks: what they do over reflection.
 */
#include <gtest/gtest.h>
#include <tschema/copy.h>
#include <tschema/structural_equal.h>
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <uir/ir/types.h>
#include <uir/tir/buffer.h>

#include <string>
#include <utility>
#include <vector>

#include "dtypes.h"
#include "tschema/random_ir.h"

namespace {

using ffi::detail::ExpectedUnsafe;

/*! \brief A value that a walk comes to: its type, its bits and the region around it. */
struct Visited {
  int32_t type_index;
  uint64_t bits;
  TVMFFIDefRegionKind region;

  bool operator==(const Visited& other) const {
    return type_index == other.type_index && bits == other.bits && region == other.region;
  }
};

enum class By { kHooks, kReflection };

/*! \brief Notes every value of a walk. */
template <By by>
class Noter : public ffi::StructuralVisitorObj {
 public:
  Noter() : StructuralVisitorObj(&kVTable) {}

  std::vector<Visited> visited;

 private:
  static TVMFFIAny Visit(ffi::StructuralVisitorObj* visitor, ffi::AnyView value) noexcept {
    auto* self = static_cast<Noter*>(visitor);
    TVMFFIAny raw = value.CopyToTVMFFIAny();
    self->visited.push_back({raw.type_index, raw.v_uint64, self->def_region_kind()});
    if (by == By::kReflection && raw.type_index >= kTVMFFIDynObjectBegin) {
      return ExpectedUnsafe::MoveToTVMFFIAny(
          ffi::detail::VisitReflectedFieldsExpected(self, value.cast<const ffi::Object*>()));
    }
    return ExpectedUnsafe::MoveToTVMFFIAny(self->DefaultVisitExpected(value));
  }

  static constexpr ffi::StructuralVisitorVTable kVTable = {&Visit};
};

template <By by>
std::vector<Visited> Walked(const ffi::ObjectRef& root) {
  ffi::ObjectPtr<Noter<by>> noter = ffi::make_object<Noter<by>>();
  EXPECT_FALSE(noter->VisitExpected(root).is_err());
  return noter->visited;
}

TEST(TraversalHooks, VisitWhatReflectionVisits) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    tir::Stmt root = RandomIr(seed).Stmt(3);
    EXPECT_EQ(Walked<By::kHooks>(root), Walked<By::kReflection>(root));
  }
}

TEST(TraversalHooks, VisitVariablesInTheirRegions) {
  tir::Buffer buffer = tir::decl_buffer({Number(4), tir::Var("n", kInt32)}, kInt32);
  tir::Stmt root = tir::DeclBuffer(buffer);
  std::vector<Visited> visited = Walked<By::kHooks>(root);
  EXPECT_EQ(visited, Walked<By::kReflection>(root));
  bool has_region = false;
  for (const Visited& value : visited) has_region |= value.region != kTVMFFIDefRegionKindNone;
  EXPECT_TRUE(has_region);
}

ffi::Any Increment(ffi::Any root) {
  return ffi::StructuralMap<ffi::WalkOrder::kPostOrder>(
      std::move(root), [](const ir::IntImm& number) { return Number(number->value + 1); });
}

TEST(TraversalHooks, MapReachesPlainFields) {
  ffi::Any root = tir::Add(Number(1), Number(2));
  ffi::Any result = ffi::StructuralMap<ffi::WalkOrder::kPostOrder>(
      root, [](int64_t number) { return number * 10; });
  EXPECT_TRUE(tschema::StructuralEqual(result, tir::Add(Number(10), Number(20))));
}

TEST(TraversalHooks, MapReturnsTheSameObjectIfNothingChanged) {
  tir::Stmt root = RandomIr(1).Stmt(4);
  ffi::Any result = ffi::StructuralMap<ffi::WalkOrder::kPostOrder>(
      root, [](const tir::Min&) { return Number(1); });
  EXPECT_TRUE(result.same_as(root));
}

TEST(TraversalHooks, MapNeverTouchesTheOriginal) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    tir::Stmt root = RandomIr(seed).Stmt(4);
    tir::Stmt copy = tschema::DeepCopy(root);
    ffi::Any result = Increment(root);
    EXPECT_TRUE(tschema::StructuralEqual(root, copy, true));
    EXPECT_TRUE(tschema::StructuralEqual(Increment(std::move(copy)), result, true));
  }
}

ffi::Any Widen(ffi::Any root) {
  return ffi::StructuralMap<ffi::WalkOrder::kPostOrder>(
      std::move(root), [](const ir::IntImm& number) { return ir::IntImm(kInt64, number->value); });
}

TEST(TraversalHooks, MapRunsPostInit) {
  ir::PrimExpr root = tir::Add(tir::Add(Number(1), Number(2)), Number(3));
  EXPECT_EQ(Widen(root).cast<ir::PrimExpr>()->dtype.bits, 64);
  ffi::Any moved = Widen(tschema::DeepCopy(root));
  EXPECT_EQ(moved.cast<ir::PrimExpr>()->dtype.bits, 64);
  EXPECT_EQ(moved.cast<tir::Add>()->a->dtype.bits, 64);
}

TEST(TraversalHooks, WhatPostInitRefusesIsAnError) {
  ir::PrimExpr root = tir::Add(tir::Var("x", kInt32), Number(2));
  EXPECT_THROW(Widen(root), ffi::Error);
}

TEST(TraversalHooks, AReplacementMustFitItsPlace) {
  auto to_statement = [](const ir::IntImm& number) { return tir::Evaluate(number); };
  ffi::Any root = tir::Add(Number(1), Number(2));
  EXPECT_THROW(ffi::StructuralMap<ffi::WalkOrder::kPostOrder>(root, to_statement), ffi::Error);
}

TEST(TraversalHooks, UsesFollowADefinitionWhoseFieldsChanged) {
  tir::Var x("x", kInt32, ir::PrimType(kInt32));
  tir::Var free("free", kInt32, ir::PrimType(kInt32));
  ffi::Any root = tir::Let(x, Number(1), tir::Add(x, free));
  ffi::Any result = ffi::StructuralMap<ffi::WalkOrder::kPostOrder>(
      root, [](const ir::PrimType&) { return ir::PrimType(kInt32); });
  auto let = result.cast<tir::Let>();
  auto* body = let->body.as<tir::AddNode>();
  EXPECT_FALSE(let->var.same_as(x));
  EXPECT_TRUE(body->a.same_as(let->var));
  EXPECT_TRUE(body->b.same_as(free));
}

TEST(TraversalHooks, WriteInPlaceWhatNobodyElseHolds) {
  tir::Stmt root = tir::Evaluate(Number(1));
  const ffi::Object* address = root.get();
  ffi::Any moved = Increment(std::move(root));
  EXPECT_EQ(moved.as<ffi::Object>(), address);
  ffi::Any held = moved;
  ffi::Any copied = Increment(std::move(moved));
  EXPECT_FALSE(copied.same_as(held));
  EXPECT_EQ(held.cast<tir::Evaluate>()->value.as<ir::IntImmNode>()->value, 2);
}

}  // namespace
