/*!
 * \file threads_test.cc
 * \brief Several threads read, compare, hash, walk, save, copy and map the same objects.
 *
 * Under `make tsan` every data race is an error.  The last reference to what the threads share is
 * given up after they have ended: what orders the end of an object after its last uses is a fence
 * in tvm-ffi's `DecRef`, which ThreadSanitizer does not know.
 */
#include <gtest/gtest.h>
#include <tschema/binary.h>
#include <tschema/copy.h>
#include <tschema/json.h>
#include <tschema/map.h>
#include <tschema/repr.h>
#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <tschema/walk.h>

#include <atomic>
#include <string_view>
#include <thread>
#include <vector>

#include "random_ir.h"

namespace {

constexpr int kThreads = 4;

/*! \brief Calls a function on each of several threads, which start together. */
template <typename F>
void OnThreads(F function) {
  std::atomic<int> waiting{kThreads};
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number) {
    threads.emplace_back([&, number] {
      for (--waiting; waiting > 0;) std::this_thread::yield();
      function(number);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

size_t CountObjects(ffi::AnyView root) {
  size_t count = 0;
  tschema::Walk(root, [&](const ffi::Object*) { ++count; });
  return count;
}

std::string_view View(const ffi::Bytes& bytes) { return {bytes.data(), bytes.size()}; }

TEST(Threads, ReadTheSameObjects) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    tir::Stmt root = RandomIr(seed).Stmt(4);
    tir::Stmt copy = tschema::DeepCopy(root);
    uint64_t hash = tschema::StructuralHash(root, true);
    size_t count = CountObjects(root);
    ffi::String text = tschema::Repr(root);
    OnThreads([&](int) {
      EXPECT_TRUE(tschema::StructuralEqual(root, copy, true));
      EXPECT_FALSE(tschema::FirstMismatch(root, copy, true).has_value());
      EXPECT_EQ(tschema::StructuralHash(root, true), hash);
      EXPECT_EQ(CountObjects(root), count);
      EXPECT_EQ(tschema::Repr(root), text);
    });
  }
}

TEST(Threads, SaveAndLoadTheSameObjects) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    tir::Stmt root = RandomIr(seed).Stmt(4);
    ffi::String json = tschema::SaveJSON(root);
    ffi::Bytes binary = tschema::SaveBinary(root);
    OnThreads([&](int) {
      EXPECT_EQ(tschema::SaveJSON(root), json);
      EXPECT_EQ(View(tschema::SaveBinary(root)), View(binary));
      ffi::Any from_json = tschema::LoadJSON({json.data(), json.size()});
      ffi::Any from_binary = tschema::LoadBinary({binary.data(), binary.size()});
      EXPECT_TRUE(tschema::StructuralEqual(root, from_json, true));
      EXPECT_TRUE(tschema::StructuralEqual(root, from_binary, true));
    });
  }
}

TEST(Threads, MapAndCopyTheSameObjects) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    tir::Stmt root = RandomIr(seed).Stmt(4);
    ffi::String text = tschema::Repr(root);
    OnThreads([&](int number) {
      tir::Stmt mapped = tschema::Map(
          root, [&](const ir::IntImmNode* node) { return Number(node->value + 1 + number); });
      EXPECT_GE(CountObjects(mapped), size_t{1});
      EXPECT_EQ(tschema::Repr(tschema::DeepCopy(root)), text);
    });
    EXPECT_EQ(tschema::Repr(root), text);
  }
}

TEST(Threads, CountReferences) {
  ir::PrimExpr shared = DeepSum(100);
  OnThreads([&](int) {
    for (int round = 0; round < 1000; ++round) {
      ir::PrimExpr sum = tir::Add(shared, shared);
      ffi::Array<ir::PrimExpr> held = {sum, shared, sum};
      EXPECT_TRUE(held[1].same_as(shared));
    }
  });
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Threads, DestroyTheirOwn) {
  OnThreads([](int number) {
    for (int round = 0; round < 10; ++round) {
      ir::PrimExpr sum = DeepSum(1000 + number);
      EXPECT_EQ(CountObjects(sum), 1002u + number);
    }
  });
}

}  // namespace
