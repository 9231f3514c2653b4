/*!
 * \file tensor_origins.h
 * \brief The tensors of high-level values, and the bindings that compute them.
 */
#ifndef UIR_TRANSFORM_REWRITE_TENSOR_ORIGINS_H_
#define UIR_TRANSFORM_REWRITE_TENSOR_ORIGINS_H_

#include <uir/ir/tensor_type.h>
#include <uir/relay/block.h>

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief The types of the tensors of a type: of one, or of those of a tuple, in order.
 * \param value The value with the type, for errors.
 * \throws TypeError if the value is neither a tensor nor a tuple of these.
 */
std::vector<ir::TensorType> TensorTypesIn(const ir::Type& type, const ir::RelayExpr& value);

/*! \brief The types of the tensors of a value. */
std::vector<ir::TensorType> TensorTypesOf(const ir::RelayExpr& value);

/*! \brief The index of an item's first tensor in its tuple, and the number of its tensors. */
std::pair<size_t, size_t> PlaceOfItem(const relay::TupleGetItemNode* item);

/*! \brief A tensor, with its binding if that is in the block. */
struct TensorOrigin {
  /*! \brief The variable that is bound, or null. */
  const relay::VarNode* var;
  /*! \brief The index among the tensors of its value. */
  size_t index;
};

/*!
 * \brief Finds the bindings of a block whose calls or branches make the tensors of a value.
 *
 * The origin of a view is that of its operand.
 */
class OriginFinder {
 public:
  explicit OriginFinder(const relay::Block& block);

  std::vector<TensorOrigin> Find(const ir::RelayExpr& value) const;

 private:
  std::vector<TensorOrigin> FindVar(const relay::VarNode* var) const;

  std::unordered_map<const ffi::Object*, ir::RelayExpr> values_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_TENSOR_ORIGINS_H_
