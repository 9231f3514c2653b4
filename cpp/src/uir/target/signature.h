/*!
 * \file signature.h
 * \brief The C signatures of the functions of a module.
 */
#ifndef UIR_TARGET_SIGNATURE_H_
#define UIR_TARGET_SIGNATURE_H_

#include <uir/ir/module.h>
#include <uir/tir/function.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "./constants.h"
#include "./math_function.h"
#include "./object_types.h"
#include "./prelude.h"
#include "./problems.h"

namespace uir::target {

/*! \brief A parameter of an emitted function. */
struct Parameter {
  const tir::VarNode* var;
  /*! \brief The buffer of a handle, or null. */
  const tir::BufferNode* buffer;
  /*! \brief The type in C. */
  std::string type;
};

/*!
 * \brief An emitted function, which returns 0, or -1 and sets the error of tvm-ffi.
 *
 * A mathematical function returns its value.
 */
struct Signature {
  const tir::PrimFuncNode* func;
  /*! \brief The name in C. */
  std::string name;
  /*! \brief The parameters of the function, then the sizes that its buffers bind. */
  std::vector<Parameter> params;
  /*! \brief The number of these sizes, whose values entries pass. */
  size_t num_sizes = 0;
  /*! \brief The type of its result, which it stores through its last parameter, `result`. */
  std::optional<DLDataType> result;
  /*! \brief The intrinsic, if this is a mathematical function. */
  const MathFunction* math = nullptr;
  /*! \brief The data pointers through which it stores. */
  std::unordered_set<const tir::VarNode*> written;
  /*! \brief The expressions with several uses in the body. */
  std::unordered_set<const ffi::Object*> shared;

  /*! \brief Whether the body takes the buffers of the function to lie apart. */
  bool HasNoAliases() const;
};

/*! \brief The state that the functions of a text share. */
class ModuleContext {
 public:
  /*!
   * \brief Prepare a text.
   * \param module The functions.
   * \param machine_check The helper by which entries check the processor; empty if any will do.
   * \param checks_bounds Whether indices of buffers are checked.
   */
  ModuleContext(ir::IRModule module, std::string machine_check, bool checks_bounds)
      : module_(std::move(module)),
        constants_(ConstantsOf(module_)),
        machine_check_(std::move(machine_check)),
        checks_bounds_(checks_bounds) {}
  ModuleContext(const ModuleContext&) = delete;
  ModuleContext& operator=(const ModuleContext&) = delete;

  const ir::IRModule& module() const { return module_; }
  /*! \brief The helpers of the part that is being emitted. */
  Prelude* prelude() { return current_; }
  /*! \brief Use other helpers from now on; null for those of the whole text. */
  void UseHelpers(Prelude* helpers) { current_ = helpers == nullptr ? &prelude_ : helpers; }
  Problems* problems() { return &problems_; }

  /*! \brief The function that a variable names; null unless that is a PrimFunc of the module. */
  const Signature* SignatureOf(const ir::GlobalVarNode* var);
  /*! \brief The function that a call names, which is recorded as a callee; else null. */
  const Signature* CalleeOf(const ir::GlobalVarNode* var);

  /*! \brief The requested functions, each after its callees. */
  const std::vector<const Signature*>& order() const { return order_; }
  /*! \brief Those that are called before they are defined. */
  const std::vector<const Signature*>& early() const { return early_; }

  /*!
   * \brief Declare a function of another library.
   * \return Whether it is declared in the same way wherever it is called.
   */
  bool DeclareExtern(const std::string& name, const std::string& declaration) {
    return externs_.emplace(name, declaration).first->second == declaration;
  }
  const std::map<std::string, std::string>& externs() const { return externs_; }

  const std::string& machine_check() const { return machine_check_; }
  bool checks_bounds() const { return checks_bounds_; }

  /*! \brief Begin to record the callees and uses of a function. */
  void BeginFunction() { callees_.clear(), uses_first_unit_ = false; }
  /*! \brief The functions of the module that were requested since then. */
  const std::unordered_set<const Signature*>& callees() const { return callees_; }
  /*! \brief Whether constants, objects or global functions were used since then. */
  bool uses_first_unit() const { return uses_first_unit_; }

  /*! \brief The types of objects whose fields the text reads. */
  ObjectTypes* objects() {
    uses_first_unit_ = true;
    return &objects_;
  }

  /*! \brief Use a global function of tvm-ffi; returns its name in C. */
  const std::string& UsePacked(const std::string& name);
  /*! \brief The names in C of the global functions that the text calls. */
  const std::map<std::string, std::string>& packed() const { return packed_; }

  /*! \brief An unused name for the text. */
  std::string TakeName(const std::string& wanted);

  /*! \brief Whether a function is the first one that calls another in parts. */
  bool IsFirstInParts(const Signature* callee) { return in_parts_.insert(callee).second; }

  /*! \brief The tensors that `tir.constant_data` counts. */
  const ffi::Array<ffi::Tensor>& constants() const { return constants_; }
  void UseConstant(int64_t index) {
    uses_first_unit_ = true;
    used_constants_.insert(index);
  }
  const std::set<int64_t>& used_constants() const { return used_constants_; }

 private:
  ir::IRModule module_;
  ffi::Array<ffi::Tensor> constants_;
  std::string machine_check_;
  bool checks_bounds_;
  std::set<int64_t> used_constants_;
  Prelude prelude_;
  Prelude* current_ = &prelude_;
  Problems problems_;
  std::unordered_map<const ir::GlobalVarNode*, Signature> signatures_;
  /*! \brief The names of functions in C. */
  std::set<std::string> names_;
  /*! \brief The functions whose callees are being visited. */
  std::unordered_set<const ir::GlobalVarNode*> open_;
  std::vector<const Signature*> order_;
  std::vector<const Signature*> early_;
  std::map<std::string, std::string> externs_;
  std::map<std::string, std::string> packed_;
  std::unordered_set<const Signature*> in_parts_;
  std::unordered_set<const Signature*> callees_;
  bool uses_first_unit_ = false;
  ObjectTypes objects_{[this](const std::string& name) { return TakeName(name); }};
};

/*! \brief The C function of this name for a mathematical function. */
Signature MathSignature(const MathFunction& math, const tir::PrimFunc& func,
                        const std::string& name, Prelude* prelude);

/*! \brief The head of a function, without the brace that opens its body. */
std::string HeadOf(const Signature& signature, Prelude* prelude,
                   const std::vector<std::string>& names);

}  // namespace uir::target

#endif  // UIR_TARGET_SIGNATURE_H_
