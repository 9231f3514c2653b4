// Lowering of products with matrices of small integers, which are expanded in registers.
//
// A number stays where it lies in its word: its bits are masked, and as a float they are the number
// times a power of two, by which its term was divided before. An expanded vector serves several
// rows; for one row, two panels keep the units for sums busy.
#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "../../relay/shape_rule.h"
#include "./loops.h"
#include "./packed_matrix.h"
#include "./reduce.h"

namespace uir::transform {

namespace {

/*! \brief The columns of a panel. */
constexpr int64_t kPanelColumns = 16;
/*! \brief The lanes of a vector: all instruction sets expand so many at once. */
constexpr int64_t kPanelLanes = 8;
/*! \brief The rows for which numbers are expanded once. */
constexpr int64_t kSharedRows = 4;
/*! \brief The panels that a single row takes at once. */
constexpr int64_t kPanelPair = 2;
/*! \brief Builds the loops of one call. */
class NBitsProduct {
 public:
  NBitsProduct(const OperatorCall& call, const PackedMatrix& matrix)
      : matrix_(matrix),
        x_(call.operand(0)),
        dtype_(WideType(x_.dtype())),
        result_(call.results[0]),
        batch_(Between(x_.shape(), 0, x_.rank() - 1)),
        rows_(RowsOf(batch_)),
        terms_(Terms(call.Name())),
        sums_(Sums(call.Name())) {
    terms_.Stored();
    sums_.Stored();
  }

  void Run(tir::Builder* builder, const tir::Buffer& result) {
    builder_ = builder;
    output_ = result;
    const auto pair = [&](const tir::Var& pair) { AllRows(tir::mul(pair, Index(kPanelPair))); };
    builder_->For("pair", CeilDiv(matrix_.panels(), kPanelPair), pair, tir::ForKind::kParallel);
  }

 private:
  /*! \brief Sums in registers: a buffer for each panel and row. */
  using Registers = std::vector<tir::Buffer>;

  /*! \brief Rows and panels that are computed together. */
  struct Tile {
    PrimExpr row;
    int64_t num_rows;
    std::vector<PrimExpr> panels;

    size_t size() const { return panels.size() * static_cast<size_t>(num_rows); }
  };

  static PrimExpr RowsOf(const Indices& batch) {
    PrimExpr rows = Index(1);
    for (const PrimExpr& dimension : batch) rows = tir::mul(rows, WideIndex(dimension));
    return rows;
  }

  static PrimExpr Index(int64_t value) { return IndexIn(value, ir::IntType(64)); }
  PrimExpr Zero() const { return tir::make_const(0, dtype_); }

  PrimExpr TermsOfBlock() const {
    return tir::mul(WideIndex(matrix_.words_of_block()), Index(matrix_.numbers_of_word()));
  }

  /*! \brief A term of a row, 0 beyond the last one. */
  PrimExpr Term(const PrimExpr& row, const PrimExpr& index) const {
    const PrimExpr count = WideIndex(x_.shape()[static_cast<int64_t>(batch_.size())]);
    Indices at = SplitPlace(row, batch_);
    at.push_back(index);
    return tir::if_then_else(tir::less(index, count), WideElement(x_, at), Zero());
  }

  /*! \brief The terms of all blocks, over the powers of two of their numbers. */
  Value Terms(const std::string& name) const {
    const int64_t numbers = matrix_.numbers_of_word();
    const Indices shape = {rows_, matrix_.blocks(), matrix_.words_of_block(), Index(numbers)};
    const auto element = [this, numbers](const Indices& at) {
      const PrimExpr word = tir::add(
          tir::mul(WideIndex(at[1]), WideIndex(matrix_.words_of_block())), WideIndex(at[2]));
      const PrimExpr term =
          Term(WideIndex(at[0]), tir::add(tir::mul(word, Index(numbers)), WideIndex(at[3])));
      PrimExpr scaled = term;
      for (int64_t number = 1; number < numbers; ++number) {
        const double factor = std::exp2(-static_cast<double>(matrix_.PowerOf(number)));
        if (factor == 1) continue;
        scaled = tir::select(tir::equal(at[3], IndexIn(number, at[3]->dtype)),
                             tir::mul(term, tir::make_const(factor, dtype_)), scaled);
      }
      return scaled;
    };
    return {name + "_terms", shape, dtype_, element};
  }

