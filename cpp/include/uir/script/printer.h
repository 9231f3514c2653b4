/*!
 * \file uir/script/printer.h
 * \brief The interface for printers of custom syntax: text, children of nodes, and names.
 *
 * Any recursion goes through `PrintExpr`, `PrintValue` and `PrintStmt`, which continue on a new
 * stack segment when one is full.
 */
#ifndef UIR_SCRIPT_PRINTER_H_
#define UIR_SCRIPT_PRINTER_H_

#include <tschema/type_info.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <uir/ir/expr.h>
#include <uir/ir/scalar_op.h>
#include <uir/script/text.h>
#include <uir/tir/var.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace uir::script {

namespace ffi = ::tvm::ffi;

using ir::Above;
using ir::Precedence;

/*! \brief No data type, for constants without another operand. */
inline constexpr DLDataType kNoType = {255, 0, 0};

struct Plan;
struct PrinterState;
class Printer;

/*! \brief Print a constant; return false if the expression is not constant. */
bool PrintConstant(Printer* printer, const ir::PrimExprNode* expr, DLDataType like);

/*! \brief Writes one text. */
class Printer {
 public:
  /*! \param plan The results of earlier rounds, to which this one adds. */
  explicit Printer(Plan* plan);
  ~Printer();
  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;

  /*! \name Text */
  /*! \{ */
  void Write(Text text) { out_.append(text); }
  void Write(char character) { out_.push_back(character); }
  void WriteInt(int64_t value);
  /*!
   * \brief Write parts in order: verbatim text, expressions, and other values.
   *
   * An `ffi::String` and a data type are values, which are written as string literals.
   */
  template <typename... Parts>
  void Print(const Parts&... parts) {
    (PrintPart(parts), ...);
  }
  /*! \brief Write parts on a separate line. */
  template <typename... Parts>
  void PrintLine(const Parts&... parts) {
    BeginLine();
    Print(parts...);
    EndLine();
  }
  /*! \brief Write a string literal. */
  void WriteQuoted(Text text);
  /*! \brief Write a data type as a string literal. */
  void WriteDType(DLDataType dtype);
  /*! \brief Write a data type as a name: `tir.float32`. */
  void WriteDTypeName(DLDataType dtype);
  /*! \brief Start a line at the current indentation. */
  void BeginLine() { out_.append(indent_ * size_t{4}, ' '); }
  void EndLine() { out_.push_back('\n'); }
  /*! \brief Write text, such as the name of an object. */
  void Insert(size_t place, std::string_view text, const ffi::Object* object = nullptr);
  /*! \brief Note that the text from `begin` on is that of a node. */
  void Note(const ffi::Object* object, size_t begin) { NoteExtent(object, begin, out_.size()); }
  /*! \} */

  /*! \name Parts */
  /*! \{ */
  /*!
   * \brief Write an expression.
   * \param expr The expression, not null.
   * \param at_least A looser expression is put in parentheses.
   * \param like The data type of a bare number in this position.
   */
  void PrintExpr(const ir::PrimExprNode* expr, Precedence at_least = Precedence::kNone,
                 DLDataType like = kNoType);
  /*! \brief Write expressions with commas between them. */
  void PrintExprs(const ffi::Array<ir::PrimExpr>& exprs);
  /*! \brief Write a tuple: `(a,)`. */
  void PrintTuple(const ffi::Array<ir::PrimExpr>& exprs);
  /*!
   * \brief Write any value.
   * \param value The value.
   * \param expected The type of its destination; null for any type.
   */
  void PrintValue(ffi::AnyView value, const tschema::TypeExpr* expected = nullptr);
  /*! \brief Write a node of another dialect inside an expression. */
  void PrintNode(const ffi::Object* node, Precedence at_least = Precedence::kNone);
  /*! \brief Write `package.Type(field=value)`. */
  void PrintGeneric(const ffi::Object* object);
  /*! \brief Write a statement on its own lines, or all statements of a sequence. */
  void PrintStmt(const ffi::Object* stmt);
  /*! \brief Write the indented statements below a header, in a new scope. */
  void PrintSuite(const ffi::Object* body);
  /*! \} */

