/*!
 * \file process.cc
 * \brief Starts a process by `posix_spawn`, reads its output and waits for its end.
 */
#include "./process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>

#include "./bounded_text.h"

extern char** environ;

namespace uir::driver {

namespace {

namespace ffi = ::tvm::ffi;
using Clock = std::chrono::steady_clock;

/*! \brief How often signals of Python and the end of the process are looked for. */
constexpr std::chrono::milliseconds kLookEvery{50};

/*! \brief As many reads as empty a pipe of a mebibyte. */
constexpr int kReadsOfFullPipe = 64;

/*! \brief A file descriptor that is closed with its owner, and not inherited. */
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Close(); }

  int get() const { return fd_; }

  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

/*! \brief What `posix_spawn` does in the child before the program starts. */
class SpawnSettings {
 public:
  SpawnSettings(const std::string& folder, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
#endif
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/*! \brief The environment of this process, with the temporary files of the child in its folder. */
std::vector<std::string> Environment(const std::string& folder) {
  std::vector<std::string> variables = {"TMPDIR=" + folder};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::string_view(*variable).rfind("TMPDIR=", 0) != 0) variables.push_back(*variable);
  }
  return variables;
}

/*! \brief The array of C strings that the system takes. */
std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/*! \brief Kills a process and its descendants, if they still run, when it is destroyed. */
class RunningProcess {
 public:
  explicit RunningProcess(pid_t pid) : pid_(pid) {}
  RunningProcess(const RunningProcess&) = delete;
  RunningProcess& operator=(const RunningProcess&) = delete;
  ~RunningProcess() { Kill(); }

  /*! \brief Check whether it has ended, and keep its status if so. */
  bool HasEnded() {
    if (!status_) {
      int status = 0;
      const pid_t found = waitpid(pid_, &status, WNOHANG);
      if (found == pid_) status_ = status;
      // This process ignores its children, or another part of it has taken the status.
      if (found < 0 && errno == ECHILD) status_ = 0;
    }
    return status_.has_value();
  }

  int status() const { return *status_; }

  void Kill() {
    if (status_) return;
    kill(-pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    status_ = status;
  }

 private:
  pid_t pid_;
  std::optional<int> status_;
};

/*! \brief The result of a read of the output. */
enum class Read { kSome, kNothingYet, kEnd };

Read ReadOutput(int fd, BoundedText* output) {
  std::array<char, 16384> buffer;
  const ssize_t count = read(fd, buffer.data(), buffer.size());
  if (count > 0) {
    output->Append({buffer.data(), static_cast<size_t>(count)});
    return Read::kSome;
  }
  const bool again = count < 0 && (errno == EINTR || errno == EAGAIN);
  return again ? Read::kNothingYet : Read::kEnd;
}

/*! \brief A word in single quotes, as a shell reads it. */
std::string QuotedWord(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

Outcome OutcomeOf(int status, std::string output) {
  if (WIFSIGNALED(status)) return {Ending::kCrashed, WTERMSIG(status), std::move(output)};
  return {Ending::kExited, WEXITSTATUS(status), std::move(output)};
}

/*! \brief A program that was started, or could not be. */
class Program {
 public:
  explicit Program(const Command& command) : deadline_(Clock::now() + command.time_limit) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      outcome_ = {Ending::kNotStarted, errno, ""};
      return;
    }
    reader_.emplace(ends[0]);
    Descriptor writer(ends[1]);
    fcntl(reader_->get(), F_SETFL, O_NONBLOCK);
    Start(command, writer.get());
  }

  /*! \brief The outcome; none while it runs. */
  const std::optional<Outcome>& outcome() const { return outcome_; }
  Clock::time_point deadline() const { return deadline_; }
  /*! \brief The descriptor of its output; -1 once that is closed, so that it is about to end. */
  int fd() const { return is_open_ ? reader_->get() : -1; }

  /*! \brief Read its output, and check whether it has ended; its descendants may still run. */
  void Look() {
    if (is_open_) is_open_ = ReadOutput(reader_->get(), &output_) != Read::kEnd;
    if (process_->HasEnded()) {
      // Its last output is in the pipe. Do not wait for descendants that still print.
      for (int i = 0; i < kReadsOfFullPipe; ++i) {
        if (ReadOutput(reader_->get(), &output_) != Read::kSome) break;
      }
      outcome_ = OutcomeOf(process_->status(), output_.Text());
    } else if (Clock::now() >= deadline_) {
      process_->Kill();
      outcome_ = {Ending::kTimedOut, 0, output_.Text()};
    }
  }

 private:
  void Start(const Command& command, int output) {
    std::vector<std::string> words = command.words;
    std::vector<std::string> environment = Environment(command.folder);
    const SpawnSettings settings(command.folder, output);
    pid_t pid = 0;
    const int error =
        posix_spawn(&pid, words.front().c_str(), settings.actions(), settings.attributes(),
                    Pointers(words).data(), Pointers(environment).data());
    if (error != 0) {
      outcome_ = {Ending::kNotStarted, error, ""};
    } else {
      process_.emplace(pid);
    }
  }

  Clock::time_point deadline_;
  std::optional<Descriptor> reader_;
  std::optional<RunningProcess> process_;
  BoundedText output_;
  bool is_open_ = true;
  std::optional<Outcome> outcome_;
};

/*! \brief Wait for output, at most until the next check for the end. */
void Wait(const std::deque<Program>& programs) {
  std::vector<pollfd> waiting;
  auto time = kLookEvery;
  for (const Program& program : programs) {
    if (program.outcome()) continue;
    const auto left = program.deadline() - Clock::now();
    time = std::min(time, std::chrono::ceil<std::chrono::milliseconds>(left));
    if (program.fd() < 0) time = std::min(time, std::chrono::milliseconds(1));
    if (program.fd() >= 0) waiting.push_back({program.fd(), POLLIN, 0});
  }
  time = std::max(time, std::chrono::milliseconds(0));
  poll(waiting.data(), waiting.size(), static_cast<int>(time.count()));
}

/*! \brief The cores that this process may use. */
size_t NumCores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;
  return static_cast<size_t>(CPU_COUNT(&cores));
}

}  // namespace

std::vector<Outcome> RunAll(const std::vector<Command>& commands) {
  static const size_t num_at_once = NumCores();
  std::deque<Program> programs;
  bool has_failed = false;
  for (size_t num_running = 0;;) {
    while (!has_failed && programs.size() < commands.size() && num_running < num_at_once) {
      const Command& next = commands[programs.size()];
      if (next.before) next.before();
      programs.emplace_back(next);
      const bool is_running = !programs.back().outcome();
      num_running += is_running ? 1 : 0;
      has_failed = !is_running;
    }
    if (num_running == 0) break;
    if (TVMFFIEnvCheckSignals() != 0) throw ffi::EnvErrorAlreadySet();
    Wait(programs);
    for (Program& program : programs) {
      if (program.outcome()) continue;
      program.Look();
      if (!program.outcome()) continue;
      --num_running;
      has_failed = has_failed || !program.outcome()->Succeeded();
    }
  }
  std::vector<Outcome> outcomes;
  for (const Program& program : programs) outcomes.push_back(*program.outcome());
  return outcomes;
}

Outcome Run(const Command& command) { return RunAll({command}).front(); }

std::string ShellText(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || std::string_view("-_=+./,:@%").find(c) != std::string::npos;
    });
    text += plain ? word : QuotedWord(word);
  }
  return text;
}

}  // namespace uir::driver
