// Recursion that goes on where the stack ends.
#include <gtest/gtest.h>
#include <tschema/stack_guard.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "./small_stack.h"

namespace tschema {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr int kDeep = 20000;  // Its own shadow of the calls ends at 65,536.
#else
constexpr int kDeep = 1000000;
#endif

/*! \brief Recurse to a depth and count the way back. */
int64_t Descend(int64_t depth) {  // NOLINT(misc-no-recursion)
  if (!EnoughStack()) return RunOnNewStack([depth] { return Descend(depth); });
  volatile char room[64] = {};
  return depth == 0 ? 0 : Descend(depth - 1) + 1 + room[0];
}

TEST(StackGuard, RecursesAMillionLevels) {
  RunOnSmallStack([] { EXPECT_EQ(Descend(kDeep), kDeep); });
}

TEST(StackGuard, EveryThreadHasItsOwnStack) {
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index) {
    threads.emplace_back([] { EXPECT_EQ(Descend(kDeep / 5), kDeep / 5); });
  }
  for (std::thread& thread : threads) thread.join();
}

struct Counted {
  explicit Counted(int* count) : count(count) { ++*count; }
  ~Counted() { --*count; }
  int* count;
};

void Throw(int depth, int* count) {  // NOLINT(misc-no-recursion)
  if (!EnoughStack()) return RunOnNewStack([=] { Throw(depth, count); });
  Counted counted(count);
  if (depth == 0) throw std::out_of_range("at the bottom");
  Throw(depth - 1, count);
}

TEST(StackGuard, ExceptionsCrossSegmentsAndUnwindThem) {
  RunOnSmallStack([] {
    int count = 0;
    try {
      Throw(kDeep / 4, &count);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::out_of_range& error) {
      EXPECT_EQ(std::string(error.what()), "at the bottom");
    }
    EXPECT_EQ(count, 0);
    EXPECT_EQ(Descend(1000), 1000);
  });
}

TEST(StackGuard, ResultsOfAnyKindComeBack) {
  int value = 1;
  int& reference = RunOnNewStack([&]() -> int& { return value; });
  EXPECT_EQ(&reference, &value);
  auto owned = RunOnNewStack([] { return std::make_unique<int>(2); });
  EXPECT_EQ(*owned, 2);
  RunOnNewStack([&] { value = 3; });
  EXPECT_EQ(value, 3);
}

TEST(StackGuard, SegmentsNest) {
  int depth = RunOnNewStack([] { return RunOnNewStack([] { return EnoughStack() ? 2 : 0; }); });
  EXPECT_EQ(depth, 2);
}

}  // namespace
}  // namespace tschema
