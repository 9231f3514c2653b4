// Structural equality, mismatch paths and hashes agree with tvm-ffi's on thousands of graphs.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>

#include <string>

#include "tschema/random_graph.h"
#include "tschema/structural/structural_nodes.h"

namespace {

namespace ffi = ::tvm::ffi;
using ffi::Any;
using ffi::reflection::AccessPathPair;

constexpr int kNumSeeds = 2000;

void ExpectSameMismatch(const Any& lhs, const Any& rhs, bool map_free_vars) {
  std::optional<tschema::Mismatch> ours = tschema::FirstMismatch(lhs, rhs, map_free_vars);
  ffi::Optional<AccessPathPair> theirs =
      ffi::StructuralEqual::GetFirstMismatch(lhs, rhs, map_free_vars);
  ASSERT_EQ(ours.has_value(), theirs.has_value());
  if (!ours) return;
  AccessPathPair paths = ours->Paths();
  AccessPathPair expected = *theirs;
  EXPECT_TRUE(paths.get<0>()->PathEqual(expected.get<0>())) << ours->text;
  EXPECT_TRUE(paths.get<1>()->PathEqual(expected.get<1>())) << ours->text;
}

/*! \return Whether the values are equal, variables that are not bound being paired. */
bool ExpectAgreement(const Any& lhs, const Any& rhs) {
  bool are_equal = false;
  for (bool map_free_vars : {false, true}) {
    are_equal = tschema::StructuralEqual(lhs, rhs, map_free_vars);
    EXPECT_EQ(are_equal, ffi::StructuralEqual::Equal(lhs, rhs, map_free_vars));
    ExpectSameMismatch(lhs, rhs, map_free_vars);
    uint64_t lhs_hash = tschema::StructuralHash(lhs, map_free_vars);
    uint64_t rhs_hash = tschema::StructuralHash(rhs, map_free_vars);
    EXPECT_EQ(lhs_hash, ffi::StructuralHash::Hash(lhs, map_free_vars));
    EXPECT_EQ(rhs_hash, ffi::StructuralHash::Hash(rhs, map_free_vars));
  }
  return are_equal;
}

class StructuralAgreement : public testing::Test {
 protected:
  void SetUp() override { structural_nodes::Register(); }
};

TEST_F(StructuralAgreement, OfAValueWithItselfAndACopy) {
  int num_equal = 0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Any value = RandomGraph(seed).Value(5);
    ExpectAgreement(value, value);
    num_equal += ExpectAgreement(value, RandomGraph(seed).Value(5));
    if (HasFailure()) return;
  }
  EXPECT_GT(num_equal, kNumSeeds / 2);
}

TEST_F(StructuralAgreement, OfAValueWithOneThatDiffersInOneField) {
  int num_different = 0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph graph(seed);
    Any value = graph.Value(5);
    if (graph.num_decisions() == 0) continue;
    Any changed = RandomGraph(seed, seed % graph.num_decisions()).Value(5);
    num_different += !ExpectAgreement(value, changed);
    if (HasFailure()) return;
  }
  EXPECT_GT(num_different, kNumSeeds / 2);
}

TEST_F(StructuralAgreement, OfUnrelatedValues) {
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    SCOPED_TRACE(seed);
    ExpectAgreement(RandomGraph(seed).Value(3), RandomGraph(seed + 1).Value(3));
    if (HasFailure()) return;
  }
}

TEST_F(StructuralAgreement, OfStatements) {
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph graph(seed);
    uir::tir::Stmt stmt = graph.Stmt(6);
    ExpectAgreement(stmt, RandomGraph(seed).Stmt(6));
    ExpectAgreement(stmt, RandomGraph(seed, seed % (graph.num_decisions() + 1)).Stmt(6));
    if (HasFailure()) return;
  }
}

}  // namespace
