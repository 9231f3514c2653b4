// From C++: C texts and programs become modules that are called, written, loaded and measured.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <uir/driver/build.h>
#include <uir/driver/cache.h>
#include <uir/driver/compiler.h>
#include <uir/ir/function.h>
#include <uir/ir/module.h>
#include <uir/runtime/module.h>
#include <uir/runtime/profile.h>
#include <uir/runtime/tensor_module.h>
#include <uir/runtime/timing.h>
#include <uir/script/script.h>
#include <uir/target/target.h>
#include <uir/tir/function.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "error_of.h"
#include "uir/driver/bounded_text.h"
#include "uir/driver/content_digest.h"
#include "uir/driver/process.h"
#include "uir/own_cache.h"

namespace {

namespace fs = std::filesystem;
namespace ffi = ::tvm::ffi;
using namespace uir;

class Driver : public OwnCache {};

constexpr const char* kTwice = R"(
#include <stdint.h>
typedef struct { int32_t type_index; uint32_t pad; int64_t value; } Any;
int __tvm_ffi_twice(void *self, const Any *args, int32_t count, Any *result) {
  result->type_index = 1;
  result->value = args[0].value * 2;
  return 0;
}
)";

TEST_F(Driver, CompilesWritesLoadsAndMeasures) {
  const ffi::Module module = driver::compile_c(kTwice);
  EXPECT_EQ((*module->GetFunction("twice"))(21).cast<int>(), 42);
  const std::string path = (folder_ / "twice.so").string();
  runtime::export_library(module, path);
  const ffi::Module loaded = runtime::load_module(path);
  EXPECT_EQ((*loaded->GetFunction("twice"))(4).cast<int>(), 8);
  const auto times = runtime::time_evaluator(loaded, "twice", 5, 2)(1).cast<ffi::Array<double>>();
  EXPECT_EQ(times.size(), 2);
  EXPECT_TRUE(fs::exists(folder_ / "cache"));
  driver::clear_cache();
  EXPECT_TRUE(fs::is_empty(folder_ / "cache"));
}

/*! \brief `B[i] = A[i] + 1` on three numbers. */
constexpr const char* kAddOne = R"(
@tir.prim_func
def add_one(A: tir.Buffer((3,), "float32"), B: tir.Buffer((3,), "float32")):
    for i in range(3):
        B[i] = A[i] + 1.0
)";

struct HostMemory {
  void AllocData(DLTensor* tensor) { tensor->data = aligned_alloc(64, 64); }
  void FreeData(DLTensor* tensor) { free(tensor->data); }
};

ffi::Tensor MakeTensor(float first) {
  const auto tensor = ffi::Tensor::FromNDAlloc(HostMemory(), {3}, {kDLFloat, 32, 1}, {kDLCPU, 0});
  for (int i = 0; i < 3; ++i) static_cast<float*>(tensor.data_ptr())[i] = first + i;
  return tensor;
}

TEST_F(Driver, BuildsAFunctionOfOneProgram) {
  const auto func = script::parse(kAddOne).cast<tir::PrimFunc>();
  const ffi::Tensor a = MakeTensor(5);
  const ffi::Tensor b = MakeTensor(0);
  const ffi::Module module = driver::build(func);
  (*module->GetFunction("add_one"))(a, b);
  const float* found = static_cast<const float*>(b.data_ptr());
  EXPECT_EQ(std::vector<float>(found, found + 3), (std::vector<float>{6, 7, 8}));
  const ir::IRModule lowered = driver::lower(func, std::nullopt, driver::default_pipeline());
  EXPECT_TRUE(lowered->Contains("add_one"));
  EXPECT_EQ(
      ErrorOf([] { driver::build(ir::IRModule()); }),
      "ValueError: build: no function of the module has the attribute `global_symbol`, so that "
      "none could be called; the module is empty");
}

/*! \brief `A[0]` becomes three times as much, by an external function. */
constexpr const char* kTriple = R"(
@tir.prim_func
def main(A: tir.Buffer((3,), "float32")):
    A[0] = tir.call_extern("float32", "triple", A[0])
)";

