// A reference to anything that can be called, so that what calls it is compiled once.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace breadth {

template <class Signature>
class FunctionRef;

/// Refers to a callable that outlives it; two words, copied freely (std::function_ref of C++26). A call costs about two
/// nanoseconds and is not inlined: for blocks of work and whole loops, not for single edges.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Callable, class = std::enable_if_t<!std::same_as<std::remove_cvref_t<Callable>, FunctionRef> &&
                                                     std::is_invocable_r_v<Result, Callable&, Arguments...>>>
  FunctionRef(Callable&& callable) noexcept  // NOLINT: a lambda is passed as it is
      : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Arguments... arguments) -> Result {
          return static_cast<Result>(
              (*static_cast<std::remove_reference_t<Callable>*>(object))(std::forward<Arguments>(arguments)...));
        }) {}

  Result operator()(Arguments... arguments) const { return call_(callable_, std::forward<Arguments>(arguments)...); }

 private:
  void* callable_;
  Result (*call_)(void* object, Arguments... arguments);
};

}  // namespace breadth
