// Nests: every list of primitives computes the same, and what could not is refused.
#include <gtest/gtest.h>
#include <tvm/ffi/container/tensor.h>
#include <uir/driver/build.h>
#include <uir/ir/module.h>
#include <uir/script/script.h>
#include <uir/tir/function.h>
#include <uir/transform/with_body.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "error_of.h"
#include "uir/own_cache.h"
#include "uir/schedule/contraction.h"
#include "uir/schedule/nest/from_loops.h"
#include "uir/schedule/nest/lower.h"
#include "uir/schedule/nest/recipes.h"

namespace {

namespace ffi = ::tvm::ffi;
namespace nests = uir::schedule::nest;
using namespace uir;
using nests::Nest;
using nests::Part;
using nests::Tail;

/*! \brief The extents of a product: rows, terms and columns. */
struct Extents {
  int rows;
  int terms;
  int columns;
};

/*! \brief Extents at the boundaries of steps and vectors. */
const std::vector<Extents> kExtents = {{0, 3, 4},  {5, 0, 3},   {1, 1, 1},  {2, 3, 5},
                                       {7, 5, 13}, {13, 17, 8}, {8, 8, 16}, {3, 29, 33}};

/*! \brief A product of matrices; without extents, for any. */
tir::PrimFunc ProductOf(const Extents* extents) {
  const std::string m = extents == nullptr ? "m" : std::to_string(extents->rows);
  const std::string k = extents == nullptr ? "k" : std::to_string(extents->terms);
  const std::string n = extents == nullptr ? "n" : std::to_string(extents->columns);
  std::string text = "@tir.prim_func\ndef main(a: tir.Buffer((" + m + ", " + k +
                     "), \"float32\"), b: tir.Buffer((" + k + ", " + n +
                     "), \"float32\"), c: tir.Buffer((" + m + ", " + n + "), \"float32\")):\n";
  if (extents == nullptr) {
    for (const char* name : {"m", "k", "n"}) {
      text += "    " + std::string(name) + " = tir.SizeVar(\"" + name + "\", \"int32\")\n";
    }
  }
  text += "    for i in range(" + m + "):\n        for j in range(" + n +
          "):\n            c[i, j] = 0.0\n            for l in range(" + k +
          "):\n                c[i, j] = c[i, j] + a[i, l] * b[l, j]\n";
  return script::parse(text).cast<tir::PrimFunc>();
}

/*! \brief A function with another name and body. */
ir::BaseFunc Named(const tir::PrimFunc& func, const std::string& name, tir::Stmt body) {
  return ir::with_attr(transform::WithBody(func, std::move(body)), "global_symbol",
                       ffi::String(name));
}

schedule::Contraction ContractionOf(const tir::PrimFunc& func) {
  const auto nest = schedule::MatchLoopNest(func->body.as<tir::For>().value());
  return schedule::MatchContraction(nest.value()).value();
}

struct MatrixAllocator {
  void AllocData(DLTensor* tensor) {
    tensor->data = aligned_alloc(
        64, (static_cast<size_t>(tensor->shape[0] * tensor->shape[1]) * 4 / 64 + 1) * 64);
  }
  void FreeData(DLTensor* tensor) { free(tensor->data); }
};

ffi::Tensor SomeMatrix(int rows, int columns, int step) {
  const auto tensor =
      ffi::Tensor::FromNDAlloc(MatrixAllocator(), {rows, columns}, {kDLFloat, 32, 1}, {kDLCPU, 0});
  float* data = static_cast<float*>(tensor.data_ptr());
  for (int i = 0; i < rows * columns; ++i) data[i] = static_cast<float>(i * step % 7 - 3);
  return tensor;
}

/*! \brief Run a product of small integers, which is exact, and compare it with the sums. */
void ExpectProduct(const ffi::Function& product, const Extents& extents, const std::string& about) {
  const auto [rows, terms, columns] = extents;
  const ffi::Tensor left = SomeMatrix(rows, terms, 2), right = SomeMatrix(terms, columns, 3);
  const ffi::Tensor result = SomeMatrix(rows, columns, 5);
  product(left, right, result);
  const float* a = static_cast<const float*>(left.data_ptr());
  const float* b = static_cast<const float*>(right.data_ptr());
  const float* c = static_cast<const float*>(result.data_ptr());
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      float sum = 0;
      for (int l = 0; l < terms; ++l) sum += a[i * terms + l] * b[l * columns + j];
      ASSERT_EQ(c[i * columns + j], sum) << about << " at " << i << ", " << j;
    }
  }
}

/*! \brief The axes of a product. */
struct ProductAxes {
  tir::Var row;
  tir::Var column;
  tir::Var term;
};

ProductAxes AxesOfProduct(const Nest& nest) {
  return {nest.axes[0].var, nest.axes[1].var, nest.axes[2].var};
}

