/*!
 * \file function_state.h
 * \brief The state of the text of one function, which its emitters share.
 */
#ifndef UIR_TARGET_FUNCTION_STATE_H_
#define UIR_TARGET_FUNCTION_STATE_H_

#include <uir/tir/buffer.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/var.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "./c_writer.h"
#include "./names.h"
#include "./signature.h"

namespace uir::target {

class StatementEmitter;
class ScalarEmitter;
class VectorEmitter;
class MemoryEmitter;
class CallEmitter;

/*! \brief An open block: the body of a function, a loop or a branch. */
struct OpenBlock {
  bool is_loop;
  /*! \brief The buffers in memory that the block frees. */
  std::vector<std::string> allocated;
};

/*! \brief A pointer in C to the elements of buffers. */
struct Pointer {
  std::string name;
  /*! \brief The type of the elements; `void` if it is not known. */
  DLDataType dtype;
};

/*! \brief The state of a function that is being emitted. */
struct FunctionState {
  FunctionState(ModuleContext* context, const Signature* signature)
      : context(context), signature(signature) {}

  ModuleContext* context;
  const Signature* signature;
  CWriter lines;
  /*! \brief The functions that the pool of threads calls, which precede this one. */
  CWriter parts;
  /*! \brief The writer of lines: that of the function, or of a conditional expression. */
  CWriter* writer = &lines;
  Names names;
  std::vector<OpenBlock> blocks;
  std::unordered_map<const tir::VarNode*, std::string> variables;
  std::unordered_map<const tir::VarNode*, Pointer> pointers;
  /*! \brief The arrays of vectors of buffers in registers. */
  std::unordered_map<const tir::BufferNode*, std::string> registers;
  /*! \brief Those of them whose vectors are not loaded again. */
  std::unordered_set<const tir::BufferNode*> kept_in_registers;
  /*! \brief The elements at which data pointers point into other buffers. */
  std::unordered_map<const tir::VarNode*, const tir::BufferLoadNode*> placements;
  /*! \brief The bits of a lane of variables that hold masks. */
  std::unordered_map<const tir::VarNode*, int> masks;
  /*! \brief Variables that are indices and not negative. */
  std::unordered_set<const tir::VarNode*> non_negative;
  /*! \brief The variables of 32 bits that are declared with 64. */
  std::unordered_set<const tir::VarNode*> index_variables;
  /*! \brief Whether calls of mathematics on vectors are not inlined. */
  bool calls_math_out_of_line = false;
  /*! \brief A call whose value is not used. */
  const tir::CallNode* discarded = nullptr;

  StatementEmitter* statements = nullptr;
  ScalarEmitter* scalars = nullptr;
  VectorEmitter* vectors = nullptr;
  MemoryEmitter* memory = nullptr;
  CallEmitter* calls = nullptr;
};

}  // namespace uir::target

#endif  // UIR_TARGET_FUNCTION_STATE_H_
