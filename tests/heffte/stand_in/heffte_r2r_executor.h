// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The part of heFFTe 2.4's interface that a backend meets, written anew for tests: names, members and defaults are heFFTe's, everything
// else of it is left out. A backend specialises is_enabled, uses_fft_types, name, one_dim_backend, default_plan_options and
// real2real_executor; heFFTe makes executors by make_executor and make_executor_r2c, and calls them as executor_base.
#ifndef ULPFFT_TESTS_HEFFTE_STAND_IN_HEFFTE_R2R_EXECUTOR_H_
#define ULPFFT_TESTS_HEFFTE_STAND_IN_HEFFTE_R2R_EXECUTOR_H_

#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace heffte {

namespace tag {
struct cpu {};
}  // namespace tag

namespace backend {
template <typename> struct is_enabled : std::false_type {};
template <typename backend_tag, typename std::enable_if<is_enabled<backend_tag>::value, void*>::type = nullptr>
struct buffer_traits {
  using location = tag::cpu;
  template <typename T> using container = std::vector<T>;
};
template <typename> inline std::string name() { return "unknown"; }
template <typename> struct uses_fft_types : std::true_type {};
template <typename> struct device_instance { using stream_type = void*; };
}  // namespace backend

// Indices from low to high along three directions; order[0] varies fastest in memory.
template <typename index = int>
struct box3d {
  box3d(std::array<index, 3> clow, std::array<index, 3> chigh, std::array<int, 3> corder = {{0, 1, 2}})
      : low(clow), high(chigh), size{{chigh[0] - clow[0] + 1, chigh[1] - clow[1] + 1, chigh[2] - clow[2] + 1}}, order(corder) {}
  bool empty() const { return size[0] <= 0 || size[1] <= 0 || size[2] <= 0; }
  long long count() const { return empty() ? 0 : static_cast<long long>(size[0]) * size[1] * size[2]; }
  box3d r2c(int dimension) const {
    std::array<index, 3> end = high;
    const std::size_t d = static_cast<std::size_t>(dimension);
    end[d] = low[d] + size[d] / 2;
    return box3d(low, end, order);
  }
  int find_order(int dir) const { return dir == order[0] ? 0 : dir == order[1] ? 1 : 2; }
  index osize(int dimension) const { return size[static_cast<std::size_t>(order[static_cast<std::size_t>(dimension)])]; }
  std::array<index, 3> const low, high, size;
  std::array<int, 3> const order;
};

class executor_base {
 public:
  virtual ~executor_base() = default;
  virtual void forward(float[], float*) const {}
  virtual void forward(double[], double*) const {}
  virtual void backward(float[], float*) const {}
  virtual void backward(double[], double*) const {}
  virtual void forward(std::complex<float>[], std::complex<float>*) const {}
  virtual void forward(std::complex<double>[], std::complex<double>*) const {}
  virtual void backward(std::complex<float>[], std::complex<float>*) const {}
  virtual void backward(std::complex<double>[], std::complex<double>*) const {}
  virtual void forward(float const[], std::complex<float>[], std::complex<float>*) const {}
  virtual void forward(double const[], std::complex<double>[], std::complex<double>*) const {}
  virtual void backward(std::complex<float>[], float[], std::complex<float>*) const {}
  virtual void backward(std::complex<double>[], double[], std::complex<double>*) const {}
  virtual int box_size() const { return 0; }
  virtual std::size_t workspace_size() const { return 0; }
  virtual int complex_size() const { return box_size(); }
};

template <typename> struct one_dim_backend {};
template <typename> struct default_plan_options {};

template <typename backend_tag>
using stream_of = typename backend::device_instance<typename backend::buffer_traits<backend_tag>::location>::stream_type;

template <typename backend_tag, typename index, typename... Directions>
std::unique_ptr<typename one_dim_backend<backend_tag>::executor> make_executor(stream_of<backend_tag> stream, box3d<index> const box,
                                                                               Directions... directions) {
  using executor = typename one_dim_backend<backend_tag>::executor;
  return std::unique_ptr<executor>(box.empty() ? nullptr : new executor(stream, box, directions...));
}
template <typename backend_tag, typename index>
std::unique_ptr<typename one_dim_backend<backend_tag>::executor_r2c> make_executor_r2c(stream_of<backend_tag> stream,
                                                                                       box3d<index> const box, int dimension) {
  using executor = typename one_dim_backend<backend_tag>::executor_r2c;
  return std::unique_ptr<executor>(box.empty() ? nullptr : new executor(stream, box, dimension));
}

struct cpu_cos_pre_pos_processor {};
struct cpu_sin_pre_pos_processor {};
struct cpu_cos1_pre_pos_processor {};
struct cpu_sin1_pre_pos_processor {};

template <typename fft_backend_tag, typename prepost_processor> struct real2real_executor;

}  // namespace heffte

#endif  // ULPFFT_TESTS_HEFFTE_STAND_IN_HEFFTE_R2R_EXECUTOR_H_
