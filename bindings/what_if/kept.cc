// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/what_if/kept.h"

#include <new>
#include <vector>

namespace ulpfft::what_if {

namespace {

template <typename From, typename To>
void convert(const void* from, std::int64_t count, void* to) {
  for (std::int64_t i = 0; i < count; ++i) static_cast<To*>(to)[i] = static_cast<To>(static_cast<const From*>(from)[i]);
}

void convert(bool from_double, const void* from, std::int64_t count, bool to_double, void* to) {
  if (from_double) return to_double ? convert<double, double>(from, count, to) : convert<double, float>(from, count, to);
  return to_double ? convert<float, double>(from, count, to) : convert<float, float>(from, count, to);
}

ulpfft_conversion conversion_of(const Kept& kept) {
  ulpfft_conversion conversion = ULPFFT_CONVERSION_INIT;
  conversion.storage = kept.storage.c_str();
  conversion.real_type = kept.from_double ? "f64" : "f32";
  conversion.rows = kept.layout.rows;
  conversion.reals = kept.reals;
  return conversion;
}

std::int64_t part_bytes(const Kept& kept) { return kept.count * (kept.from_double ? 8 : 4); }

}  // namespace

Memory make_memory(std::int64_t bytes) {
  Memory made(bytes >= 0 ? ulpfft_malloc(static_cast<std::size_t>(bytes)) : nullptr);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

bool Kept::set(const Subject& subject, bool out, bool split, const std::string& name) {
  storage = name;
  is_wide = name == "f32" || name == "f64";
  from_double = subject.is_double;
  const std::int64_t numbers = width(subject, out);
  parts = split && numbers == 2 ? 2 : 1;
  std::vector<std::int64_t> lengths = stored_lengths(subject, out);
  reals = lengths.back() *= numbers / parts;
  const bool possible =
      ulpfft_format_layout(storage.c_str(), static_cast<int>(lengths.size()), lengths.data(), &layout) == ULPFFT_OK;
  count = layout.rows * reals;
  return possible;
}

KeptArray::KeptArray(const Kept& kept) : kept_(kept) {
  for (int part = 0; part < kept.parts; ++part) {
    data_[part] = make_memory(kept.layout.data_bytes);
    if (kept.layout.scale_bytes > 0) scales_[part] = make_memory(kept.layout.scale_bytes);
  }
}

ulpfft_array KeptArray::array() const {
  ulpfft_array array = ULPFFT_ARRAY_INIT;
  for (int part = 0; part < 2; ++part) {
    array.data[part] = data_[part].get();
    array.scales[part] = scales_[part].get();
  }
  return array;
}

bool KeptArray::encode(const void* dense, std::int64_t* saturated) const {
  const ulpfft_conversion conversion = conversion_of(kept_);
  for (int part = 0; part < kept_.parts; ++part) {
    const void* const reals = static_cast<const char*>(dense) + part * part_bytes(kept_);
    std::int64_t beyond = 0;
    if (kept_.is_wide) {
      convert(kept_.from_double, reals, kept_.count, kept_.storage == "f64", data_[part].get());
    } else if (ulpfft_encode(nullptr, &conversion, reals, data_[part].get(), scales_[part].get(), &beyond) != ULPFFT_OK) {
      return false;
    }
    *saturated += beyond;
  }
  return true;
}

bool KeptArray::decode(void* dense) const {
  const ulpfft_conversion conversion = conversion_of(kept_);
  for (int part = 0; part < kept_.parts; ++part) {
    void* const reals = static_cast<char*>(dense) + part * part_bytes(kept_);
    if (kept_.is_wide) {
      convert(kept_.storage == "f64", data_[part].get(), kept_.count, kept_.from_double, reals);
    } else if (ulpfft_decode(nullptr, &conversion, data_[part].get(), scales_[part].get(), reals) != ULPFFT_OK) {
      return false;
    }
  }
  return true;
}

}  // namespace ulpfft::what_if
