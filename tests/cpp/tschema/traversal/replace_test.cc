/*!
 * \file replace_test.cc
 * \brief Copies of nodes with changes, as functors of other languages make them.
 */
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include "tschema/random_ir.h"

namespace {

namespace ffi = ::tvm::ffi;

ffi::Function Global(const char* name) { return ffi::Function::GetGlobalRequired(name); }

tir::Add Sum(int64_t a, int64_t b) { return tir::Add(Number(a), Number(b)); }

TEST(Replace, CopiesWithChanges) {
  tir::Add sum = Sum(1, 2);
  ir::IntImm three = Number(3);
  auto copy = Global("tschema.replace")(sum, "b", three).cast<tir::Add>();
  EXPECT_FALSE(copy.same_as(sum));
  EXPECT_TRUE(copy->a.same_as(sum->a));
  EXPECT_TRUE(copy->b.same_as(three));
  EXPECT_FALSE(sum->b.same_as(three));
}

TEST(Replace, RunsPostInit) {
  DLDataType int64 = {kDLInt, 64, 1};
  ir::IntImm wide(int64, 1);
  auto copy = Global("tschema.replace")(Sum(1, 2), "a", wide, "b", wide).cast<tir::Add>();
  EXPECT_EQ(copy->dtype.bits, 64);
  EXPECT_THROW(Global("tschema.replace")(Sum(1, 2), "a", wide), ffi::Error);
}

TEST(Replace, RefusesWhatDoesNotFit) {
  ffi::Function replace = Global("tschema.replace");
  tir::Add sum = Sum(1, 2);
  EXPECT_THROW(replace(sum, "c", sum), ffi::Error);
  EXPECT_THROW(replace(sum, "a", ffi::String("one")), ffi::Error);
  EXPECT_THROW(replace(sum, "a"), ffi::Error);
  EXPECT_THROW(replace(ffi::Array<ffi::Any>()), ffi::Error);
}

TEST(Replace, CopiesAreHeldByTheirMakerAlone) {
  ffi::Array<ffi::Any> array = {Number(1)};
  auto copy = Global("tschema.shallow_copy")(array).cast<ffi::ObjectRef>();
  EXPECT_FALSE(copy.same_as(array));
  EXPECT_TRUE(copy.unique());
}

TEST(Replace, FinishesWhatWasWritten) {
  tir::Add sum = Sum(1, 2);
  DLDataType int64 = {kDLInt, 64, 1};
  auto* node = const_cast<tir::AddNode*>(sum.get());
  node->a = ir::IntImm(int64, 1);
  EXPECT_THROW(Global("tschema.post_init")(sum), ffi::Error);
  node->b = ir::IntImm(int64, 2);
  Global("tschema.post_init")(sum);
  EXPECT_EQ(sum->dtype.bits, 64);
}

}  // namespace