/*! \brief A random list with sums in registers. */
Nest RandomList(const Nest& nest, std::mt19937* random) {
  const auto draw = [&](std::vector<int> of) { return of[(*random)() % of.size()]; };
  const auto [row, column, term] = AxesOfProduct(nest);
  const int lanes = draw({1, 2, 4, 8}), width = lanes * draw({1, 2, 3}), rows = draw({1, 2, 3, 14});
  const int block = draw({1, 4, 7, 64});
  Nest made = nest;
  if (draw({0, 1}) != 0) made = made.Tile(column, width * draw({1, 3}), {"columns", Tail::kMin});
  made = made.Tile(term, block, {"block", Tail::kMin});
  if (draw({0, 1}) != 0) made = made.Tile(row, rows * 2, {"rows", Tail::kMin});
  made = made.Tile(column, width, {"panel", Tail::kPad, lanes})
             .Tile(row, rows, {"group", Tail::kPowers})
             .Tile(term, 1, {"k"});
  made = nests::RowsOfVectors(made, row, column, lanes).Registers("group");
  if (made.loops[0].options.name == "columns" && draw({0, 1}) != 0) made = made.Parallel("columns");
  const tir::Var right = made.operands[1].var;
  switch (draw({0, 1, 2})) {
    case 0:
      return made.Cache(right, "block",
                        {{column, Part::kBlock, width}, {term}, {column, Part::kWithin, width}});
    case 1:
      return made.Cache(right, "k", {{column, Part::kWithin, width}});
    default:
      // Lanes of a partial vector would read beyond the operand.
      return made.Cache(right, "panel",
                        {{column, Part::kBlock, width}, {term}, {column, Part::kWithin, width}});
  }
}

class NestLists : public OwnCache {};

TEST_F(NestLists, SumsInRegistersAreTheSameForAnyListAndAnyExtents) {
  std::mt19937 random(7);
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions;
  std::vector<std::pair<std::string, std::vector<Extents>>> runs;
  for (int number = 0; number < 16; ++number) {
    const bool is_symbolic = number % 2 == 0;
    const Extents& extents = kExtents[static_cast<size_t>(number / 2)];
    const tir::PrimFunc func = ProductOf(is_symbolic ? nullptr : &extents);
    const schedule::Contraction contraction = ContractionOf(func);
    const Nest list = RandomList(nests::NestOf(contraction, contraction.outer), &random);
    const std::string name = "f" + std::to_string(number);
    functions.Set(ir::GlobalVar(name), Named(func, name, nests::Lower(list)));
    runs.emplace_back(name, is_symbolic ? kExtents : std::vector<Extents>{extents});
  }
  const ffi::Module built = driver::build(ir::IRModule(functions));
  for (const auto& [name, all] : runs) {
    for (const Extents& extents : all) ExpectProduct(*built->GetFunction(name), extents, name);
  }
}

/*! \brief A function whose elements are those of a matrix and of a row. */
constexpr const char* kElements = R"(
@tir.prim_func
def main(a: tir.Buffer((m, n), "float32"), b: tir.Buffer((1, n), "float32"), c: tir.Buffer((m, n), "float32")):
    m = tir.SizeVar("m", "int32")
    n = tir.SizeVar("n", "int32")
    for i in range(m):
        for j in range(n):
            c[i, j] = a[i, j] * 2.0 + b[0, j]
)";

TEST_F(NestLists, ElementsAreTheSameForAnyTails) {
  std::mt19937 random(11);
  const auto draw = [&](std::vector<int> of) { return of[random() % of.size()]; };
  const auto tail = [&] {
    return std::vector<Tail>{Tail::kPeel, Tail::kPowers, Tail::kMin}[random() % 3];
  };
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions;
  constexpr int kLists = 12;
  for (int number = 0; number < kLists; ++number) {
    const auto func = script::parse(kElements).cast<tir::PrimFunc>();
    const auto nest = schedule::MatchLoopNest(func->body.as<tir::For>().value()).value();
    Nest list = nests::NestOf(nest.spatial, nest.store);
    const tir::Var i = list.axes[0].var, j = list.axes[1].var;
    const int rows = draw({1, 2, 3, 12}), columns = draw({1, 4, 8});
    const tir::Var all("all", i->dtype);
    if (number % 4 == 3) {
      list = nests::ByVectors(list.Fuse({i, j}, all, nests::AxisKind::kData), columns,
                              tir::ForKind::kParallel);
    } else {
      list = list.Tile(i, rows, {"rows", tail()}).Tile(j, columns, {"columns", tail()});
      list = list.Tile(i, 1, {"row"}).Tile(j, 1, {"column"});
      if (number % 2 == 0) list = list.Reorder({"columns", "rows", "column", "row"});
      list = number % 2 == 0 ? list.Unroll("row") : list.Vectorize("column");
    }
    const std::string name = "f" + std::to_string(number);
    functions.Set(ir::GlobalVar(name), Named(func, name, nests::Lower(list)));
  }
  const ffi::Module built = driver::build(ir::IRModule(functions));
  for (int number = 0; number < kLists; ++number) {
    for (const auto& [rows, terms, columns] : kExtents) {
      const ffi::Tensor a = SomeMatrix(rows, columns, 2), b = SomeMatrix(1, columns, 3);
      const ffi::Tensor c = SomeMatrix(rows, columns, 5);
      (*built->GetFunction("f" + std::to_string(number)))(a, b, c);
      for (int at = 0; at < rows * columns; ++at) {
        const float expected = static_cast<const float*>(a.data_ptr())[at] * 2 +
                               static_cast<const float*>(b.data_ptr())[at % columns];
        ASSERT_EQ(static_cast<const float*>(c.data_ptr())[at], expected) << "list " << number;
      }
    }
  }
}

