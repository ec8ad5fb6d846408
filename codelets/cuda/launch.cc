// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "codelets/cuda/launch.h"

#include <array>
#include <string_view>

#include "codelets/contract/unit_root.h"

#define ULPFFT_CUDA_WANTED 0
#define ULPFFT_KERNEL(name, bodies, ...)
#include "codelets/cuda/each_kernel.h"
#undef ULPFFT_KERNEL

namespace ulpfft::cuda {
namespace {

// Group 0 stands first in the list.
#define ULPFFT_KERNEL(name, bodies, ...) +1
constexpr int kSmokeKernels = 0
#include "codelets/cuda/each_kernel.h"
    ;
#undef ULPFFT_KERNEL
#undef ULPFFT_CUDA_WANTED
#define ULPFFT_CUDA_WANTED -1

struct Text {
  char text[64] = {};
  int size = 0;
  constexpr void add(std::string_view part) {
    for (const char c : part) text[size++] = c;
  }
};

// "N16, T16Ch", f32 -> "f32:dit(16 16:ch)"; "N8" -> "f32:n8"; "" -> "".
constexpr Text recipe_text(std::string_view scheme, std::string_view bodies) {
  Text text;
  if (bodies.empty()) return text;
  text.add(scheme);
  const bool one = bodies.find(',') == std::string_view::npos;
  text.add(one ? ":n" : ":dit(");
  for (std::size_t at = 1; at < bodies.size(); ++at) {
    const char c = bodies[at];
    if (c == 'C') {
      text.add(":ch");
      ++at;
    } else if (c == ',') {
      text.add(" ");
      at += 2;  // to the letter of the next body
    } else {
      text.add(std::string_view(&c, 1));
    }
  }
  if (!one) text.add(")");
  return text;
}

constexpr TwiddleForm form_of(std::string_view body) {
  if (body.find('N') != std::string_view::npos) return TwiddleForm::kNone;
  return body.find("Ch") != std::string_view::npos ? TwiddleForm::kChained : TwiddleForm::kStandard;
}

template <class K>
struct Fill;

template <KernelKind kKind, class In, class Out, class P, Direction kDirection, Room kRoom>
struct Fill<Tile<kKind, In, Out, P, kDirection, kRoom>> {
  using K = Tile<kKind, In, Out, P, kDirection, kRoom>;
  static constexpr bool kIsF64 = sizeof(typename K::Real) == 8;
  static constexpr void fill(KernelInfo& info, std::string_view bodies) {
    info.kind = kKind;
    info.in = In::kStorage;
    info.out = Out::kStorage;
    info.fixed_direction = kDirection != Direction::kGiven;
    info.backward = kDirection == Direction::kBackward;
    info.in_place = kKind != KernelKind::kTurned && info.in == info.out;
    info.n = K::kN;
    info.passes = P::kCount;
    int pass = 0;
    for (std::size_t at = 0; pass < P::kCount; at = bodies.find(',', at) + 1, ++pass) {
      info.radix[pass] = P::radix(pass);
      info.form[pass] = form_of(bodies.substr(at, bodies.find(',', at) - at));
    }
    info.table_bytes = K::kTableBytes;
  }
};
template <class In, class Out>
struct Fill<Convert<In, Out>> {
  static constexpr bool kIsF64 = sizeof(typename Convert<In, Out>::Real) == 8;
  static constexpr void fill(KernelInfo& info, std::string_view) {
    info.kind = KernelKind::kConvert;
    info.in = In::kStorage;
    info.out = Out::kStorage;
  }
};

template <class K>
constexpr KernelInfo info_of(const char* name, const char* recipe, std::string_view bodies) {
  KernelInfo info;
  info.name = name;
  info.recipe = recipe;
  info.is_f64 = Fill<K>::kIsF64;
  info.threads = K::kThreads;
  info.per_block = K::kPerBlock;
  info.shared_bytes = K::kSharedBytes;
  info.blocks_per_sm = K::kBlocksPerSm;
  Fill<K>::fill(info, bodies);
  return info;
}

#define ULPFFT_KERNEL(name, bodies, ...) constexpr Text kRecipe_##name = recipe_text(Fill<__VA_ARGS__>::kIsF64 ? "f64" : "f32", bodies);
#include "codelets/cuda/each_kernel.h"
#undef ULPFFT_KERNEL

constexpr auto kKernels = [] {
  std::array list = {
#define ULPFFT_KERNEL(name, bodies, ...) info_of<__VA_ARGS__>(#name, kRecipe_##name.text, bodies),
#include "codelets/cuda/each_kernel.h"
#undef ULPFFT_KERNEL
  };
  for (int i = 0; i < kSmokeKernels; ++i) list[static_cast<std::size_t>(i)].smoke = true;
  return list;
}();

template <class T>
void put(void* table, std::size_t at, const DoubleDouble& re, const DoubleDouble& im) {
  static_cast<T*>(table)[2 * at] = round_to<T>(re);
  static_cast<T*>(table)[2 * at + 1] = round_to<T>(im);
}
void put(bool is_f64, void* table, std::size_t at, const DoubleDouble& re, const DoubleDouble& im) {
  if (is_f64) {
    put<double>(table, at, re, im);
  } else {
    put<float>(table, at, re, im);
  }
}
void put(bool is_f64, void* table, std::size_t at, const UnitRoot& w) { put(is_f64, table, at, w.re, w.im); }

}  // namespace

std::span<const KernelInfo> kernels() { return kKernels; }

void fill_table(const KernelInfo& kernel, void* table) {
  std::size_t at = 0;
  int length = kernel.radix[0];
  for (int pass = 1; pass < kernel.passes; length *= kernel.radix[pass++]) {
    const int radix = kernel.radix[pass];
    for (int j = 1; j < radix; ++j) {
      for (int k = 0; k < length; ++k) {
        put(kernel.is_f64, table, at++,
            unit_root(static_cast<std::uint64_t>(j * k), static_cast<std::uint64_t>(radix) * static_cast<std::uint64_t>(length)));
      }
    }
  }
}

void fill_twist(const KernelInfo& kernel, std::int64_t columns, void* twist) {
  const auto n = static_cast<std::uint64_t>(kernel.n) * static_cast<std::uint64_t>(columns);
  const auto split = static_cast<std::uint64_t>(twist_split(kernel.n));
  const auto width = static_cast<std::uint64_t>(columns);
  std::size_t at = 0;
  for (std::uint64_t e = 0; e < twist_entries(kernel.n); ++e) {
    const std::uint64_t row = e < split ? e : (e - split) * split;
    for (std::uint64_t j = 0; j < width; ++j) put(kernel.is_f64, twist, at++, unit_root(row * j, n));
  }
}

}  // namespace ulpfft::cuda
