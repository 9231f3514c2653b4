/*!
 * \file print_parts.h
 * \brief Parts that several forms of tensor-level programs share.
 */
#ifndef UIR_SCRIPT_PRINT_PRINT_PARTS_H_
#define UIR_SCRIPT_PRINT_PRINT_PARTS_H_

#include <uir/ir/function.h>
#include <uir/ir/range.h>
#include <uir/script/printer.h>
#include <uir/tir/buffer.h>
#include <uir/tir/reduce.h>
#include <uir/tir/stmt.h>

#include <optional>

namespace uir::script {

struct TypeFields;

/*! \brief Whether an expression is the integer 0. */
bool IsZero(const ir::PrimExpr& expr);

/*! \brief Write the end of a range so that a reader finds its extent: `begin + extent`. */
void PrintEnd(Printer* printer, const ir::PrimExpr& begin, const ir::PrimExpr& extent);

/*! \brief Write the annotation of a variable; false if it cannot express the variable's type. */
bool PrintVarType(Printer* printer, const tir::VarNode* var);

/*! \brief Write `(16,), "float32", scope="shared"` for a buffer of the name. */
void PrintBufferArguments(Printer* printer, const tir::BufferNode* buffer, const std::string& name);

/*! \brief Write `A[0:16, i]`. */
void PrintRegion(Printer* printer, const tir::BufferRegionNode* region);

/*!
 * \brief Write the decorator of a function on a line of its own.
 * \param decorator `@tir.prim_func`.
 * \param name The function's identifier in the text.
 * \param real_name Its name in the module.
 * \param is_public Whether it has a `global_symbol`.
 */
void PrintDecorator(Printer* printer, const char* decorator, const std::string& name,
                    const ffi::String& real_name, bool is_public);

/*!
 * \brief Write the attributes of a function, if it has any, on a line of their own.
 * \param form `tir.func_attr(`.
 * \param is_symbol_stated Whether the `global_symbol` follows from the decorator.
 */
void PrintFunctionAttrs(Printer* printer, const char* form, const ir::BaseFuncNode* func,
                        bool is_symbol_stated);

/*! \brief Write the name of an axis's kind, as texts spell it. */
std::string_view IterTypeName(tir::IterVarType type);
/*! \brief The kind of axis of a name. */
std::optional<tir::IterVarType> FindIterType(std::string_view name);
/*! \brief The kind of loop of a dotted name: `range`, `tir.parallel`. */
std::optional<tir::ForKind> FindLoopKind(std::string_view path);

/*! \brief Print a statement in the form that its type declares. */
void PrintDeclaredStmt(Printer* printer, const ffi::Object* stmt, const TypeFields& type);

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_PRINT_PARTS_H_
