/*!
 * \file contraction_kernel.h
 * \brief The innermost part of a contraction: sums of a few rows and vectors, in registers.
 */
#ifndef UIR_SCHEDULE_CONTRACTION_KERNEL_H_
#define UIR_SCHEDULE_CONTRACTION_KERNEL_H_

#include <uir/ir/dtype.h>

#include <functional>
#include <optional>
#include <vector>

#include "./contraction.h"
#include "./contraction_builder.h"
#include "./loop_writer.h"

namespace uir::schedule {

/*! \brief Neighbouring columns that are computed together. */
struct Panel {
  /*! \brief The place of the panel among the packed ones. */
  ir::PrimExpr slot;
  ir::PrimExpr column;
  int64_t vectors;
  /*! \brief How many columns there are, if they do not fill the panel. */
  std::optional<ir::PrimExpr> columns;
  /*! \brief How many vectors are sure to be full where the number of columns is not known. */
  int64_t full = 0;
};

/*! \brief A part of the sum, in terms, or in runs of terms. */
struct SumRange {
  ir::PrimExpr first;
  ir::PrimExpr extent;
  ir::PrimExpr is_last;
  /*! \brief The extents of the loops in which the terms of a run are counted, outermost first. */
  std::vector<int64_t> run = {};

  /*! \brief The place of the first term in the whole sum. */
  ir::PrimExpr FirstTerm() const;
};

/*! \brief Emits the stores of a panel's vectors of the right operand, at a place of the range, to a
 * buffer of vectors. */
using LoadPanel = std::function<void(const ir::PrimExpr& k, const tir::Buffer& vectors)>;

/*! \brief Put the parts of a fused variable where the variables of loops are. */
void SplitFused(const std::vector<tir::For>& loops, ir::PrimExpr fused,
                ffi::Map<tir::Var, ir::PrimExpr>* values);

class ContractionKernel : public LoopWriter {
 public:
  ContractionKernel(const Contraction& contraction, const ContractionParameters& parameters,
                    tir::Builder* builder);

  const Contraction& contraction() const { return contraction_; }
  /*! \brief The extents of all rows, of the columns and of the whole sum. */
  const ir::PrimExpr& rows() const { return rows_; }
  const ir::PrimExpr& columns() const { return contraction_.column->extent; }
  const ir::PrimExpr& sum() const { return sum_; }
  DLDataType dtype() const { return contraction_.nest.store->buffer->dtype; }
  ffi::String name() const { return contraction_.nest.store->buffer->name; }

  /*!
   * \brief Run `body` for groups of rows, of which the last one may have fewer.
   * \param first The first group.
   * \param groups The greatest number of groups; none for all.
   * \param body Takes the first row and the number of rows.
   * \param kind The kind of the loop over groups.
   */
  void InGroups(const ir::PrimExpr& first, std::optional<int64_t> groups,
                const std::function<void(const ir::PrimExpr& row, int64_t rows)>& body,
                tir::ForKind kind = tir::ForKind::kSerial);

  ir::PrimExpr LanesFrom(const ir::PrimExpr& first) const {
    return schedule::LanesFrom(first, by_.lanes);
  }
  ir::PrimExpr AllLanes(const ir::PrimExpr& value) const {
    return schedule::AllLanes(value, by_.lanes);
  }
  /*! \brief A new buffer of elements of the result's type, which can be registers. */
  tir::Buffer Local(const char* name, int64_t count) {
    return LoopWriter::Local(name, count, dtype());
  }
  /*! \brief Store the vectors at a place of a buffer of elements to a buffer of vectors. */
  void LoadVectors(const tir::Buffer& elements, ffi::Array<ir::PrimExpr> place,
                   const tir::Buffer& vectors);

  /*! \brief Store the right operand's elements of a panel at a place of a buffer, then zeros. */
  void FillPanel(const tir::Buffer& buffer, ffi::Array<ir::PrimExpr> place, const Panel& panel,
                 const ir::PrimExpr& k);

  /*! \brief Store the right operand's vectors of a panel, where it lies in panels. */
  void LoadPanelVectors(const Panel& panel, const ir::PrimExpr& k, const tir::Buffer& vectors);

  /*! \brief Store the right operand's vectors of a panel, where its columns are neighbours. */
  void LoadNeighbours(const Panel& panel, const ir::PrimExpr& k, const tir::Buffer& vectors);

  /*! \brief Add a part of the sum to the elements of some rows and of a panel. */
  void Sums(const Panel& panel, const SumRange& range, const ir::PrimExpr& row, int64_t rows,
            const LoadPanel& load);

 private:
  using Substitution = ffi::Map<tir::Var, ir::PrimExpr>;

  ir::PrimExpr Left(const ir::PrimExpr& row, const ir::PrimExpr& k) const;
  ir::PrimExpr Right(const ir::PrimExpr& k, const ir::PrimExpr& column) const;
  ffi::Array<ir::PrimExpr> Element(const ir::PrimExpr& row, const ir::PrimExpr& column) const;
  void Start(const tir::Buffer& sums, const Panel& panel, const ir::PrimExpr& row, int64_t rows);
  /*! \brief The value that an element has for its sum. */
  using Result = std::function<ir::PrimExpr(const ir::PrimExpr& row, const ir::PrimExpr& column,
                                            const ir::PrimExpr& sum)>;
  ir::PrimExpr WithEpilogue(const ir::PrimExpr& row, const ir::PrimExpr& column,
                            const ir::PrimExpr& sum) const;
  void Finish(const tir::Buffer& sums, const Panel& panel, const SumRange& range,
              const ir::PrimExpr& row, int64_t rows);
  void StoreResults(const tir::Buffer& sums, const Panel& panel, const ir::PrimExpr& row,
                    int64_t rows, const tir::Buffer& buffer, const Result& result);
  void AddProducts(const tir::Buffer& sums, const Panel& panel, const SumRange& range,
                   const ir::PrimExpr& row, int64_t rows, const LoadPanel& load);
  /*! \brief Run `body` for the terms of a range, counted from its first one. */
  void ForEachTerm(const SumRange& range, const std::function<void(const ir::PrimExpr& k)>& body);
  using Place = std::function<void(const ir::PrimExpr& row, const ir::PrimExpr& vector)>;
  int64_t WholeVectors(const Panel& panel) const;
  void ForEachVector(int64_t rows, int64_t vectors, const Place& body);
  void ForEachOther(int64_t rows, const Panel& panel, const Place& body);
  tir::Buffer Tile(const Panel& panel, int64_t rows);
  tir::Buffer Vectors(const char* name, int64_t count) {
    return LoopWriter::Local(name, count, ir::WithLanes(dtype(), by_.lanes));
  }
  ir::PrimExpr Zeros(int64_t lanes) const;

  const Contraction& contraction_;
  ContractionParameters by_;
  ir::PrimExpr rows_;
  ir::PrimExpr sum_;
};

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_CONTRACTION_KERNEL_H_
