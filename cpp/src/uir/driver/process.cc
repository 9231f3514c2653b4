/*!
 * \file process.cc
 * \brief Starts a process by `posix_spawn`, reads its output and waits for its end.
 */
#include "./process.h"

#include <fcntl.h>
#include <poll.h>
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
#include <optional>
#include <string_view>
#include <thread>

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

/*! \brief Kills what is left of a process and its descendants when its owner goes away. */
class RunningProcess {
 public:
  explicit RunningProcess(pid_t pid) : pid_(pid) {}
  RunningProcess(const RunningProcess&) = delete;
  RunningProcess& operator=(const RunningProcess&) = delete;
  ~RunningProcess() { Kill(); }

  /*! \brief Look whether it has ended, which is known from then on. */
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

/*! \brief What a read of the output has found. */
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

/*! \brief Wait for output, but not longer than it takes to look for the end again. */
void Wait(int fd, bool open, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  const auto time = std::clamp(left, std::chrono::milliseconds(0), kLookEvery);
  if (!open) {
    // The output is closed, so that the process is about to end.
    std::this_thread::sleep_for(std::min(time, std::chrono::milliseconds(1)));
    return;
  }
  pollfd waiting = {fd, POLLIN, 0};
  poll(&waiting, 1, static_cast<int>(time.count()));
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

/*! \brief Collect the output of a process until it ends; its descendants may outlive it. */
Outcome Collect(RunningProcess* process, int fd, Clock::time_point deadline) {
  BoundedText output;
  bool open = true;
  while (!process->HasEnded()) {
    if (Clock::now() >= deadline) {
      process->Kill();
      return {Ending::kTimedOut, 0, output.Text()};
    }
    if (TVMFFIEnvCheckSignals() != 0) throw ffi::EnvErrorAlreadySet();
    Wait(fd, open, deadline);
    if (open) open = ReadOutput(fd, &output) != Read::kEnd;
  }
  // What it printed before it ended is in the pipe; a descendant that goes on printing is left
  // alone.
  for (int i = 0; i < kReadsOfFullPipe && ReadOutput(fd, &output) == Read::kSome; ++i) {
  }
  return OutcomeOf(process->status(), output.Text());
}

}  // namespace

Outcome Run(const Command& command) {
  const Clock::time_point deadline = Clock::now() + command.time_limit;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {Ending::kNotStarted, errno, ""};
  const Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  fcntl(reader.get(), F_SETFL, O_NONBLOCK);

  std::vector<std::string> words = command.words;
  std::vector<std::string> environment = Environment(command.folder);
  const SpawnSettings settings(command.folder, writer.get());
  pid_t pid = 0;
  const int error =
      posix_spawn(&pid, words.front().c_str(), settings.actions(), settings.attributes(),
                  Pointers(words).data(), Pointers(environment).data());
  writer.Close();
  if (error != 0) return {Ending::kNotStarted, error, ""};
  RunningProcess process(pid);
  return Collect(&process, reader.get(), deadline);
}

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
