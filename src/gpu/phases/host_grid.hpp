// A program that the host follows, one launch a phase.
#pragma once

#include <chrono>
#include <cstdint>
#include <type_traits>

#include "gpu/phases/array_view.hpp"

namespace breadth::gpu {

/// What a program (SearchControl) may ask for, by launches and copies in the order of the device's stream. Device is
/// SimulatedDevice or CudaDevice.
template <class Device>
class HostGrid {
 public:
  explicit HostGrid(const Device& device) : device_(device) {}

  template <class Phase>
  void run(const Phase& phase, std::uint64_t warps) const {
    device_.launch(phase, warps);
  }
  template <class T>
  void clear(const ArrayView<T>& array) const {
    device_.clear(array);
  }
  template <class T>
  [[nodiscard]] std::remove_const_t<T> load(const ArrayView<T>& array, std::uint64_t index) const {
    return device_.read(array, index);
  }
  template <class T>
  void store(const ArrayView<T>& array, std::uint64_t index, const T& value) const {
    device_.write(array, index, value);
  }
  /// Each launch begins when those before have ended.
  void sync() const {}

  [[nodiscard]] HostGrid alone() const { return *this; }
  [[nodiscard]] bool works() const { return true; }
  template <class State>
  void join(const ArrayView<State>& /*place*/, State& /*state*/) const {}

  /// Once all launches before have ended.
  [[nodiscard]] std::uint64_t nanoseconds() const {
    device_.wait();
    using namespace std::chrono;
    return static_cast<std::uint64_t>(
        duration_cast<std::chrono::nanoseconds>(steady_clock::now().time_since_epoch()).count());
  }

 private:
  const Device& device_;
};

}  // namespace breadth::gpu
