// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a step or a direct call reads besides arrays and a table: a struct of its own, which says of what type it is.
//
// Types   are addresses, so that nobody keeps a list of them. Reading costs nothing; builds for debugging and with sanitizers define
//         ULPFFT_CHECKS_CONTEXTS and end where a function finds another struct than it expects.
#ifndef ULPFFT_CODELETS_CONTRACT_CONTEXT_H_
#define ULPFFT_CODELETS_CONTRACT_CONTEXT_H_

#include <cstdlib>

namespace ulpfft {

template <typename T>
inline constexpr char kContextType = 0;

struct StepContext {
  const void* context_type;
};

// Base of T.
template <typename T>
struct ContextOf : StepContext {
  constexpr ContextOf() : StepContext{&kContextType<T>} {}
};

// `holder` is a PassArgs, a DirectCall.
template <typename T, typename Holder>
bool has_context(const Holder& holder) {
  return holder.context != nullptr && holder.context->context_type == &kContextType<T>;
}

template <typename T, typename Holder>
const T& context_of(const Holder& holder) {
#ifdef ULPFFT_CHECKS_CONTEXTS
  if (!has_context<T>(holder)) std::abort();
#endif
  return static_cast<const T&>(*holder.context);
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_CONTEXT_H_
