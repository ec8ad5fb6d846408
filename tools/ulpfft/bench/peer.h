// Other libraries, loaded at run time: any with the FFTW3 interface (guru64), e.g. FFTW, AMD's, Intel's.
//
// Symbols begin with fftw_ for f64 and fftwf_ for f32; a library may have either or both. Its threads library is looked for in
// it, then beside it (libfftw3f_threads.so.3, libfftw3f_omp.so.3). Nothing is unloaded: such libraries keep threads and tables.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_PEER_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_PEER_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tools/ulpfft/bench/arrays.h"
#include "tools/ulpfft/bench/facts.h"
#include "tools/ulpfft/bench/timing.h"

namespace ulpfft_tool::bench {

enum class PeerEffort { kEstimate, kMeasure, kPatient };

// The functions of one precision; null where the library has none.
struct FftwFunctions {
  struct Dimension {  // fftw_iodim64
    std::ptrdiff_t n, in_stride, out_stride;
  };
  using Guru = void* (*)(int, const Dimension*, int, const Dimension*, void* in, void* out, int sign, unsigned flags);
  using GuruSplit = void* (*)(int, const Dimension*, int, const Dimension*, void* in_re, void* in_im, void* out_re, void* out_im,
                              unsigned flags);
  Guru plan = nullptr;
  GuruSplit plan_split = nullptr;
  void (*execute)(void*) = nullptr;
  void (*destroy)(void*) = nullptr;
  void (*forget_wisdom)() = nullptr;
  void (*set_timelimit)(double) = nullptr;
  void (*plan_with_nthreads)(int) = nullptr;  // null: no threads
  std::string version;
};

class Peer {
 public:
  // `what`: "fftw" for Debian's two libraries, or NAME=FILE, or FILE, where the name is that of the file. Throws UsageError.
  static Peer load(const std::string& what);

  const std::string& name() const { return name_; }
  std::string version() const;
  // Why this problem would be unequal work for it, or no work at all: a sentence; "" if it can be compared.
  std::string refusal(const Facts& facts) const;
  // Overwrites the arrays. Null when the library makes no plan. time_limit 0: none.
  std::unique_ptr<Contender> plan(const Facts& facts, const Arrays& arrays, PeerEffort effort, double time_limit) const;

 private:
  const FftwFunctions& functions(const Facts& facts) const { return facts.storage_in == "f64" ? wide_ : narrow_; }
  void add(const std::string& file);

  std::string name_;
  FftwFunctions narrow_;
  FftwFunctions wide_;
};

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_PEER_H_