TEST_F(Driver, OneFileCarriesSourcesAndImports) {
  const auto triple = ir::extern_func("triple", "float triple(float x) { return 3 * x; }", "c");
  const ir::IRModule program =
      ir::with_function(ir::module_from_func(script::parse(kTriple).cast<tir::PrimFunc>()),
                        ir::GlobalVar("triple"), triple);
  ffi::Module module = driver::build(program, target::Target("c", "x86-64"));
  module->ImportModule(runtime::tensor_module({{"table", MakeTensor(7)}}));
  const std::string path = (folder_ / "lib.so").string();
  runtime::export_library(module, path);
  const ffi::Module loaded = runtime::load_module(path);
  const ffi::Tensor a = MakeTensor(5);
  (*loaded->GetFunction("main"))(a);
  EXPECT_EQ(static_cast<const float*>(a.data_ptr())[0], 15);
  const auto table = loaded->GetFunction("table", true).value()().cast<ffi::Tensor>();
  EXPECT_EQ(static_cast<const float*>(table.data_ptr())[2], 9);
  EXPECT_EQ(ErrorOf([] { ir::extern_func("f", "", "fortran"); }),
            "ValueError: extern_func: `language` must be one of `c`, `asm`, `llvm`, got `fortran`");
}

TEST_F(Driver, ProfilesKernels) {
  const ffi::Module module = driver::build(script::parse(kAddOne).cast<tir::PrimFunc>());
  const auto profile =
      runtime::profile(module, "add_one", 4)(MakeTensor(5), MakeTensor(0)).cast<runtime::Profile>();
  ASSERT_EQ(profile->kernels.size(), 1);
  const runtime::KernelProfile kernel = profile->kernels[0];
  EXPECT_EQ(kernel->calls, 4);
  EXPECT_EQ(kernel->flops, 4 * 3);
  EXPECT_EQ(kernel->bytes_moved, 4 * 2 * 12);
  EXPECT_NE(std::string(profile->Text()).find("(outside kernels)"), std::string::npos);
}

TEST(BoundedText, LeavesOutTheMiddle) {
  driver::BoundedText text;
  EXPECT_EQ(text.Text(), "");
  std::string all;
  for (int i = 0; i < 20000; ++i) {
    const std::string part = std::to_string(i) + " ";
    text.Append(part);
    all += part;
  }
  const std::string begin = all.substr(0, 16384);
  const std::string end = all.substr(all.size() - 16384);
  const std::string left_out = std::to_string(all.size() - 2 * 16384);
  EXPECT_EQ(text.Text(), begin + "\n... " + left_out + " bytes left out ...\n" + end);
}

TEST(BoundedText, IsUtf8) {
  driver::BoundedText text;
  text.Append("a\xFF \xC3\xA9 \xC3");
  EXPECT_EQ(text.Text(), "a\xEF\xBF\xBD \xC3\xA9 \xEF\xBF\xBD");
}

TEST(ContentDigest, TellsContentsApart) {
  std::string content(1000, 'a');
  std::set<std::string> digests = {driver::ContentDigest(content), driver::ContentDigest("")};
  for (size_t i = 0; i < content.size(); ++i) {
    content[i] = 'b';
    digests.insert(driver::ContentDigest(content));
    content[i] = 'a';
  }
  for (size_t size = 0; size < 100; ++size) {
    digests.insert(driver::ContentDigest(std::string(size, '\0') + content));
  }
  EXPECT_EQ(digests.size(), 1 + 1 + 1000 + 99);
}

// The values are those of the reference implementation.
TEST(ContentDigest, IsMurmurHash3) {
  EXPECT_EQ(driver::ContentDigest(""), std::string(32, '0'));
  EXPECT_EQ(driver::ContentDigest("The quick brown fox jumps over the lazy dog"),
            "e34bbc7bbc071b6c7a433ca9c49a9347");
  EXPECT_EQ(driver::ContentDigest("The quick brown fox jumps over the lazy dog."),
            "cd99481f9ee902c9695da1a38987b6e7");
}

TEST(Process, QuotesWordsForAShell) {
  EXPECT_EQ(driver::ShellText({"cc", "-o", "a b", "it's", ""}), R"(cc -o 'a b' 'it'\''s' '')");
}

}  // namespace
