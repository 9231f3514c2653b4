/*!
 * \file dependence.h
 * \brief Dependences between the iterations of loops, by the indices of accesses.
 *
 * Two iterations depend on each other if both access an element and one of them writes it. The
 * test assumes a dependence unless the analyzer proves that an index differs: that the difference
 * of both indices is not zero at any of the queried distances. It assumes that conditional accesses
 * always happen.
 */
#ifndef UIR_SCHEDULE_PRIMITIVE_DEPENDENCE_H_
#define UIR_SCHEDULE_PRIMITIVE_DEPENDENCE_H_

#include <uir/tir/function.h>
#include <uir/tir/stmt.h>

#include <optional>
#include <unordered_set>
#include <vector>

namespace uir::schedule {

namespace ffi = ::tvm::ffi;

struct Access {
  tir::Buffer buffer;
  ffi::Array<ir::PrimExpr> indices;
  bool is_store;
  /*! \brief The load or the store. */
  ffi::ObjectRef node;
  /*! \brief The store whose value contains the load, or which is the access; null otherwise. */
  const tir::BufferStoreNode* store;
  /*! \brief The loops around it in the statement, outermost first. */
  std::vector<tir::For> loops;
};

/*! \brief The accesses of a statement. */
struct Accesses {
  std::vector<Access> all;
  /*! \brief Variables that it binds, except for loop variables. */
  std::vector<tir::Var> bound;
  /*! \brief The data pointers of the buffers that it allocates. */
  std::unordered_set<const ffi::Object*> allocated;
  /*! \brief The buffers that it allocates or declares. */
  std::unordered_set<const ffi::Object*> defined;
  /*! \brief A node with unknown accesses: a call with an effect, or a statement such as `While`. */
  std::optional<ffi::ObjectRef> opaque;
};

Accesses AccessesOf(const tir::Stmt& stmt);

/*! \brief The order of an iteration of a loop relative to another one. */
enum class Direction { kEarlier = -1, kSame = 0, kLater = 1 };

class DependenceTest {
 public:
  /*!
   * \param func The function, whose buffers may overlap unless it has `tir.noalias`.
   * \param outer The loops around the statement, whose iterations are the same for both accesses.
   * \param accesses The accesses of the statement.
   */
  DependenceTest(const tir::PrimFunc& func, const std::vector<tir::For>& outer,
                 const Accesses& accesses);

  /*!
   * \brief Whether an access may need the element of another one.
   * \param a The first access.
   * \param b The second one.
   * \param loops Loops around both.
   * \param directions The order of the iteration of `b` relative to that of `a`, in each loop.
   */
  bool MayConflict(const Access& a, const Access& b, const std::vector<tir::For>& loops,
                   const std::vector<Direction>& directions) const;

 private:
  bool MayOverlap(const Access& a, const Access& b) const;

  bool has_no_aliases_;
  const std::vector<tir::For>& outer_;
  const Accesses& accesses_;
};

/*! \brief Whether a store updates its own element, as by a sum, so that the order of its iterations
 * only affects rounding. */
bool IsUpdate(const tir::BufferStoreNode* store);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_PRIMITIVE_DEPENDENCE_H_
