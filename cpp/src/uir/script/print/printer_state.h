/*!
 * \file printer_state.h
 * \brief What a printer remembers: names, declarations, places of nodes; and what it tells the
 * next round.
 *
 * A text is written in rounds.  The first takes it that everything is bound once and used where it
 * is bound.  What turns out otherwise goes into the plan, and the next round declares it in front.
 */
#ifndef UIR_SCRIPT_PRINT_PRINTER_STATE_H_
#define UIR_SCRIPT_PRINT_PRINTER_STATE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>
#include <uir/script/forms.h>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "./names.h"

namespace uir::script {

/*! \brief What one round leaves to the next. */
struct Plan {
  /*! \brief What is declared in front of the text. */
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

/*! \brief A type as the printer knows it. */
struct KnownType {
  const PrintFunction* print = nullptr;
  PrintStmtFunction print_stmt = nullptr;
  /*! \brief Whether objects of the type are themselves, not their contents. */
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
    /*! \brief Declared in front. */
    kDeclared,
    /*! \brief A handle that no text names. */
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
  /*! \brief What is bound in the scopes that are open, outermost first. */
  std::vector<const ffi::Object*> scope;
  /*! \brief Declarations in front of the text, without indentation. */
  std::string declarations;
  /*! \brief Where shapes may bind variables: their declarations; null elsewhere. */
  std::string* shape_declarations = nullptr;
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
  /*! \brief How many declarations are being written: what they hold is not noted. */
  int depth_of_declarations = 0;
  /*! \brief What the text is about. */
  const ffi::Object* root = nullptr;

  const KnownType& TypeOf(const ffi::Object* object);
};

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_PRINTER_STATE_H_
