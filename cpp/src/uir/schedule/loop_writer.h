/*!
 * \file loop_writer.h
 * \brief Writes the loops and conditionals of a schedule, and leaves out trivial ones.
 */
#ifndef UIR_SCHEDULE_LOOP_WRITER_H_
#define UIR_SCHEDULE_LOOP_WRITER_H_

#include <uir/tir/builder.h>

#include <functional>
#include <vector>

#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief Vectors of fewer lanes are not worth code of their own for a length that is not known. */
inline constexpr int kFewestLanes = 4;

class LoopWriter {
 public:
  /*!
   * \param nest The nest in whose place the loops are.
   * \param builder Takes the statements.
   */
  LoopWriter(const LoopNest& nest, tir::Builder* builder);
  /*!
   * \param index The type that loops count in.
   * \param span Where the loops come from.
   * \param builder Takes the statements.
   */
  LoopWriter(DLDataType index, ffi::Optional<ir::Span> span, tir::Builder* builder);

  /*! \brief A number of the type that the nest's loops count in. */
  ir::PrimExpr Const(int64_t value) const;

  /*! \brief A loop; only its body for one iteration, and nothing for none. */
  void ForEach(const char* name, const ir::PrimExpr& extent,
               const std::function<void(const ir::PrimExpr&)>& body,
               tir::ForKind kind = tir::ForKind::kSerial);
  /*! \brief A conditional; only its body for a true condition, and nothing for a false one. */
  void Where(const ir::PrimExpr& condition, const std::function<void()>& body);
  /*! \brief Loops around a body, outermost first. */
  void InLoops(const std::vector<tir::For>& loops, const std::function<void()>& body);

  /*!
   * \brief Run `body` for a range by vectors, of which the last one ends with the range.
   *
   * A range that is narrower than a vector is run by narrower ones; one that turns out to be
   * narrower than `kFewestLanes` by scalars.
   *
   * \param extent The extent of the range, which begins at 0.
   * \param lanes The lanes of a vector.
   * \param body Takes the first element, the number of elements, and the kind of a loop over them.
   */
  void InVectors(const ir::PrimExpr& extent, int lanes,
                 const std::function<void(const ir::PrimExpr& first, const ir::PrimExpr& count,
                                          tir::ForKind kind)>& body);

  void Store(const tir::Buffer& buffer, ffi::Array<ir::PrimExpr> indices, ir::PrimExpr value);
  /*!
   * \brief A new buffer of `count` elements or vectors, which can be registers.
   * \param annotations Those of its allocation.
   */
  tir::Buffer Local(const char* name, int64_t count, DLDataType dtype,
                    ffi::Map<ffi::String, ffi::Any> annotations = {});

  tir::Builder& builder() { return *builder_; }

 private:
  DLDataType index_;
  ffi::Optional<ir::Span> span_;
  tir::Builder* builder_;
};

/*! \brief The lanes of a vector that is not wider than a range, if its extent is known. */
int LanesWithin(const ir::PrimExpr& extent, int lanes);
/*! \brief The indices of `lanes` neighbours, from a first one on. */
ir::PrimExpr LanesFrom(const ir::PrimExpr& first, int lanes);
/*! \brief A vector of equal lanes. */
ir::PrimExpr AllLanes(const ir::PrimExpr& value, int lanes);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_LOOP_WRITER_H_
