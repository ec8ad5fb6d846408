// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A problem in every storage and every arithmetic, by time and error. c/pareto.h says what is measured.
#ifndef ULPFFT_CPP_PARETO_HPP_
#define ULPFFT_CPP_PARETO_HPP_

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ulpfft/cpp/context.hpp"
#include "ulpfft/cpp/error.hpp"
#include "ulpfft/ulpfft.h"

namespace ulpfft {
inline namespace v0 {

struct ParetoOptions {
  double time_limit_seconds = 0;      // 0: 55
  std::vector<std::string> storages;  // empty: all of this build
  bool choices = false;
  std::function<bool(double fraction, std::string_view what)> progress;  // false cancels
  const ulpfft_array* judge = nullptr;
};

// Rows and choices; their texts live as long as this.
class Pareto {
 public:
  Pareto(Context& context, const std::string& problem_text, const ParetoOptions& options = {}) {
    Asking asking{options.progress, {}};
    std::vector<const char*> storages;
    for (const std::string& name : options.storages) storages.push_back(name.c_str());
    ulpfft_pareto_options to{};
    to.size = sizeof to;
    to.time_limit_seconds = options.time_limit_seconds;
    to.storages = storages.data();
    to.storage_count = storages.size();
    to.choices = options.choices ? 1 : 0;
    to.judge = options.judge;
    if (options.progress) {
      to.progress = &Asking::ask;
      to.progress_user = &asking;
    }
    ulpfft_pareto* measured = nullptr;
    const ulpfft_status status = ulpfft_pareto_measure(context.get(), problem_text.c_str(), &to, &measured);
    if (asking.thrown) std::rethrow_exception(asking.thrown);
    detail::check(status);
    measured_.reset(measured);
    facts_.size = sizeof facts_;
    detail::check(ulpfft_pareto_get(measured, &facts_));
  }

  const ulpfft_pareto_facts& facts() const noexcept { return facts_; }
  ulpfft_pareto_row row(std::size_t index) const {
    ulpfft_pareto_row row{};
    row.size = sizeof row;
    detail::check(ulpfft_pareto_row_get(measured_.get(), index, &row));
    return row;
  }
  ulpfft_pareto_choice choice(std::size_t index) const {
    ulpfft_pareto_choice choice{};
    choice.size = sizeof choice;
    detail::check(ulpfft_pareto_choice_get(measured_.get(), index, &choice));
    return choice;
  }

 private:
  struct Destroy {
    void operator()(ulpfft_pareto* pareto) const noexcept { ulpfft_pareto_destroy(pareto); }
  };
  // No exception of the callback passes the C interface.
  struct Asking {
    const std::function<bool(double, std::string_view)>& progress;
    std::exception_ptr thrown;
    static int ask(void* user, double fraction, const char* what) {
      Asking& self = *static_cast<Asking*>(user);
      try {
        return self.progress(fraction, what) ? 0 : 1;
      } catch (...) {
        self.thrown = std::current_exception();
        return 1;
      }
    }
  };
  std::unique_ptr<ulpfft_pareto, Destroy> measured_;
  ulpfft_pareto_facts facts_{};
};

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_PARETO_HPP_
