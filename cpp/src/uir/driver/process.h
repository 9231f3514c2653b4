/*!
 * \file process.h
 * \brief Runs a program without a shell, with a time limit, and captures its output.
 *
 * It knows nothing of compilers.
 */
#ifndef UIR_SRC_DRIVER_PROCESS_H_
#define UIR_SRC_DRIVER_PROCESS_H_

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace uir::driver {

/*! \brief A program to run. */
struct Command {
  /*! \brief The path of the program, absolute, and its arguments. */
  std::vector<std::string> words;
  /*! \brief Its working folder, which also takes its temporary files. */
  std::string folder;
  std::chrono::milliseconds time_limit;
  /*! \brief Called before it starts, such as to wait for a file; may be empty. */
  std::function<void()> before = {};
};

/*! \brief How a program ended. */
enum class Ending { kExited, kCrashed, kTimedOut, kNotStarted };

/*! \brief The result of a program that ended. */
struct Outcome {
  Ending ending;
  /*! \brief The exit status, the signal or `errno`, by `ending`. */
  int code = 0;
  /*! \brief Standard output and standard error, interleaved; for a long text, only both ends. */
  std::string output;

  bool Succeeded() const { return ending == Ending::kExited && code == 0; }
};

/*!
 * \brief Run a program to its end.
 *
 * It reads no input, and inherits no open files and no blocked or ignored signals. It has its own
 * process group, which is killed if it exceeds the limit or this process is interrupted.
 *
 * \throws KeyboardInterrupt, or any other error that a signal handler of Python raises meanwhile.
 */
Outcome Run(const Command& command);

/*!
 * \brief Run programs, at most one at a time for each core that this process may use.
 *
 * After a failure, no further programs are started, and these have no outcome. An error that
 * `before` throws ends the running programs.
 *
 * \return The outcomes of the programs that ran, in order.
 * \throws KeyboardInterrupt, or any other error that a signal handler of Python raises meanwhile.
 */
std::vector<Outcome> RunAll(const std::vector<Command>& commands);

/*! \brief A command in the syntax of a shell. */
std::string ShellText(const std::vector<std::string>& words);

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_PROCESS_H_
