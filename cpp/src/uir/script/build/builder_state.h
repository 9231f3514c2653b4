/*!
 * \file builder_state.h
 * \brief The state of a builder: names, the module, and the open function and block.
 */
#ifndef UIR_SCRIPT_BUILD_BUILDER_STATE_H_
#define UIR_SCRIPT_BUILD_BUILDER_STATE_H_

#include <tvm/ffi/function.h>
#include <uir/ir/function.h>
#include <uir/ir/operator_table.h>
#include <uir/ir/span.h>
#include <uir/script/builder.h>
#include <uir/script/forms.h>
#include <uir/tir/block.h>

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../print/declared_form.h"
#include "../syntax/errors.h"

namespace uir::script {

/*! \brief The meaning of a name. */
struct Meaning {
  ffi::Any value;
  /*! \brief Whether bindings of the name bind this value. */
  bool is_declared = false;
  /*! \brief Whether the statement that defines it is wrong. */
  bool is_poisoned = false;
  /*! \brief Whether the name is undefined. */
  bool is_empty = true;
  /*! \brief Whether the name refers to the only element of the buffer `value`. */
  bool is_element = false;
};

/*! \brief The properties of a function that its first statements declare. */
struct FunctionFrame {
  ffi::Map<ffi::String, ffi::Any> attrs;
  ffi::Map<tir::Var, tir::Buffer> buffer_map;
  /*! \brief Buffers of the root block, which the text does not write. */
  ffi::Array<tir::Buffer> root_buffers;
  bool has_blocks = false;
  /*! \brief The last outermost block without axes, and the same block with exactly the regions that
   * the text states, which are the only ones of a root block. */
  std::optional<tir::Stmt> outer_block;
  std::optional<tir::Stmt> stated_block;
};

/*! \brief An open loop: `tir.axis.remap` takes the domain of an axis from it. */
struct LoopFrame {
  const tir::VarNode* var;
  ir::PrimExpr min;
  ir::PrimExpr extent;
};

/*! \brief Makes a statement whose body is the rest of a suite. */
using Encloser = std::function<tir::Stmt(const tir::Stmt& rest)>;

/*! \brief The properties of a block that its first statements declare. */
struct BlockFrame {
  ffi::Array<tir::IterVar> iter_vars;
  ffi::Array<ir::PrimExpr> iter_values;
  ffi::Optional<ir::PrimExpr> predicate;
  /*! \brief The regions; none if the text does not state them. */
  std::optional<ffi::Array<tir::BufferRegion>> reads;
  std::optional<ffi::Array<tir::BufferRegion>> writes;
  ffi::Map<ffi::String, ffi::Any> annotations;
  ffi::Array<tir::Buffer> alloc_buffers;
  ffi::Array<tir::MatchBufferRegion> match_buffers;
  ffi::Optional<tir::Stmt> init;
  /*! \brief Whether axes have values. */
  bool is_realized = true;
};

struct TypeFields;

/*! \brief The callee of a call by a dotted name; empty for an undefined name. */
struct Callee {
  const ReadFunction* form = nullptr;
  std::optional<DLDataType> dtype;
  const TypeFields* type = nullptr;
  /*! \brief The form of the type in expressions; null if it is one of statements. */
  const DeclaredForm* type_form = nullptr;
  ffi::Optional<ir::RelayExpr> op;
  /*! \brief The row of an operator of relay; null for any other. */
  const ir::OperatorRow* row = nullptr;
};

/*! \brief Nodes that replace `*values`, and names that the builder makes. */
struct SpreadNodes {
  std::deque<SyntaxNode> nodes;
  std::deque<std::vector<const SyntaxNode*>> children;
  std::deque<std::string> names;
  /*! \brief The values of nodes of the kind `kKnown`. */
  std::unordered_map<const SyntaxNode*, ffi::Any> values;
};

struct BuilderState {
  BuilderState(const SourceText* source, ErrorLog* log, ffi::Optional<ffi::Function> resolve)
      : source(source), log(log), resolve(std::move(resolve)), source_name(source->file()) {}

