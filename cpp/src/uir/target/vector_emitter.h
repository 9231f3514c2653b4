/*!
 * \file vector_emitter.h
 * \brief Vectors: their arithmetic, masks and conversions, and their loads and stores.
 */
#ifndef UIR_TARGET_VECTOR_EMITTER_H_
#define UIR_TARGET_VECTOR_EMITTER_H_

#include <uir/tir/buffer.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/stmt.h>

#include <string>
#include <string_view>
#include <vector>

#include "./emitter_part.h"
#include "./intrinsics.h"

namespace uir::target {

/*! \brief Emits expressions on vectors. */
class VectorEmitter : public EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  /*! \brief Emit a vector of numbers at equal distances. */
  CExpr EmitRamp(const tir::RampNode* op);
  /*! \brief Emit a vector of equal elements. */
  CExpr EmitBroadcast(const tir::BroadcastNode* op);
  /*! \brief Emit a vector of elements of vectors. */
  CExpr EmitShuffle(const tir::ShuffleNode* op);
  /*! \brief A mask with lanes of `bits` bits; other values are unchanged. */
  CExpr MaskOf(CExpr mask, int bits, DLDataType dtype);
  /*! \brief Bring masks to the same number of bits. */
  void EqualizeMasks(std::vector<CExpr>* masks, DLDataType dtype);
  /*! \brief A number, or the lanes of a vector, in another format of floating-point numbers. */
  CExpr ConvertFloat(const CExpr& value, DLDataType from, DLDataType to);
  /*! \brief Arithmetic on lanes of `float16`, computed in `float`. */
  CExpr HalfVectors(const char* symbol, const std::vector<CExpr>& operands, DLDataType dtype,
                    Binding binding);
  /*! \brief Convert floats to integers, which wrap around. */
  CExpr FloatsToIntegers(CExpr value, DLDataType from, DLDataType to);
  /*! \brief Emit a conversion of a vector. */
  CExpr CastVector(const tir::CastNode* op);
  /*! \brief Emit a choice between vectors by a mask. */
  CExpr SelectVector(const tir::SelectNode* op);
  /*! \brief Emit a conjunction or disjunction of masks. */
  CExpr LogicVector(const tir::LogicalOpNode* op, bool is_and);
  /*! \brief Emit a comparison of vectors, whose result is a mask. */
  CExpr CompareVector(const tir::CmpOpNode* op, const char* symbol, Binding binding);
  /*! \brief Call a function of scalars on each lane. */
  CExpr CallLanewise(const std::string& name, const std::string& function,
                     const std::vector<CExpr>& args, DLDataType from, DLDataType to);
  /*! \brief Emit a call of an intrinsic of the table on vectors. */
  CExpr CallTableVector(const tir::CallNode* op, const Intrinsic& intrinsic);
  /*! \brief Emit a load of a vector. */
  CExpr LoadVector(const tir::BufferLoadNode* op);
  /*! \brief Emit a store of a vector. */
  void StoreVector(const tir::BufferStoreNode* op);
  /*! \brief Emit `tir.vload`: a load of consecutive elements. */
  CExpr VLoad(const tir::CallNode* op);

 private:
  CExpr ShuffleTwo(const tir::ShuffleNode* op);
  CExpr ConvertVector(const CExpr& value, DLDataType dtype);
  CExpr CallInstruction(const char* key, const std::vector<CExpr>& args, DLDataType dtype);
  CExpr ConvertBy(const char* key, DLDataType dtype, const CExpr& value);
  /*! \brief Convert the lanes of a vector, except floats to integers. */
  CExpr ConvertNumbers(const CExpr& value, DLDataType from, DLDataType to);
  CExpr ConvertFloats(const CExpr& value, DLDataType from, DLDataType to);
  CExpr PredicateVector(const tir::CallNode* op, std::string_view name);
  std::string LaneIndices(int lanes, int64_t stride, DLDataType dtype);
  std::string LanePointer(const tir::Buffer& buffer, const CExpr& first, const ffi::Object* node);
  CExpr WideIndex(const CExpr& index, DLDataType dtype);
};

}  // namespace uir::target

#endif  // UIR_TARGET_VECTOR_EMITTER_H_
