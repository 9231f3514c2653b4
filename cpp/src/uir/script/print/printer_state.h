/*!
 * \file printer_state.h
 * \brief The state of a printer: names, declarations, places of nodes, and the plan of the next
 * round.
 *
 * A text is written in rounds.  The first round assumes that everything is bound once and used in
 * the scope of its binding.  It adds all exceptions to the plan, and the next round declares these
 * before the text.
 */
#ifndef UIR_SCRIPT_PRINT_PRINTER_STATE_H_
#define UIR_SCRIPT_PRINT_PRINTER_STATE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>
#include <uir/script/forms.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "./names.h"

namespace uir::script {

/*! \brief The results of one round that the next round uses. */
struct Plan {
  /*! \brief Shared nodes that are declared before the text; the references keep their addresses. */
  std::unordered_map<const ffi::Object*, ffi::ObjectRef> shared;
  /*! \brief Whether the shared nodes are known, so that the length is not limited. */
  bool is_measured = false;
  /*! \brief The objects that are declared before the text. */
  std::unordered_set<const ffi::Object*> declared;
  /*! \brief Handles that have a name of their own, because something uses them. */
  std::unordered_set<const ffi::Object*> named_handles;
  /*! \brief Whether this round found something that makes another one necessary. */
  bool is_stale = false;
};

/*! \brief Bytes of the text that a node takes. */
struct Extent {
  size_t begin;
  size_t end;
};

/*! \brief A node in a measuring round. */
struct MeasuredPart {
  /*! \brief Keeps the address from being reused. */
  ffi::ObjectRef object;
  /*! \brief Length of its text without sharing, in bytes. */
  double size = 0;
  /*! \brief Whether it is being printed. */
  bool is_open = true;
  bool is_repeated = false;
};

/*! \brief The result of a measuring round, which prints each node once. */
struct Measure {
  std::unordered_map<const ffi::Object*, MeasuredPart> parts;
  /*! \brief Length of the repetitions that were skipped, in bytes. */
  double left_out = 0;
  /*! \brief `left_out` at the start of each node that is being printed. */
  std::vector<double> begins;
};

/*! \brief A type as the printer knows it. */
struct TypeFields;

struct KnownType {
  const PrintFunction* print = nullptr;
  PrintStmtFunction print_stmt = nullptr;
  /*! \brief The type, if it declares a form of statements. */
  const TypeFields* declared_stmt = nullptr;
  /*! \brief Whether objects of the type are compared by identity, not by contents. */
  bool has_identity = false;
  bool is_dag = false;
  bool is_expr = false;
  bool is_stmt = false;
};

struct PrinterState {
  enum class Binding : uint8_t {
    /*! \brief In scope. */
    kOpen,
    /*! \brief The scope has ended. */
    kClosed,
    /*! \brief Declared before the text. */
    kDeclared,
    /*! \brief A handle that is not named in the text. */
    kHidden,
  };
  struct Entry {
    std::string text;
    Binding binding;
    /*! \brief Whether `text` is a name of the table. */
    bool is_name;
    /*! \brief How many declarations were being written where it was bound. */
    int depth;
  };

  Plan* plan = nullptr;
  NameTable names;
  std::unordered_map<const ffi::Object*, Entry> entries;
  /*! \brief The objects that are bound in the open scopes, outermost first. */
  std::vector<const ffi::Object*> scope;
  /*! \brief Declarations before the text, without indentation. */
  std::string declarations;
  /*! \brief Only the declarations of shared nodes, which expressions print too. */
  std::string shared_declarations;
  /*! \brief The declarations of variables of shapes, where shapes may bind them; null elsewhere. */
  std::string* shape_declarations = nullptr;
  /*! \brief Names of ended scopes, to be released after the signature. */
  std::vector<std::string> closed_names;
  /*! \brief Whether the text is that of a function of relay, which has infix operators. */
  bool is_relay = false;
  /*! \brief The body of the function, where a block without axes is the root. */
  const ffi::Object* body = nullptr;
  /*! \brief `Module` and the names of its functions. */
  std::unordered_map<const ffi::Object*, std::string> functions;
  /*! \brief Objects that are shared if they are met again. */
  std::unordered_set<const ffi::Object*> dags;
  /*! \brief Objects without any other form, by type key. */
  std::map<std::string, std::vector<ffi::Any>> metadata;
  std::unordered_map<const ffi::Object*, size_t> metadata_places;
  std::vector<KnownType*> types;
  std::vector<std::unique_ptr<KnownType>> owned_types;
  /*! \brief Nodes to note the extents of, and those. */
  const std::unordered_set<const ffi::Object*>* targets = nullptr;
  std::unordered_map<const ffi::Object*, Extent> extents;
  /*! \brief Extents of nodes in declarations, relative to `declarations`. */
  std::unordered_map<const ffi::Object*, Extent> declared_extents;
  /*! \brief How many declarations are being written. */
  int depth_of_declarations = 0;
  /*! \brief The printed object. */
  const ffi::Object* root = nullptr;
  /*! \brief The value that is printed. */
  ffi::AnyView value;
  /*! \brief The length at which `EnterPart` decides whether to continue, in bytes. */
  size_t limit = SIZE_MAX;
  /*! \brief Whether `limit` depends on the number of objects. */
  bool is_counted = false;
  /*! \brief Whether the text exceeded the limit, so that it must be printed again. */
  bool is_cut_off = false;
  /*! \brief Null outside of measuring rounds. */
  Measure* measure = nullptr;

  const KnownType& TypeOf(const ffi::Object* object);
};

/*! \brief Whether an object is an Array, List, Map, Dict or Shape. */
inline bool IsContainer(const ffi::Object* object) {
  const int32_t index = object->type_index();
  return index == kTVMFFIArray || index == kTVMFFIList || index == kTVMFFIMap ||
         index == kTVMFFIDict || index == kTVMFFIShape;
}

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_PRINTER_STATE_H_