TEST(NestPrimitives, WhatCannotBeLoweredIsRefused) {
  const schedule::Contraction contraction = ContractionOf(ProductOf(nullptr));
  const Nest nest = nests::NestOf(contraction, contraction.outer);
  const auto [row, column, term] = AxesOfProduct(nest);
  const Nest tiled = nest.Tile(term, 8, {"block", Tail::kMin}).Tile(row, 4, {"rows"});
  EXPECT_EQ(ErrorOf([&] { nest.Tile(tir::Var("q", row->dtype), 1); }),
            "ValueError: the nest has no axis `q`");
  EXPECT_EQ(ErrorOf([&] { nest.Tile(row, 0); }), "ValueError: a step must be at least 1, got 0");
  EXPECT_EQ(ErrorOf([&] { nest.Tile(term, 8); }),
            "ValueError: blocks of terms, as those of `l`, need the tail `min`");
  EXPECT_EQ(ErrorOf([&] { tiled.Tile(row, 3, {"row"}); }),
            "ValueError: the step of the loop `row` must divide that of the loop `rows` around it, "
            "got 3 and 4");
  EXPECT_EQ(ErrorOf([&] { tiled.Tile(row, 1, {"rows"}); }),
            "ValueError: two loops have the name `rows`");
  EXPECT_EQ(ErrorOf([&] { tiled.Reorder({"rows"}); }),
            "ValueError: `reorder` takes all 2 loops, got 1");
  EXPECT_EQ(ErrorOf([&] { tiled.Parallel("block"); }),
            "ValueError: the loop `block` cannot be parallel: it adds up terms");
  EXPECT_EQ(ErrorOf([&] { tiled.Vectorize("block"); }),
            "ValueError: the loop `block` cannot be a vector: it adds up terms");
  EXPECT_EQ(ErrorOf([&] { tiled.Unroll("q"); }), "ValueError: the nest has no loop `q`");
  EXPECT_EQ(ErrorOf([&] { tiled.Cache(tir::Var("q", row->dtype), "rows", {}); }),
            "ValueError: the nest has no operand `q`");
  EXPECT_EQ(ErrorOf([&] { tiled.Registers("rows"); }),
            "ValueError: inside of the loop `rows`, no lanes are summed up");
  const Nest outside = nests::RowsOfVectors(nest.Tile(term, 1, {"k"}), row, column, 4);
  EXPECT_EQ(ErrorOf([&] { outside.Registers("k"); }),
            "ValueError: the loop `k` over terms, outside of registers, needs the tail `min`");
  const Nest inside = nest.Tile(column, 8, {"columns"}).Tile(row, 1, {"each"}).Tile(term, 1, {"k"});
  EXPECT_EQ(ErrorOf([&] { nests::RowsOfVectors(inside, row, column, 4).Registers("columns"); }),
            "ValueError: in registers, the loop `k` over terms must be around those over elements");
  const Nest apart = nest.Tile(column, 8, {"columns"}).Tile(row, 2, {"rows"}).Tile(term, 1, {"k"});
  EXPECT_EQ(ErrorOf([&] { nests::RowsOfVectors(apart, row, column, 4).Registers("columns"); }),
            "ValueError: in registers, the step of the loop `rows` must be 1, got 2");
  EXPECT_EQ(ErrorOf([&] { nest.Fuse({row, term}, row, nests::AxisKind::kData); }),
            "ValueError: the axes that become `i` must be of its kind, have no loops, and keep the "
            "order of terms");
}

TEST(NestPrimitives, TermsKeepTheirOrder) {
  const auto func = script::parse(R"(
@tir.prim_func
def main(a: tir.Buffer((4, 5, 6), "float32"), b: tir.Buffer((5, 6, 7), "float32"), c: tir.Buffer((4, 7), "float32")):
    for i in range(4):
        for j in range(7):
            c[i, j] = 0.0
            for k in range(5):
                for l in range(6):
                    c[i, j] = c[i, j] + a[i, k, l] * b[k, l, j]
)")
                        .cast<tir::PrimFunc>();
  const schedule::Contraction contraction = ContractionOf(func);
  const Nest nest = nests::NestOf(contraction, contraction.outer);
  const tir::Var k = nest.axes[2].var, l = nest.axes[3].var;
  EXPECT_EQ(ErrorOf([&] { nest.Tile(l, 1, {"l"}).Tile(k, 1, {"k"}); }),
            "ValueError: the terms of a sum would come in another order: the loop `l` would be "
            "around `k`");
  EXPECT_EQ(ErrorOf([&] { nest.Fuse({l, k}, l, nests::AxisKind::kSum); }).substr(0, 10),
            "ValueError");
  EXPECT_EQ(nest.Fuse({k, l}, tir::Var("kl", k->dtype), nests::AxisKind::kSum).axes.size(), 3);
}

}  // namespace
