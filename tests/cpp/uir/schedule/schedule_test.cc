// From C++: loops are scheduled by hand, by recipes and by traces, and compute the same.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <tvm/ffi/container/tensor.h>
#include <uir/driver/build.h>
#include <uir/ir/dtype.h>
#include <uir/ir/expr.h>
#include <uir/ir/module.h>
#include <uir/runtime/timing.h>
#include <uir/schedule/lists.h>
#include <uir/schedule/options.h>
#include <uir/schedule/primitive.h>
#include <uir/schedule/replay.h>
#include <uir/script/script.h>
#include <uir/target/target.h>
#include <uir/tir/function.h>
#include <uir/transform/passes.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "error_of.h"
#include "uir/own_cache.h"

namespace {

namespace ffi = ::tvm::ffi;
using namespace uir;
using Rows = ffi::Array<ffi::Map<ffi::String, ffi::Any>>;
using Tuned = ffi::Variant<ffi::String, Rows>;

constexpr int kRows = 16;
constexpr int kColumns = 20;
constexpr int kSums = 12;

/*! \brief A product of matrices. */
constexpr const char* kProduct = R"(
@tir.prim_func
def main(
    a: tir.Buffer((16, 12), "float32"),
    b: tir.Buffer((12, 20), "float32"),
    c: tir.Buffer((16, 20), "float32"),
):
    tir.func_attr({"tir.noalias": True})
    for i in range(16):
        for j in range(20):
            c[i, j] = 0.0
            for k in range(12):
                c[i, j] = c[i, j] + a[i, k] * b[k, j]
)";

tir::PrimFunc Product() { return script::parse(kProduct).cast<tir::PrimFunc>(); }

ffi::Optional<ir::PrimExpr> Number(int value) { return ir::IntImm(ir::IntType(32), value); }

ffi::String operator""_s(const char* text, size_t size) { return {text, size}; }

class Schedule : public OwnCache {};

struct Allocator {
  void AllocData(DLTensor* tensor) { tensor->data = aligned_alloc(64, 4096); }
  void FreeData(DLTensor* tensor) { free(tensor->data); }
};

ffi::Tensor Matrix(int rows, int columns, int step) {
  const auto tensor =
      ffi::Tensor::FromNDAlloc(Allocator(), {rows, columns}, {kDLFloat, 32, 1}, {kDLCPU, 0});
  float* data = static_cast<float*>(tensor.data_ptr());
  for (int i = 0; i < rows * columns; ++i) data[i] = static_cast<float>(i * step % 7 - 3);
  return tensor;
}

/*! \brief What a compiled function stores; the numbers are small integers, so that it is exact. */
std::vector<float> ResultOf(const ffi::Module& module) {
  const ffi::Tensor result = Matrix(kRows, kColumns, 5);
  (*module->GetFunction("main"))(Matrix(kRows, kSums, 2), Matrix(kSums, kColumns, 3), result);
  const float* data = static_cast<const float*>(result.data_ptr());
  return {data, data + kRows * kColumns};
}

/*! \brief The same, computed here. */
std::vector<float> Expected() {
  const ffi::Tensor left = Matrix(kRows, kSums, 2);
  const ffi::Tensor right = Matrix(kSums, kColumns, 3);
  const float* a = static_cast<const float*>(left.data_ptr());
  const float* b = static_cast<const float*>(right.data_ptr());
  std::vector<float> sums(kRows * kColumns);
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) {
      for (int k = 0; k < kSums; ++k) {
        sums[i * kColumns + j] += a[i * kSums + k] * b[k * kColumns + j];
      }
    }
  }
  return sums;
}

