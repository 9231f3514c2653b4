/*!
 * \file emit_entry.h
 * \brief The entry of a public function, which tvm-ffi calls.
 */
#ifndef UIR_TARGET_EMIT_ENTRY_H_
#define UIR_TARGET_EMIT_ENTRY_H_

#include <uir/tir/object_access.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "./c_writer.h"
#include "./function_emitter.h"
#include "./names.h"
#include "./signature.h"

namespace uir::target {

/*! \brief Emits one entry: it checks the arguments, computes sizes, and calls the function. */
class EntryEmitter {
 public:
  /*!
   * \brief Prepare an entry.
   * \param callee The name in C of its callee, a function or a pointer to one.
   * \param symbol The name of the entry in tvm-ffi.
   * \param num_outputs The number of last parameters that it allocates and returns.
   */
  EntryEmitter(ModuleContext* context, const Signature* signature, std::string callee,
               std::string symbol, size_t num_outputs);

  /*! \brief Emit the entry, and return its text. */
  std::string Run();

 private:
  std::string InputsText() const;
  void Report(const ffi::Object* node, std::string message);
  void Check(const std::string& helper, const std::string& arguments);
  void CheckMachine();
  void FindObjectTypes();
  void TakeObject(const Parameter& param, const tir::ObjectType& type, const std::string& name,
                  const std::string& argument);
  void TakeArgument(size_t index);
  void TakeNumber(const Parameter& param, const std::string& name, const std::string& argument);
  void CheckDimensions(size_t index);
  bool IsOfSizes(const ir::PrimExpr& expr) const;
  void CheckAssertions();
  void CheckExpressions(size_t index);
  void CheckCount(size_t index, const std::string& extents, const std::string& failure);
  void CheckPlace(size_t index);
  void CheckOverlaps();
  void CheckManyOverlaps();
  void CheckDivisors(const tir::BufferNode* buffer, size_t axis, const ir::PrimExpr& size);
  void CheckPart(size_t index, size_t axis, bool is_stride, bool is_late);
  void Call();
  void CheckOutput(size_t index);
  void AllocateOutput(size_t index, const std::string& failure);
  void ReturnResult();
  void ReturnOutputs();
  std::string CallText(const std::string& result) const;
  size_t num_inputs() const { return num_given_ - num_outputs_; }

  ModuleContext* context_;
  const Signature* signature_;
  std::string callee_;
  std::string symbol_;
  size_t num_given_;
  size_t num_outputs_;
  /*! \brief The function without its shared expressions, which take lines of its body. */
  Signature unshared_;
  /*! \brief Emits expressions over sizes. */
  FunctionEmitter sizes_;
  CWriter lines_;
  Names names_;
  /*! \brief The name of each parameter. */
  std::vector<std::string> params_;
  /*! \brief The variables that have a value. */
  std::unordered_map<const tir::VarNode*, std::string> values_;
  /*! \brief The arguments of the call, by parameter. */
  std::vector<std::string> arguments_;
};

}  // namespace uir::target

#endif  // UIR_TARGET_EMIT_ENTRY_H_
