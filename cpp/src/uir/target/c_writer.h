/*!
 * \file c_writer.h
 * \brief Lines of C with their indentation.
 */
#ifndef UIR_TARGET_C_WRITER_H_
#define UIR_TARGET_C_WRITER_H_

#include <cstddef>
#include <string>
#include <vector>

namespace uir::target {

/*! \brief Collects the lines of a function, and breaks long ones. */
class CWriter {
 public:
  explicit CWriter(int depth = 0) : depth_(depth) {}

  /*! \brief Add a line. */
  void Line(const std::string& text) { Insert(lines_.size(), text); }
  /*! \brief Add a line that opens a block. */
  void Open(const std::string& text) {
    Line(text);
    ++depth_;
  }
  /*! \brief Add the line that ends a block, and perhaps opens another one. */
  void Close(const std::string& text = "}") {
    --depth_;
    Line(text);
  }
  /*! \brief End a block, and open the next one. */
  void Reopen(const std::string& text) {
    Close(text);
    ++depth_;
  }
  /*! \brief Add a branch that leaves the function, in one line if that is short. */
  void Leave(const std::string& condition, const std::string& value);
  /*! \brief Add a line before another one. */
  void Insert(size_t place, const std::string& text);
  /*! \brief Add the lines of another writer, which has their indentation. */
  void Append(const CWriter& other) {
    lines_.insert(lines_.end(), other.lines_.begin(), other.lines_.end());
  }

  size_t num_lines() const { return lines_.size(); }
  int depth() const { return depth_; }
  bool empty() const { return lines_.empty(); }
  /*! \brief The lines, each with its end. */
  std::string Text() const;

 private:
  std::vector<std::string> lines_;
  int depth_;
};

}  // namespace uir::target

#endif  // UIR_TARGET_C_WRITER_H_
