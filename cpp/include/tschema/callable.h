/*!
 * \file tschema/callable.h
 * \brief Constructors, methods and functions as table rows, callable over the C ABI.
 *
 * A row is a name, parameters and one function pointer; the wrapper that catches exceptions
 * and fills in defaults is compiled once, in libtschema.
 */
#ifndef TSCHEMA_CALLABLE_H_
#define TSCHEMA_CALLABLE_H_

#include <tschema/convert.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace tschema {

/*! \brief A slice of a table. */
template <typename Row>
struct Rows {
  const Row* data = nullptr;
  int32_t size = 0;

  constexpr Rows() = default;
  template <int32_t kSize>
  constexpr Rows(const Row (&rows)[kSize])  // NOLINT(google-explicit-constructor)
      : data(rows), size(kSize) {}

  constexpr const Row* begin() const { return data; }
  constexpr const Row* end() const { return data + size; }
  constexpr const Row& operator[](int32_t index) const { return data[index]; }
};

/*! \brief A parameter of a callable. */
struct Parameter {
  const char* name;
  /*! \brief The expected type, as a schema spells it: `Optional[uir.ir.Span]`. */
  const char* type;
  /*! \brief Makes the default of an optional argument; null if the argument is required. */
  ffi::Any (*make_default)() = nullptr;
};

struct Callable;

/*! \brief The arguments of one call, complete and in order. */
class Arguments {
 public:
  Arguments(const Callable& callable, const TVMFFIAny* values)
      : callable_(callable), values_(values) {}

  /*!
   * \brief Convert an argument.
   * \param index Its 0-based position.
   * \throws TypeError, ValueError naming the callable and the parameter.
   */
  template <typename T>
  [[gnu::noinline]] T Get(int32_t index) const {
    return Convert<T>(ffi::AnyView::CopyFromTVMFFIAny(values_[index]), SlotOf(index));
  }

 private:
  Slot SlotOf(int32_t index) const;

  const Callable& callable_;
  const TVMFFIAny* values_;
};

/*! \brief A constructor, method or function. */
struct Callable {
  /*! \brief Global name of a function or constructor (its type key); name of a method. */
  const char* name;
  ffi::Any (*call)(const Arguments& arguments);
  Rows<Parameter> parameters;
  /*! \brief The type of the result. */
  const char* result;
  const char* doc = "";
  /*! \brief Whether a method is called without an object. */
  bool is_static = false;
};

inline Slot Arguments::SlotOf(int32_t index) const {
  const Parameter& parameter = callable_.parameters[index];
  return {callable_.name, parameter.name, parameter.type};
}

/*!
 * \brief Wrap a callable into an FFI function.
 *
 * The function fills in missing arguments from their defaults, and accepts keyword arguments in
 * tvm-ffi's protocol.
 *
 * \param callable Must live as long as the process, as the rows of a table do.
 */
ffi::Function MakeFunction(const Callable& callable);

namespace detail {

template <typename Node, typename... Args, std::size_t... kIndex>
ffi::Any New(const Arguments& arguments, std::index_sequence<kIndex...>) {
  return ffi::Any(ffi::ObjectRef(ffi::make_object<Node>(arguments.Get<Args>(kIndex)...)));
}

template <typename Result, typename... Args>
struct Invoker {
  template <typename Function, std::size_t... kIndex>
  static ffi::Any Call(Function function, const Arguments& arguments,
                       std::index_sequence<kIndex...>) {
    if constexpr (std::is_void_v<Result>) {
      function(arguments.Get<std::decay_t<Args>>(kIndex)...);
      return nullptr;
    } else {
      return ffi::Any(function(arguments.Get<std::decay_t<Args>>(kIndex)...));
    }
  }
};

template <auto kFunction, typename Result, typename... Args>
ffi::Any InvokeFunction(const Arguments& arguments, Result (*)(Args...)) {
  return Invoker<Result, Args...>::Call(kFunction, arguments, std::index_sequence_for<Args...>{});
}

template <auto kMethod, typename Result, typename Node, typename... Args>
ffi::Any InvokeFunction(const Arguments& arguments, Result (Node::*)(Args...) const) {
  auto call = [](const Node* self, Args... args) -> Result {
    return (self->*kMethod)(std::forward<Args>(args)...);
  };
  return Invoker<Result, const Node*, Args...>::Call(
      call, arguments, std::index_sequence_for<const Node*, Args...>{});
}

template <auto kMethod, typename Result, typename Node, typename... Args>
ffi::Any InvokeFunction(const Arguments& arguments, Result (Node::*)(Args...)) {
  // A method in an adopted class may write, but references give access to const objects.
  auto call = [](const Node* self, Args... args) -> Result {
    return (const_cast<Node*>(self)->*kMethod)(std::forward<Args>(args)...);
  };
  return Invoker<Result, const Node*, Args...>::Call(
      call, arguments, std::index_sequence_for<const Node*, Args...>{});
}

/*! \brief Calls an object with one call operator, such as a lambda. */
template <typename Function, typename Result, typename Class, typename... Args>
ffi::Any CallObject(const Function& function, const Arguments& arguments,
                    Result (Class::*)(Args...) const) {
  return Invoker<Result, Args...>::Call(function, arguments, std::index_sequence_for<Args...>{});
}

}  // namespace detail

/*! \brief Construct a `Node` from arguments of types `Args`. */
template <typename Node, typename... Args>
ffi::Any New(const Arguments& arguments) {
  return detail::New<Node, Args...>(arguments, std::index_sequence_for<Args...>{});
}

/*! \brief Call a function, or a method whose object is the first argument. */
template <auto kFunction>
ffi::Any Invoke(const Arguments& arguments) {
  return detail::InvokeFunction<kFunction>(arguments, kFunction);
}

/*! \name Call a function, a method with its object as the first argument, or a lambda. */
/*! \{ */
template <typename Result, typename... Args>
ffi::Any Call(Result (*function)(Args...), const Arguments& arguments) {
  return detail::Invoker<Result, Args...>::Call(function, arguments,
                                                std::index_sequence_for<Args...>{});
}
template <typename Result, typename Node, typename... Args>
ffi::Any Call(Result (Node::*method)(Args...) const, const Arguments& arguments) {
  auto call = [method](const Node* self, Args... args) -> Result {
    return (self->*method)(std::forward<Args>(args)...);
  };
  return detail::Invoker<Result, const Node*, Args...>::Call(
      call, arguments, std::index_sequence_for<const Node*, Args...>{});
}
template <typename Result, typename Node, typename... Args>
ffi::Any Call(Result (Node::*method)(Args...), const Arguments& arguments) {
  // References give access to const objects; a method that writes is not const.
  auto call = [method](const Node* self, Args... args) -> Result {
    return (const_cast<Node*>(self)->*method)(std::forward<Args>(args)...);
  };
  return detail::Invoker<Result, const Node*, Args...>::Call(
      call, arguments, std::index_sequence_for<const Node*, Args...>{});
}
template <typename Function>
ffi::Any Call(const Function& function, const Arguments& arguments) {
  return detail::CallObject(function, arguments, &Function::operator());
}
/*! \} */

}  // namespace tschema

#endif  // TSCHEMA_CALLABLE_H_