TEST_F(Schedule, PrimitivesChangeLoopsAndNotTheResult) {
  tir::PrimFunc func = schedule::split(Product(), "i"_s, {std::nullopt, Number(4)});
  func = schedule::split(func, "j"_s, {std::nullopt, Number(4)});
  func = schedule::reorder(func, {"j_0"_s, "i_0"_s, "k"_s, "i_1"_s, "j_1"_s});
  func = schedule::cache(func, "b"_s, "j_0"_s);
  func = schedule::cache(func, "c"_s, "i_0"_s, "local"_s);
  func = schedule::annotate(func, "j_1"_s, tir::ForKind::kVectorized);
  func = schedule::annotate(func, "i_1"_s, tir::ForKind::kUnrolled,
                            ffi::Map<ffi::String, ffi::Any>{{"by", ffi::String("hand")}});
  const std::string text = script::print(func);
  EXPECT_NE(text.find("for j_0 in tir.serial(5, annotations={\"scheduled_by_hand\": True})"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("b_cache = tir.alloc_buffer((12, 4), \"float32\")"), std::string::npos);
  EXPECT_NE(text.find("for i_1 in tir.unroll(4, annotations={\"by\": \"hand\"})"),
            std::string::npos);
  EXPECT_EQ(ResultOf(driver::build(func)), Expected());
}

TEST_F(Schedule, PrimitivesRefuseWhatWouldChangeTheResult) {
  const auto starts = [](const std::string& text, const std::string& start) {
    EXPECT_EQ(text.substr(0, start.size()), start);
  };
  starts(ErrorOf([] { schedule::annotate(Product(), "k"_s, tir::ForKind::kParallel); }),
         "ValueError: in pass `schedule.annotate`, function `main`: `k` cannot be parallel: an "
         "iteration stores to an element of `c` that another one may load\n");
  starts(ErrorOf([] { schedule::split(Product(), "l"_s, {Number(2)}); }),
         "ValueError: in pass `schedule.split`, function `main`: ");
  starts(ErrorOf([] { schedule::reorder(Product(), {"k"_s, "k"_s}); }),
         "ValueError: in pass `schedule.reorder`, function `main`: ");
  starts(ErrorOf([] { schedule::cache(Product(), "d"_s, "i"_s); }),
         "ValueError: in pass `schedule.cache`, function `main`: ");
}

TEST_F(Schedule, ATraceReplays) {
  const ir::IRModule module = ir::module_from_func(Product());
  ir::IRModule scheduled = module;
  for (const transform::Pass& recipe : schedule::recipes("x86-64-v3")) {
    scheduled = transform::run_pass(recipe, scheduled);
  }
  const auto trace = schedule::trace_of(scheduled);
  ASSERT_EQ(trace.size(), 1);
  ASSERT_EQ(trace["main"].size(), 1);
  EXPECT_EQ(std::string(trace["main"][0]).rfind("ScheduleContraction: c: ", 0), 0);
  EXPECT_TRUE(tschema::StructuralEqual(schedule::replay(module, trace), scheduled));
  EXPECT_FALSE(tschema::StructuralEqual(schedule::replay(module, {}), scheduled));
  EXPECT_EQ(ErrorOf([&] { schedule::replay(module, {{"main", {"nonsense"}}}); }).substr(0, 11),
            "ValueError:");
}

TEST_F(Schedule, ListsAreEditedAndRun) {
  auto lists = schedule::lists(Product(), "x86-64-v3");
  ffi::Array<ffi::String> steps = lists["c"];
  EXPECT_EQ(std::string(steps.back()), "registers(\"group\")");
  EXPECT_EQ(ResultOf(driver::build(schedule::with_lists(Product(), lists))), Expected());
  lists.Set("c", {"tile(\"i\", 5)", "tile(\"j\", 4)"});
  EXPECT_EQ(ResultOf(driver::build(schedule::with_lists(Product(), lists))), Expected());
  lists.Set("c", {"tile(\"i\", 5)", "vectorize(\"i:5\")"});
  EXPECT_EQ(ErrorOf([&] {
              schedule::with_lists(Product(), lists);
            }).rfind("ValueError: step 2 of the list of `c`, `vectorize(\"i:5\")`: ", 0),
            0);
}

TEST_F(Schedule, RowsOfUsersComeFirst) {
  const Tuned rows = Rows{{{"recipe", ffi::String("contraction")}, {"rows", 4}, {"sum_block", 8}}};
  const target::Target machine("c", "x86-64-v3");
  const auto line = [&](auto... tuned) {
    const ir::IRModule lowered = driver::lower(Product(), machine, std::nullopt, tuned...);
    return std::string(schedule::trace_of(lowered)["main"][0]);
  };
  EXPECT_EQ(line().find("rows=4, "), std::string::npos);
  EXPECT_NE(line(rows).find("rows=4, "), std::string::npos) << line(rows);
  EXPECT_NE(line(rows).find("sum_block=8,"), std::string::npos);
  const ffi::Module tuned = driver::build(Product(), std::nullopt, std::nullopt, rows);
  EXPECT_EQ(ResultOf(tuned), Expected());
  const auto times =
      runtime::time_evaluator(tuned, "main", 3, 4)(
          Matrix(kRows, kSums, 2), Matrix(kSums, kColumns, 3), Matrix(kRows, kColumns, 5))
          .cast<ffi::Array<double>>();
  ASSERT_EQ(times.size(), 4);
  for (const double time : times) EXPECT_TRUE(time > 0 && time < 1) << time;
  const Tuned wrong = Rows{{{"recipe", ffi::String("contraction")}, {"row", 4}}};
  EXPECT_NE(ErrorOf([&] { line(wrong); }).find("did you mean `rows`?"), std::string::npos);
}

}  // namespace
