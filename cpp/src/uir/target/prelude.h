/*!
 * \file prelude.h
 * \brief The beginning of an emitted text: headers, types of vectors, and the helper functions that
 * the rest of it calls.
 */
#ifndef UIR_TARGET_PRELUDE_H_
#define UIR_TARGET_PRELUDE_H_

#include <uir/ir/dtype.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace uir::target {

namespace ffi = ::tvm::ffi;

/*!
 * \brief A helper function, or a family of helper functions. Their texts are in runtime/, and
 * scripts/embed_runtime.py makes this table of them.
 *
 * In the text of a family, `$S` is the name of the data type, which is the type of a vector; `$T`
 * and `$U` are the type of a scalar and the unsigned one, and `$B` its bits; `$F` is the suffix of
 * its functions in `<math.h>`, and `$D` its letter in instructions. For integers, `$N` is the
 * letter and `$G` the type in GCC's functions for instructions. For vectors, `$E` is the type of a
 * lane, `$L` the number of lanes and `$P` the padded number; `$M` is the type of masks with lanes
 * of the same size, `$K` that of masks of bytes, `$I` that of indices, `$W` that of as many
 * float32, and `$V` that of their bits. The part of a key after a point distinguishes families of
 * one name.
 */
struct Helper {
  const char* key;
  /*! \brief Headers and plain helpers that the text uses, with spaces between. */
  const char* needs;
  /*! \brief `SHARED` in it is `static`, unless the text has several translation units. */
  const char* text;
  /*! \brief Whether only the first unit has it. */
  bool is_in_first_unit;
  /*! \brief Whether each version of the functions has one of its own. */
  bool has_versions;
};

/*! \brief Whether a helper has a name. */
bool IsHelperName(std::string_view name);

/*!
 * \brief Collects the headers, types and helpers that a text uses.
 *
 * If a text has versions of its functions for several instruction sets, each version has its own
 * arithmetic helpers, which are compiled for the instructions of that version.
 */
class Prelude {
 public:
  Prelude() = default;
  /*!
   * \brief The arithmetic of a version.
   * \param shared The shared prelude, for everything else.
   * \param suffix The suffix of the names of its functions.
   */
  Prelude(Prelude* shared, std::string suffix) : shared_(shared), suffix_(std::move(suffix)) {}

  /*! \brief Use a helper function; returns its name. */
  std::string Use(const char* key);
  /*! \brief Use a function of a family, for a data type; returns its name. */
  std::string Use(const char* key, DLDataType dtype);
  /*! \brief Use a header: `<math.h>`. */
  void Include(const std::string& header) {
    (shared_ == nullptr ? this : shared_)->headers_.insert(header);
  }
  /*! \brief Use a function of scalars on each lane of vectors; returns its name. */
  std::string UseLanewise(const std::string& name, const std::string& function, int num_args,
                          DLDataType from, DLDataType to);
  /*! \brief The name of a mathematical function. */
  std::string MathName(const std::string& name, DLDataType dtype) const;
  bool HasMath(const std::string& name) const { return math_names_.count(name) != 0; }
  /*! \brief Add the text of a mathematical function, after those that it calls. */
  void AddMath(const std::string& name, const std::string& text) {
    math_names_.insert(name);
    math_text_ += "\n" + text;
  }
  /*! \brief The type of a scalar or vector; `void` if C has none. */
  std::string TypeOf(DLDataType dtype);

  /*! \brief The headers and types. */
  std::string HeadText() const;
  /*! \brief The functions, in the order of the table. */
  std::string FunctionsText(bool has_units = false) const;

 private:
  void Need(std::string_view names);
  std::string Add(const char* key, const DLDataType* dtype);
  std::string Filled(std::string text, DLDataType dtype);
  std::string WithSuffix(const std::string& text) const;

  Prelude* shared_ = nullptr;
  std::string suffix_;
  std::set<std::string> headers_;
  /*! \brief Types of vectors, by their name. */
  std::map<std::string, std::string> vectors_;
  /*! \brief Texts by data type, in the order of the table of helpers. */
  std::map<const Helper*, std::map<std::string, std::string>> helpers_;
  std::map<std::string, std::string> lanewise_;
  std::set<std::string> math_names_;
  std::string math_text_;
};

}  // namespace uir::target

#endif  // UIR_TARGET_PRELUDE_H_