  /*! \brief The sums of the terms of each block. */
  Value Sums(const std::string& name) const {
    const auto source = [this](const Indices& at, const Indices& reduced) {
      const PrimExpr first = tir::mul(WideIndex(at[1]), TermsOfBlock());
      return Term(WideIndex(at[0]), tir::add(first, WideIndex(reduced[0])));
    };
    return Reduction{
        name + "_sums", te::ReduceKind::kSum, {rows_, matrix_.blocks()}, {TermsOfBlock()}, source}
        .Make();
  }

  /*! \brief Compute all rows of two panels; the last panel twice if their number is odd. */
  void AllRows(const PrimExpr& panel) {
    const PrimExpr last = tir::sub(WideIndex(matrix_.panels()), Index(1));
    const std::vector<PrimExpr> panels = {WideIndex(panel),
                                          tir::min(tir::add(WideIndex(panel), Index(1)), last)};
    const PrimExpr groups = tir::floordiv(rows_, Index(kSharedRows));
    builder_->For("group", groups, [&](const tir::Var& group) {
      for (const PrimExpr& each : panels) {
        Compute({tir::mul(WideIndex(group), Index(kSharedRows)), kSharedRows, {each}});
      }
    });
    builder_->For("rest", tir::floormod(rows_, Index(kSharedRows)), [&](const tir::Var& rest) {
      const PrimExpr row = tir::add(tir::mul(groups, Index(kSharedRows)), WideIndex(rest));
      Compute({row, 1, panels});
    });
  }

  void Compute(const Tile& tile) {
    const Registers results = Allocate("total", tile.size());
    const Registers sums = Allocate("sum", tile.size());
    Clear(results);
    builder_->For("block", matrix_.blocks(), [&](const tir::Var& block) {
      Clear(sums);
      builder_->For("word", matrix_.words_of_block(),
                    [&](const tir::Var& word) { AddWord(tile, block, word, sums); });
      Scale(tile, block, sums, results);
    });
    for (size_t i = 0; i < tile.size(); ++i) Store(tile, i, results[i]);
  }

  void AddWord(const Tile& tile, const PrimExpr& block, const PrimExpr& word,
               const Registers& sums) {
    for (int64_t number = 0; number < matrix_.numbers_of_word(); ++number) {
      for (size_t panel = 0; panel < tile.panels.size(); ++panel) {
        InLanes([&](const PrimExpr& column) {
          const PrimExpr bits = matrix_.words.At({tile.panels[panel], block, word, column});
          const tir::Var expanded =
              BindValue(builder_, "number", matrix_.Number(bits, number, dtype_));
          for (int64_t row = 0; row < tile.num_rows; ++row) {
            const tir::Buffer& sum = sums[Place(tile, panel, row)];
            const PrimExpr term =
                terms_.At({tir::add(tile.row, Index(row)), block, word, Index(number)});
            const PrimExpr before = tir::BufferLoad(sum, {column});
            (*builder_)->Store(sum, {column}, tir::multiply_add(expanded, term, before));
          }
        });
      }
    }
  }