  const SourceText* source;
  ErrorLog* log;
  /*! \brief Resolves names that the text does not bind; may be None. */
  ffi::Optional<ffi::Function> resolve;
  ir::SourceName source_name;
  std::unordered_map<std::string_view, Meaning> names;
  /*! \brief The meanings of names outside of the open scopes. */
  std::vector<std::pair<std::string_view, Meaning>> undo;
  /*! \brief The name of the class, and its functions. */
  std::string_view module_name;
  std::unordered_map<std::string_view, ir::GlobalVar> functions;
  /*! \brief The data types of their results, where the text states one. */
  std::unordered_map<const ffi::Object*, DLDataType> result_types;
  /*! \brief The buffer of each address, for the regions of blocks that take it. */
  ffi::Map<tir::Var, tir::Buffer> buffers;
  /*! \brief The call that is a statement, whose result is dropped. */
  const SyntaxNode* statement_call = nullptr;
  /*! \brief The offsets of the buffers of regions that do not state one. */
  std::unordered_map<const ffi::Object*, ir::PrimExpr> region_offsets;
  FunctionFrame* function = nullptr;
  BlockFrame* block = nullptr;
  std::vector<LoopFrame> loops;
  /*! \brief The slot for the encloser of a statement of the open suite; null outside of suites. */
  std::optional<Encloser>* encloser = nullptr;
  /*! \brief The lists of `metadata` by key; empty if the text does not define it. */
  std::optional<std::unordered_map<std::string_view, const SyntaxNode*>> metadata;
  std::unordered_map<const SyntaxNode*, ffi::Any> metadata_values;
  /*! \brief The dotted names of aliases that the text does not bind, such as `T` and `tir`. */
  std::unordered_map<std::string, std::string> aliases;
  /*! \brief Dotted names by their nodes' text, joined. */
  std::unordered_map<const SyntaxNode*, std::string> paths;
  std::unordered_map<std::string, Callee> callees;
  /*! \brief The definitions of macros, and how many of their calls are open. */
  std::unordered_map<std::string_view, const SyntaxNode*> macros;
  int macro_depth = 0;
  /*! \brief The number of characters that macros, `*values` and formatted strings expanded to. */
  size_t n_expanded = 0;
  SpreadNodes spread;
  /*! \brief The whole text, and the open suite. */
  const SyntaxNode* text = nullptr;
  const SyntaxNode* suite = nullptr;
  /*! \brief The places of assignments to each name, in the order of the text; made on first use. */
  std::optional<std::unordered_map<std::string_view, std::vector<uint32_t>>> assignments;

  /*! \brief Make a name an alias of a dotted one, such as `uir.tir`. */
  void AddAlias(std::string_view name, std::string_view path);
  /*! \brief Add the aliases that TVM users import, such as `T`, `I` and `R`, unless the text binds
   * these names. */
  void AddUsualAliases();
  /*! \brief A dotted name without aliases and the package `uir`. */
  std::string WithoutAliases(std::string path) const;
  /*! \brief Write the names in a message as the text does, where it uses an alias. */
  void ShowAlias(const SyntaxNode* node, std::string* message) const;

  const Meaning* Find(std::string_view name) const {
    const auto found = names.find(name);
    return found == names.end() || found->second.is_empty ? nullptr : &found->second;
  }
};

/*! \brief Parse statements that only occur in blocks: reads, writes, attributes. */
template <typename T>
class Enter {
 public:
  Enter(T** slot, T* value) : slot_(slot), outer_(std::exchange(*slot, value)) {}
  ~Enter() { *slot_ = outer_; }
  Enter(const Enter&) = delete;
  Enter& operator=(const Enter&) = delete;

