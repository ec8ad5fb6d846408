// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the cost of a build is measured in: nothing of ours, never linked, never changed. A changed reference is another budget.
//
// Half of it are headers and templates of the standard library, as in planner and tool, half is straight-line arithmetic, as in codelets.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace reference {

template <int N>
struct Transform {
  [[gnu::always_inline]] static inline void run(double* re, double* im, const double* table) {
    Transform<N / 2>::run(re, im, table);
    Transform<N / 2>::run(re + N / 2, im + N / 2, table + N);
    for (int k = 0; k < N / 2; ++k) {
      const double c = table[2 * k], s = table[2 * k + 1];
      const double x = re[k + N / 2] * c - im[k + N / 2] * s, y = re[k + N / 2] * s + im[k + N / 2] * c;
      re[k + N / 2] = re[k] - x;
      im[k + N / 2] = im[k] - y;
      re[k] += x;
      im[k] += y;
    }
  }
};
template <>
struct Transform<1> {
  [[gnu::always_inline]] static inline void run(double*, double*, const double*) {}
};

template <int N>
void transform(double* re, double* im, const double* table) {
  Transform<N>::run(re, im, table);
}
template void transform<32>(double*, double*, const double*);
template void transform<64>(double*, double*, const double*);
template void transform<128>(double*, double*, const double*);
template void transform<256>(double*, double*, const double*);

template <int N>
std::string words(const std::string& text) {
  using Value = std::variant<int, double, std::string, std::vector<std::string>>;
  std::map<std::string, Value> sorted;
  std::unordered_map<std::string, std::function<std::string(const Value&)>> printers;
  const std::regex word("([a-z]+)([0-9]{1," + std::to_string(N) + "})");
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) sorted[at->str(1)] = std::stoi(at->str(2)) + N;
  printers["text"] = [](const Value& value) { return std::holds_alternative<std::string>(value) ? std::get<std::string>(value) : std::to_string(N); };
  std::vector<std::pair<std::string, Value>> list(sorted.begin(), sorted.end());
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second.index() + a.first.size() < b.second.index() + b.first.size(); });
  std::ostringstream result;
  for (const auto& [name, value] : list) result << name << printers["text"](value) << N;
  return result.str();
}
template std::string words<1>(const std::string&);
template std::string words<2>(const std::string&);
template std::string words<3>(const std::string&);

}  // namespace reference
