// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The statements of a body as C++ text, in the dialect of a backend.
#ifndef ULPFFT_GENFFT_EMIT_BODY_TEXT_H_
#define ULPFFT_GENFFT_EMIT_BODY_TEXT_H_

#include <map>
#include <string>
#include <vector>

#include "genfft/emit/writer.h"
#include "genfft/kernel.h"

namespace ulpfft::genfft {

// Names of the constants all kernels use: kC0, kC1, ... by rising value, those that only real transforms use after the others.
class ConstantNames {
 public:
  explicit ConstantNames(const std::vector<Kernel>& kernels);
  std::string name(ConstantId id) const { return "kC" + std::to_string(number(id)); }
  int number(ConstantId id) const { return number_.at(id); }
  int size() const { return static_cast<int>(by_value_.size()); }
  // Without those that only real transforms use.
  int complex_size() const { return complex_size_; }
  // body_constants.h
  GeneratedFile header() const;
  // kC0f, kC0d, ...: a scalar for each type, for compilers that take no structs as constants.
  std::string scalars() const;

 private:
  std::shared_ptr<ConstantPool> pool_;
  std::map<ConstantId, int> number_;
  std::vector<ConstantId> by_value_;
  int complex_size_ = 0;
};

// How a backend spells arithmetic.
struct Dialect {
  std::string template_line;  // "template <class T, class In, class Table, class Out>"
  std::string run_line;       // "static void run(const In& in, ...)"
  std::string vector;         // type of a value
  std::string constant;       // "constant<T>(%)"; % is the name
  std::string unused;         // statements that silence parameters a body may not use
  std::string op[13];         // by Op; "%a", "%b", "%c" are the operands
};

// struct N8 { ... };
std::string body_text(const Kernel& kernel, const ConstantNames& constants, const Dialect& dialect);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_EMIT_BODY_TEXT_H_
