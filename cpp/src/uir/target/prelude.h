/*!
 * \file prelude.h
 * \brief The beginning of an emitted text: headers, types of vectors, and the helper functions that
 * the rest of it calls.
 */
#ifndef UIR_TARGET_PRELUDE_H_
#define UIR_TARGET_PRELUDE_H_

#include <uir/ir/dtype.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace uir::target {

namespace ffi = ::tvm::ffi;

/*!
 * \brief A helper function, or a family of such.
 *
 * In the text of a family `$S` stands for the name of the data type, which is the type of a vector,
 * `$T` and `$U` for the type of a scalar and the unsigned one, `$B` for its bits, and `$F` for the
 * end of the names of its functions in `<math.h>`, and `$D` for its letter in instructions. Of an
 * integer, `$N` is the letter and `$G` the type that GCC's functions for instructions have. Of
 * vectors, `$E` is the type of a lane, `$L` the number of lanes and `$P` that with those that are
 * added, `$M` the type of masks of as many bits, `$K` that of masks of bytes, `$I` that of indices,
 * `$W` that of as many float32, and `$V` that of their bits. The part of the key behind a point
 * tells families of one name apart.
 */
struct Helper {
  const char* key;
  /*! \brief Headers and plain helpers that the text uses, with spaces between. */
  const char* needs;
  /*! \brief `SHARED` in it is `static`, unless the text has several translation units. */
  const char* text;
  /*! \brief Whether only the first unit has it. */
  bool is_in_first_unit = false;
};

/*! \brief A table of helpers. */
struct HelperTable {
  const Helper* begin;
  size_t size;
};

/*! \brief Arithmetic on scalars. */
HelperTable ScalarHelpers();
/*! \brief Vectors in memory and in arithmetic. */
HelperTable VectorHelpers();
/*! \brief Errors, memory, and what entries do with their arguments. */
HelperTable EntryHelpers();
/*! \brief Tensors that entries make and return. */
HelperTable OutputHelpers();
/*! \brief Objects of tvm-ffi, and what it knows of their types. */
HelperTable ObjectHelpers();
/*! \brief Calls of global functions. */
HelperTable PackedHelpers();
/*! \brief The threads of the process, and loops on them. */
HelperTable PoolHelpers();
/*! \brief The time of kernels. */
HelperTable ProfileHelpers();
/*! \brief The instruction set of the processor, and its registers in calls. */
HelperTable IsaHelpers();

/*! \brief Whether a helper has a name. */
bool IsHelperName(std::string_view name);

/*!
 * \brief Collects what a text uses.
 *
 * Where a text has versions of its functions for several instruction sets, each version has
 * arithmetic of its own, which the compiler makes of the instructions of that version.
 */
class Prelude {
 public:
  Prelude() = default;
  /*!
   * \brief The arithmetic of a version.
   * \param shared All else.
   * \param suffix The end of the names of its functions.
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
  /*! \brief The name of a function of mathematics. */
  std::string MathName(const std::string& name, DLDataType dtype) const;
  bool HasMath(const std::string& name) const { return math_names_.count(name) != 0; }
  /*! \brief Add the text of one, behind those that it calls. */
  void AddMath(const std::string& name, const std::string& text) {
    math_names_.insert(name);
    math_text_ += "\n" + text;
  }
  /*! \brief The type of a scalar or vector; `void` for what C lacks. */
  std::string TypeOf(DLDataType dtype);

  /*! \brief The headers and types. */
  std::string HeadText() const;
  /*! \brief The functions, in an order of its own. */
  std::string FunctionsText(bool has_units = false) const;

 private:
  /*! \brief The place of a helper in all tables. */
  using Place = std::pair<size_t, size_t>;

  void Need(std::string_view names);
  std::string Add(const char* key, const DLDataType* dtype);
  std::string Filled(std::string text, DLDataType dtype);
  std::string WithSuffix(const std::string& text) const;

  Prelude* shared_ = nullptr;
  std::string suffix_;
  std::set<std::string> headers_;
  /*! \brief Types of vectors, by their name. */
  std::map<std::string, std::string> vectors_;
  std::map<Place, std::map<std::string, std::string>> helpers_;
  std::map<std::string, std::string> lanewise_;
  std::set<std::string> math_names_;
  std::string math_text_;
};

}  // namespace uir::target

#endif  // UIR_TARGET_PRELUDE_H_
