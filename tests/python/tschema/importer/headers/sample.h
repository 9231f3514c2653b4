/*!
 * \file sample.h
 * \brief Classes in many idioms, which a compiler and the reader lay out alike.
 */
#ifndef ACME_SAMPLE_H_
#define ACME_SAMPLE_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/reflection/registry.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#define ACME_DLL __attribute__((visibility("default")))

namespace acme {
namespace ffi = tvm::ffi;
using ffi::Array;
using namespace tvm::ffi;

using Index = int64_t;
typedef uint16_t Port;
typedef void* Handle;
typedef int (*Callback)(void*, int);
using Table = std::unordered_map<std::string, Index>;

enum class Color : int { kRed = 0, kGreen = 1 };
enum class Level : uint8_t { kLow };
enum Loose { kLoose };

struct Point {
  float x;
  double y;
  bool seen;
};

struct StatefulHash {
  int64_t seed;
  size_t operator()(int64_t value) const { return static_cast<size_t>(value + seed); }
};
struct PlainHash {
  size_t operator()(int64_t value) const { return static_cast<size_t>(value); }
};

class ACME_DLL ExprNode : public Object {
 public:
  bool is_pure;  // leaves seven bytes
  static constexpr uint32_t _type_child_slots = 16;
  static constexpr bool _type_mutable = true;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("acme.Expr", ExprNode, ffi::Object);
};

class Expr : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Expr, ObjectRef, ExprNode);
};

template <typename T>
class Helper : public ExprNode {
 public:
  T* self() { return static_cast<T*>(this); }
};

class NumberNode : public Helper<NumberNode> {
 public:
  int8_t tiny;  // stands in the padding of ExprNode
  uint8_t small = 1;
  int16_t narrow{2};
  Port port;
  uint32_t wide, wider;
  Index index;
  size_t count;
  long whole;
  unsigned char byte;
  float single;
  double real;
  DLDataType dtype;
  DLDevice device;
  Color color;
  Level level;
  Loose loose;
  char letter;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.Number", NumberNode, ExprNode);
};

class HolderNode : public ExprNode {
 public:
  Expr expr;
  Array<Expr> list;
  ffi::Map<ffi::String, Any> map;
  Optional<Expr> maybe;
  Optional<int64_t> maybe_number;
  Optional<String> maybe_text;
  Variant<Expr, String> either;
  ffi::Tuple<int, Expr> pair;
  String text;
  Bytes bytes;
  Any anything;
  Function function;
  ffi::Tensor tensor;
  Shape shape;
  ffi::Module module;
  ObjectRef object;
  TypedFunction<int(int, Expr)> typed;
  ObjectPtr<ExprNode> pointer;
  Optional<TypedFunction<void()>> maybe_typed;
  Optional<ObjectPtr<ExprNode>> maybe_pointer;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.Holder", HolderNode, ExprNode);
};

class LibraryNode : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("acme.Library", LibraryNode, Object);

 protected:
  std::vector<int> vector_;
  std::vector<bool> bits_;
  std::string string_;
  std::string_view view_;
  std::unordered_map<int, std::string> hash_map_;
  std::unordered_map<int64_t, int, PlainHash> hashed_;
  std::unordered_set<int> hash_set_;
  std::map<int, int> map_;
  std::multiset<int> set_;
  std::function<void(int, int)> function_;
  std::shared_ptr<int> shared_;
  std::weak_ptr<int> weak_;
  std::unique_ptr<int> unique_;
  mutable std::mutex mutex_;
  std::recursive_mutex recursive_;
  std::shared_mutex shared_mutex_;
  std::condition_variable condition_;
  std::thread thread_;
  std::once_flag once_;
  std::deque<int> deque_;
  std::list<int> list_;
  std::queue<int> queue_;
  std::priority_queue<int> priority_;
  std::optional<double> optional_;
  std::optional<bool> flag_;
  std::optional<Expr> optional_expr_;
  std::atomic<bool> atomic_flag_;
  std::atomic<int64_t> atomic_;
  std::pair<bool, double> pair_;
  std::array<int16_t, 5> array_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::nanoseconds duration_;
  std::mt19937 generator_;
  std::ostringstream stream_;
  std::promise<int> promise_;

 private:
  Table table_;
  Point point_;
  std::vector<Point>* points_ = nullptr;
  Handle handle_;
  Callback callback_;
  const char* name_ = "}";
  void (*deleter_)(void*) = nullptr;
  Object& reference_;
  bool last_ = false;
};

class PassNode : public Object {
 public:
  virtual ~PassNode() = default;
  virtual void Run() = 0;
  int32_t level;
  static constexpr uint32_t _type_child_slots = 4;
  TVM_FFI_DECLARE_OBJECT_INFO("acme.Pass", PassNode, Object);
};

class FoldNode : public PassNode {
 public:
  void Run() override {}
  bool is_deep;  // stands in the padding of PassNode
  int64_t limit;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.Fold", FoldNode, PassNode);
};

class AlignedNode : public ExprNode {
 public:
  alignas(8) bool flag;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.Aligned", AlignedNode, ExprNode);
};

class EmptyNode : public ExprNode {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("acme.Empty", EmptyNode, ExprNode);
};

class BelowEmptyNode : public EmptyNode {
 public:
  bool flag;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.BelowEmpty", BelowEmptyNode, EmptyNode);
};

template <typename T>
class BinaryNode : public ExprNode {
 public:
  Expr a, b;
  TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(T, ExprNode);
};

class AddNode : public BinaryNode<AddNode> {
 public:
  static constexpr const char* _type_key = "acme.Add";
  bool wraps;
};

/*! \brief A class whose size only a compiler knows. */
class UnknownNode : public Object {
 public:
  std::unordered_map<int64_t, int, StatefulHash> map;
  int64_t after;
  TVM_FFI_DECLARE_OBJECT_INFO("acme.Unknown", UnknownNode, Object);
};

}  // namespace acme
#endif  // ACME_SAMPLE_H_