 private:
  T** slot_;
  T* outer_;
};

/*! \brief A call as a statement; none for a declaration. */
using StmtForm = std::optional<tir::Stmt> (*)(Builder* builder, const SyntaxNode* call);
/*! \brief `with call: suite`; the third child of the node is the name after `as`, or null. */
using WithForm = tir::Stmt (*)(Builder* builder, const SyntaxNode* node);
/*! \brief `name = call`, or `i, j = call`. */
using AssignForm = std::optional<tir::Stmt> (*)(Builder* builder, const SyntaxNode* name,
                                                const SyntaxNode* call);

/*! \brief Register the form of a name in such a place. */
void RegisterStmt(std::string_view path, StmtForm form);
void RegisterWith(std::string_view path, WithForm form);
void RegisterAssign(std::string_view path, AssignForm form);
/*! \brief The form of a name in such a place, or null. */
StmtForm FindStmtForm(std::string_view path);
WithForm FindWithForm(std::string_view path);
AssignForm FindAssignForm(std::string_view path);
/*! \brief The names of all such forms. */
void ListStmtForms(std::vector<std::string>* names);

/*! \brief The block that the builder is in; an error outside of blocks. */
BlockFrame* BlockOf(Builder* builder, const SyntaxNode* call);
/*! \brief The parts of a slice of one dimension of a buffer; without bounds, those of the shape. */
struct SliceParts {
  ir::PrimExpr begin;
  ir::PrimExpr extent;
  /*! \brief The step, or null. */
  const SyntaxNode* step;
};
SliceParts BuildSlice(Builder* builder, const tir::Buffer& buffer, size_t dimension,
                      const SyntaxNode* slice);
/*! \brief Make the rest of the suite the body of the statement `node`. */
void EncloseRest(Builder* builder, const SyntaxNode* node, Encloser encloser);
/*! \brief The indices of `A[i, j]`, or `A[()]`; the slice `A[i:i + 4]` is the index of a vector. */
ffi::Array<ir::PrimExpr> BuildIndices(Builder* builder, const tir::Buffer& buffer,
                                      const SyntaxNode* node);
/*! \brief The node with each `*values` replaced by its elements; the same node if it has none. */
const SyntaxNode* Spread(Builder* builder, const SyntaxNode* node);
/*!
 * \brief Count the characters to which a short text expands, and fail above a limit.
 *
 * Macros that call macros twice, `[*a, *a]` and `f"{a}{a}"` double the size of their input, so that
 * a few lines would fill all memory.
 */
void CountExpanded(Builder* builder, const SyntaxNode* place, size_t n_characters);
/*! \brief A node with a known value, at the place of another node. */
const SyntaxNode* KnownNode(Builder* builder, const SyntaxNode* place, ffi::Any value);
/*! \brief The names of a loop, as many as its extents: `*names` is several. */
std::vector<const SyntaxNode*> LoopNames(Builder* builder, const SyntaxNode* target, size_t count);
/*! \brief Define `*names` as the variables of a loop, once these are bound. */
void DefineLoopNames(Builder* builder, const SyntaxNode* target,
                     const std::vector<const SyntaxNode*>& names);
/*! \brief The value that goes to a buffer, of the buffer's data type. */
ir::PrimExpr BuildStored(Builder* builder, const SyntaxNode* node, const tir::Buffer& buffer,
                         const ffi::Array<ir::PrimExpr>& indices);
/*! \brief Put a statement before those of a suite. */
tir::Stmt PutInFront(Builder* builder, const tir::Stmt& first, const SyntaxNode* suite);
/*! \brief `name = A.view(512)`: a buffer of another shape or data type at the same address. */
tir::Stmt BuildView(Builder* builder, const SyntaxNode* name, const SyntaxNode* call);
/*! \brief `name: annotation = value`. */
tir::Stmt BuildAnnotated(Builder* builder, const SyntaxNode* node);
/*! \brief Whether an annotation is `tir.int32`, and a line below assigns to the name once more. */
bool IsChangedBelow(Builder* builder, const SyntaxNode* node);
/*! \brief `x: tir.int32`, or `v: tir.float32[8]`: local memory without a value. */
tir::Stmt DeclareMemory(Builder* builder, const SyntaxNode* name, const SyntaxNode* annotation);
/*! \brief Whether a name refers to the only element of a buffer. */
bool IsElement(Builder* builder, const SyntaxNode* name);
/*! \brief `name = value` of such a name. */
tir::Stmt StoreElement(Builder* builder, const SyntaxNode* name, const SyntaxNode* value);
/*! \brief A condition of a statement; an integer is compared with 0. */
ir::PrimExpr BuildCondition(Builder* builder, const SyntaxNode* node, const ffi::Any& value);
/*! \brief The predicate of a vector's lanes; `uint1` is TVM's `bool`. */
ir::PrimExpr BuildPredicate(Builder* builder, const SyntaxNode* node);
/*! \brief A domain: an extent, a range, or a tuple of begin and end; None without one. */
ffi::Optional<ir::Range> BuildDomain(Builder* builder, const SyntaxNode* node);
/*! \brief A call of a method of a buffer or an expression; none of another call. */
std::optional<ffi::Any> BuildMethod(Builder* builder, const SyntaxNode* call);
/*! \brief The strides of a buffer; those of a compact buffer if it has none. */
ffi::Array<ir::PrimExpr> StridesOf(const tir::Buffer& buffer);
/*! \brief The buffer of a value, which may be its address; none of another value. */
std::optional<tir::Buffer> BufferOf(const BuilderState& state, const ffi::Any& value);
/*! \brief The annotation `tir.Buffer[(16,), "float32"]` as the call `tir.Buffer((16,), "float32")`.
 */
const SyntaxNode* AnnotationCall(Builder* builder, const SyntaxNode* annotation);
/*! \brief `n = tir.int32()`, or `p = tir.handle("float32")`, declares a variable; none of another
 * call. */
std::optional<tir::Var> BuildSymbolicVar(Builder* builder, const SyntaxNode* name,
                                         const SyntaxNode* call, std::string_view path);
/*! \brief `for name in call: suite`, or `for i, j in tir.grid(n, m): suite`. */
tir::Stmt BuildFor(Builder* builder, const SyntaxNode* node);
/*! \brief The buffer of the arguments after the first; without a shape, it has a region's shape. */
tir::Buffer BuildBuffer(Builder* builder, const CallArguments& arguments, std::string_view name,
                        const ffi::Optional<tir::BufferRegion>& region = std::nullopt);
/*! \brief The names of the options of a buffer, after those of a form. */
std::vector<std::string_view> BufferArguments(std::vector<std::string_view> first);
/*! \brief An argument of a call of an operator; a buffer is passed as its address. */
ir::PrimExpr BuildArgument(Builder* builder, const SyntaxNode* node);
/*! \brief `A.access_ptr("rw", offset=0)`. */
ir::PrimExpr BuildBufferAddress(Builder* builder, const SyntaxNode* call,
                                const tir::Buffer& buffer);
/*! \brief Evaluate a call; the value of a type, an operator, a function. */
ffi::Any BuildCall(Builder* builder, const SyntaxNode* call, const tschema::TypeExpr* expected);
/*! \brief A call of an operator whose operands are tensors. */
ffi::Any BuildOperatorCall(Builder* builder, const SyntaxNode* call, const ir::Op& op,
                           const ir::OperatorRow& row);
/*! \brief An operator of tensors that is written as a symbol, as `x + y`. */
ffi::Any BuildOperatorSymbol(Builder* builder, const SyntaxNode* node);
/*! \brief `x[0:2, 1]` of a tensor, as in NumPy. */
ir::RelayExpr BuildTensorSlice(Builder* builder, const ir::RelayExpr& tensor,
                               const SyntaxNode* node);
/*! \brief A value of relay; a plain number is an error. */
ir::RelayExpr ReadRelay(Builder* builder, const SyntaxNode* node);
/*! \brief A value of relay, or a plain number, which takes the data type of the other operand. */
ffi::Any ReadRelayOrNumber(Builder* builder, const SyntaxNode* node);
/*! \brief The values of relay in a list or a tuple. */
ffi::Array<ir::RelayExpr> ReadRelayElements(Builder* builder, const SyntaxNode* node);
/*! \brief An object of a type from the values of its arguments. */
ffi::Any ConstructObject(const TypeFields& type, const std::vector<ffi::Any>& values,
                         const std::vector<bool>& is_given);
/*! \brief An object of a type from a call that gives its fields in a form. */
ffi::Any BuildObject(Builder* builder, const SyntaxNode* call, const TypeFields& type,
                     const DeclaredForm& form);
/*! \brief The type that declares the form of a call; null for another call. */
const TypeFields* FindDeclaringType(Builder* builder, const SyntaxNode* call);
/*! \brief Refuse a declared form in a place that is not one of its own. */
[[noreturn]] void FailMisplaced(Builder* builder, const SyntaxNode* call, const TypeFields& type);
/*!
 * \brief A statement of a declared form; none of another call.
 * \param name The name that it binds, or null.
 * \param suite Its suite; null for `name = call`.
 */
std::optional<tir::Stmt> BuildDeclaredStmt(Builder* builder, DeclaredForm::Kind kind,
                                           const SyntaxNode* name, const SyntaxNode* call,
                                           const SyntaxNode* suite);
/*! \brief Whether a subscript is `metadata[key]` or `metadata[key][index]`. */
inline bool IsMetadata(const SyntaxNode* node) {
  for (int i = 0; i < 2 && node->kind == Syntax::kSubscript; ++i) node = (*node)[0];
  return node->kind == Syntax::kName && node->text == "metadata";
}
/*! \brief `metadata["key"][i]`. */
ffi::Any BuildMetadata(Builder* builder, const SyntaxNode* node);
/*! \brief The name that a function has in its module. */
ffi::String FunctionName(Builder* builder, const SyntaxNode* node);
/*! \brief Whether a decorator has `private=True`. */
bool IsPrivate(Builder* builder, const SyntaxNode* decorator);
/*! \brief Read the first statements of a function if they declare variables of shapes. */
size_t DeclareShapes(Builder* builder, const SyntaxNode* suite);
/*! \brief A function from its definition. */
ir::BaseFunc BuildFunction(Builder* builder, const SyntaxNode* node);
/*! \brief Keep a function below `@tir.macro` or `@tir.inline`; false for another one. */
bool ReadMacro(Builder* builder, const SyntaxNode* node);
/*! \brief The statements of a macro with the values of its parameters; none of another call. */
std::optional<tir::Stmt> ExpandMacro(Builder* builder, const SyntaxNode* call);
/*! \brief The module of the functions of a text. */
ffi::Any BuildFunctions(Builder* builder, const SyntaxNode* text);
/*! \brief A module from its class. */
ffi::Any BuildModule(Builder* builder, const SyntaxNode* node);
/*! \brief The data type that a text names, if it does. */
std::optional<DLDataType> ParseDType(std::string_view text);
/*! \brief A constant: a number takes a data type that holds it. */
ir::PrimExpr MakeInt(int64_t value, DLDataType like);
ir::PrimExpr MakeFloat(double value, DLDataType like);

}  // namespace uir::script

#endif  // UIR_SCRIPT_BUILD_BUILDER_STATE_H_