  void Scale(const Tile& tile, const PrimExpr& block, const Registers& sums,
             const Registers& results) {
    for (size_t i = 0; i < tile.size(); ++i) {
      const PrimExpr panel = PanelOf(tile, i);
      const PrimExpr terms = sums_.At({RowOf(tile, i), block});
      InLanes([&](const PrimExpr& column) {
        const PrimExpr zero = matrix_.zeros
                                  ? tir::cast(matrix_.zeros->At({panel, block, column}), dtype_)
                                  : tir::make_const(std::exp2(matrix_.bits - 1), dtype_);
        const PrimExpr centered =
            tir::sub(tir::BufferLoad(sums[i], {column}), tir::mul(zero, terms));
        const PrimExpr scale = tir::cast(matrix_.scales.At({panel, block, column}), dtype_);
        const PrimExpr before = tir::BufferLoad(results[i], {column});
        (*builder_)->Store(results[i], {column}, tir::multiply_add(scale, centered, before));
      });
    }
  }

  /*! \brief Store the columns that the result has. */
  void Store(const Tile& tile, size_t index, const tir::Buffer& values) {
    const PrimExpr first = tir::mul(PanelOf(tile, index), Index(kPanelColumns));
    const auto store = [&](const PrimExpr& column) {
      Indices at = SplitPlace(RowOf(tile, index), batch_);
      at.push_back(tir::add(first, WideIndex(column)));
      (*builder_)->Store(output_, at, tir::cast(tir::BufferLoad(values, {column}), result_->dtype));
    };
    const std::optional<int64_t> panels = ConstantIndex(matrix_.panels());
    if (panels && matrix_.columns == *panels * kPanelColumns) return InLanes(store);
    const PrimExpr left = tir::sub(Index(matrix_.columns), first);
    builder_->If(tir::less_equal(Index(kPanelColumns), left), [&] { InLanes(store); });
    builder_->Else([&] { builder_->For("column", tir::max(left, Index(0)), store); });
  }

  static size_t Place(const Tile& tile, size_t panel, int64_t row) {
    return panel * static_cast<size_t>(tile.num_rows) + static_cast<size_t>(row);
  }
  static PrimExpr PanelOf(const Tile& tile, size_t place) {
    return tile.panels[place / static_cast<size_t>(tile.num_rows)];
  }
  static PrimExpr RowOf(const Tile& tile, size_t place) {
    return tir::add(tile.row, Index(static_cast<int64_t>(place) % tile.num_rows));
  }

  Registers Allocate(const std::string& name, size_t count) const {
    Registers buffers;
    for (size_t i = 0; i < count; ++i) {
      buffers.push_back(tir::decl_buffer({Index(kPanelColumns)}, dtype_, name));
      (*builder_)->Emit(tir::AllocBuffer(buffers.back()));
    }
    return buffers;
  }

  void Clear(const Registers& buffers) {
    for (const tir::Buffer& buffer : buffers) {
      InLanes([&](const PrimExpr& column) { (*builder_)->Store(buffer, {column}, Zero()); });
    }
  }

  /*! \brief A vector loop for each part of a panel. */
  template <typename Body>
  void InLanes(const Body& body) {
    for (int64_t first = 0; first < kPanelColumns; first += kPanelLanes) {
      builder_->For(
          "lane", Index(kPanelLanes),
          [&](const tir::Var& lane) { body(tir::add(WideIndex(lane), Index(first))); },
          tir::ForKind::kVectorized);
    }
  }

  const PackedMatrix& matrix_;
  Value x_;
  DLDataType dtype_;
  ir::TensorType result_;
  Indices batch_;
  PrimExpr rows_;
  Value terms_;
  Value sums_;
  tir::Builder* builder_ = nullptr;
  tir::Buffer output_ = tir::Buffer(ffi::UnsafeInit());
};

Values LowerMatmulNBits(const OperatorCall& call) {
  call.operand(0).StoreIfComputed();
  const PackedMatrix matrix(call);
  NBitsProduct product(call, matrix);
  return StoreInLoops(call.Name(), call.results, [&](tir::Builder* builder, const auto& outputs) {
    product.Run(builder, outputs[0]);
  });
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.matmul_n_bits", LowerMatmulNBits);

}  // namespace

}  // namespace uir::transform