  /*! \name Names */
  /*! \{ */
  /*! \brief Write the name of an object; declare a free object. */
  void Use(const ffi::Object* object);
  /*!
   * \brief Bind an object here.
   * \param object The object; one with several bindings is declared.
   * \param name The preferred name.
   * \return Its name, until the scope ends.
   */
  std::string Bind(const ffi::Object* object, Text name);
  /*! \brief Bind a variable in syntax that states only its data type. */
  std::string BindVar(const tir::VarNode* var);
  /*!
   * \brief Write the name of a variable that `BindReserved` binds after text outside its scope,
   *        because inserting the name later would move that text.
   * \return The name.
   */
  std::string WriteReserved(const tir::VarNode* var);
  void BindReserved(const ffi::Object* var, const std::string& name);
  /*! \brief Whether an object has occurred before, so that this is not its first binding. */
  bool IsKnown(const ffi::Object* object) const;
  /*! \brief Print an object as `text` until the scope ends. */
  void Alias(const ffi::Object* object, std::string text);
  /*! \brief Declare an unknown object before the text. */
  void Declare(const ffi::Object* object);
  /*!
   * \brief Omit a variable from the text, because the parser makes a new one.
   * \return False if the text refers to it.
   */
  bool Hide(const tir::VarNode* var);
  /*! \brief Restart printing with the object declared first. */
  void DeclareNextTime(const ffi::Object* object);
  /*! \} */

  /*! \brief A scope of names. */
  class Scope {
   public:
    explicit Scope(Printer* printer);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Printer* printer_;
    size_t mark_;
  };

  /*! \brief Parentheses around an expression that binds too loosely. */
  class Parentheses {
   public:
    Parentheses(Printer* printer, Precedence own, Precedence at_least)
        : printer_(own < at_least ? printer : nullptr) {
      if (printer_ != nullptr) printer_->Write('(');
    }
    ~Parentheses() {
      if (printer_ != nullptr) printer_->Write(')');
    }
    Parentheses(const Parentheses&) = delete;
    Parentheses& operator=(const Parentheses&) = delete;

   private:
    Printer* printer_;
  };

  /*! \brief Access for the printers of modules and functions. */
  PrinterState& state() { return *state_; }
  /*! \brief The text written so far; a printer of functions moves parts of it. */
  std::string& text() { return out_; }
  int& indent() { return indent_; }

 private:
  template <typename Part>
  void PrintPart(const Part& part) {
    if constexpr (std::is_base_of_v<ir::PrimExpr, Part>) {
      PrintExpr(part.get());
    } else if constexpr (std::is_same_v<Part, DLDataType>) {
      WriteDType(part);
    } else if constexpr (std::is_convertible_v<const Part&, std::string_view> &&
                         !std::is_same_v<Part, ffi::String>) {
      Write(Text(std::string_view(part)));
    } else {
      PrintValue(part);
    }
  }
  template <typename WriteBody>
  void WritePart(const ffi::Object* object, size_t begin, WriteBody write);
  bool EnterPart(const ffi::Object* object);
  bool EnterMeasured(const ffi::Object* object);
  void LeaveMeasured(const ffi::Object* object, size_t begin);
  bool DeclareInFunction(const ffi::Object* object);
  void WriteDeclared(const ffi::Object* object);
  void WriteShared(const ffi::Object* object);
  void WriteContainer(ffi::AnyView value, const tschema::TypeExpr* expected);
  void Dispatch(const ffi::Object* object, Precedence at_least);
  void NoteExtent(const ffi::Object* object, size_t begin, size_t end);
  void PrintObject(const ffi::Object* object, const tschema::TypeExpr* expected);

  std::string out_;
  int indent_ = 0;
  std::unique_ptr<PrinterState> state_;
};

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINTER_H_
