/*!
 * \file memory_emitter.h
 * \brief Buffers: pointers to their elements, accesses, allocation, checks of indices.
 */
#ifndef UIR_TARGET_MEMORY_EMITTER_H_
#define UIR_TARGET_MEMORY_EMITTER_H_

#include <uir/tir/buffer.h>
#include <uir/tir/stmt.h>

#include <optional>
#include <string>
#include <unordered_map>

#include "./emitter_part.h"

namespace uir::target {

/*! \brief Emits accesses and allocations of buffers. */
class MemoryEmitter : public EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  /*! \brief Emit a store of a scalar or a vector, maybe under a predicate. */
  void EmitStore(const tir::BufferStoreNode* op);
  /*! \brief Allocate a buffer: small ones on the stack, others on the heap. */
  void AllocateBuffer(const tir::AllocBufferNode* op);
  /*! \brief Declare a pointer for a buffer in the memory of another one. */
  void DeclareBuffer(const tir::DeclBufferNode* op);
  /*! \brief Emit a load of a scalar or a vector, maybe under a predicate. */
  CExpr EmitLoad(const tir::BufferLoadNode* op);
  /*! \brief The pointer to the elements of a buffer, of their type. */
  std::string PointerTo(const tir::Buffer& buffer, const ffi::Object* node);
  /*! \brief An element of a buffer as an lvalue of C. */
  CExpr ElementOf(const tir::Buffer& buffer, const CExpr& index, const ffi::Object* node);
  /*! \brief Whether an index counts elements from the data pointer; else report the missing pass.
   */
  bool IsFlat(const tir::Buffer& buffer, const ffi::Object* node);
  /*!
   * \brief Check that elements are in a buffer, if indices are checked.
   * \param first The index of the first element, which is evaluated here.
   * \param count The number of consecutive elements.
   * \return The index of the first element, to access it.
   */
  CExpr CheckedIndex(const tir::Buffer& buffer, const ir::PrimExpr& first, CExpr text,
                     int64_t count, const ffi::Optional<ir::Span>& span);
  /*! \brief Check the indices of lanes, and keep them and their mask, if indices are checked. */
  void CheckLanes(const tir::Buffer& buffer, DLDataType dtype, CExpr* index, CExpr* mask,
                  const ffi::Optional<ir::Span>& span);

 private:
  static bool AreRegisters(const tir::Buffer& buffer);
  void DeclareRegisters(const tir::AllocBufferNode* op, const std::string& name);
  void AllocateOnHeap(const tir::AllocBufferNode* op, const std::string& type);
  std::string ShownPlace(const ffi::Optional<ir::Span>& access) const;
  std::optional<std::string> CheckedExtent(const tir::Buffer& buffer);
  void AddCheck(const std::string& call);
  void CheckPlacement(const tir::Buffer& buffer);

  /*! \brief Pointers for buffers whose data type is not that of their data pointer. */
  std::unordered_map<const tir::BufferNode*, std::string> views_;
  int64_t stack_bytes_ = 0;
};

}  // namespace uir::target

#endif  // UIR_TARGET_MEMORY_EMITTER_H_
