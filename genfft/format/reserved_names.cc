// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/format/reserved_names.h"

#include <algorithm>
#include <iterator>

#include "codelets/contract/format_info.h"

namespace ulpfft::genfft {
namespace {

// Of C up to C23 and C++ up to C++26, those with a meaning in some places only included.
constexpr std::string_view kKeywords[] = {
    "alignas",  "alignof",  "and",      "and_eq",    "asm",       "auto",     "bitand",       "bitor",        "bool",
    "break",    "case",     "catch",    "char",      "char16_t",  "char32_t", "char8_t",      "class",        "co_await",
    "co_return", "co_yield", "compl",   "concept",   "const",     "const_cast", "consteval",  "constexpr",    "constinit",
    "continue", "contract_assert", "decltype", "default", "delete", "do",     "double",       "dynamic_cast", "else",
    "enum",     "explicit", "export",   "extern",    "false",     "final",    "float",        "for",          "friend",
    "goto",     "if",       "import",   "inline",    "int",       "long",     "module",       "mutable",      "namespace",
    "new",      "noexcept", "not",      "not_eq",    "nullptr",   "operator", "or",           "or_eq",        "override",
    "private",  "protected", "public",  "register",  "reinterpret_cast", "requires", "restrict", "return",    "short",
    "signed",   "sizeof",   "static",   "static_assert", "static_cast", "struct", "switch",   "template",     "this",
    "thread_local", "throw", "true",    "try",       "typedef",   "typeid",   "typename",     "typeof",       "typeof_unqual",
    "union",    "unsigned", "using",    "virtual",   "void",      "volatile", "wchar_t",      "while",        "xor",
    "xor_eq"};

// Macros of standard headers, macros that compilers or the headers of some system predefine, and names with a meaning for the linker or
// everywhere in C++.
constexpr std::string_view kLibraryNames[] = {
    // <assert.h> <errno.h> <signal.h> <stdarg.h> <stddef.h> <stdio.h> <setjmp.h> <stdnoreturn.h> <complex.h> <threads.h>
    "assert", "errno", "complex", "imaginary", "kill_dependency", "math_errhandling", "noreturn", "null", "offsetof", "setjmp", "sigsetjmp",
    "stderr", "stdin", "stdout", "unreachable", "va_arg", "va_copy", "va_end", "va_start",
    // <ctype.h>
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit",
    // <math.h> and <tgmath.h>
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "carg", "cbrt", "cimag", "conj", "copysign", "cosh", "cproj", "creal", "erf",
    "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "fma", "fmax", "fmin", "fmod", "fpclassify", "frexp", "hypot", "ilogb", "isfinite",
    "isgreater", "isgreaterequal", "isinf", "isless", "islessequal", "islessgreater", "isnan", "isnormal", "isunordered", "ldexp", "lgamma",
    "llrint", "llround", "log", "log10", "log1p", "log2", "logb", "lrint", "lround", "nearbyint", "nextafter", "nexttoward", "pow",
    "remainder", "remquo", "rint", "round", "scalb", "scalbln", "scalbn", "signbit", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc",
    // Predefined
    "arm", "hpux", "i386", "i486", "i586", "i686", "linux", "mips", "pixel", "sgi", "sparc", "sun", "unix", "vax", "vector",
    // Of system headers
    "cdecl", "far", "hyper", "interface", "major", "makedev", "max", "min", "minor", "near", "pascal", "small",
    // Names without being macros
    "hwy", "main", "posix", "std", "ulpfft"};

constexpr std::string_view kAtomicPrefix = "atomic_";  // of the macros of <stdatomic.h>

// Texts that functions of the C library read as numbers, or print.
constexpr std::string_view kNumbers[] = {"inf", "infinity", "nan", "nil"};

// Problems (wisdom/problem_text.cc): kinds, flags, keys, values, and the fields that messages name.
constexpr std::string_view kProblemWords[] = {
    "c2c", "r2c", "c2r", "r2r", "czt", "inverse", "centered", "inplace", "scale", "max_error", "scheme", "backend", "threads",
    "destroy_input", "max_workspace", "one", "kinds", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "r2hc", "hc2r", "dht",
    "in_strides", "out_strides", "batch_strides", "intermediate", "prescale", "none", "ortho", "amax", "problem", "kind", "rank", "lengths",
    "batch_rank", "batch_lengths", "layout", "placement", "direction", "scale_kind", "scale_value", "storage", "storage_in", "storage_out",
    "prescale_kind", "prescale_target", "precision", "fp32", "ozaki", "ozaki_hq", "spectrum", "power", "output",
    "window", "hann", "hamming", "blackman", "blackmanharris", "nuttall", "flattop", "kaiser", "gauss", "symmetric", "periodic", "given",
    "points", "start", "step", "in", "out", "x"};

// Recipes (wisdom/recipe.cc), modifiers of a storage, and the schemes, backends and targets that stand in both texts.
constexpr std::string_view kRecipeWords[] = {
    "n", "p", "b", "dit", "dif", "four", "batch", "cols", "rader", "bluestein", "real", "chain", "mul", "user", "stream", "decode",
    "encode", "recipe", "standard", "ds", "ch", "lf", "cos", "carry", "fresh",
    "wide", "rounded", "mx", "split", "dd", "ref", "cuda", "avx2", "avx3", "sse4", "neon", "sve_256", "native", "scalar", "all"};

template <typename Word, std::size_t N>
bool is_among(std::string_view name, const Word (&words)[N]) {
  return std::find(std::begin(words), std::end(words), name) != std::end(words);
}

// n16, p64 and b32: a codelet's length, a panel's columns and a block's length in recipes and storages.
bool is_counted(std::string_view name) {
  if (name.size() < 2 || (name[0] != 'n' && name[0] != 'p' && name[0] != 'b')) return false;
  return name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

}  // namespace

std::string_view reserved_as(std::string_view name) {
  if (is_among(name, kKeywords)) return "a keyword of C or C++";
  if (name.find("__") != std::string_view::npos) return "reserved by C++, as every name with two underscores in a row";
  if (is_among(name, kProblemWords)) return "a word of problems";
  if (is_among(name, kRecipeWords) || is_among(name, kScaleRuleNames) || is_counted(name)) return "a word of problems or recipes";
  if (is_among(name, kNumbers)) return "read as a number by the C library";
  if (is_among(name, kLibraryNames) || name.starts_with(kAtomicPrefix)) return "a macro or a name of C and C++";
  return {};
}

std::string free_name_like(std::string_view name) {
  std::string result = "my_";
  for (const char c : name) {
    if (c != '_' || result.back() != '_') result += c;
  }
  return result.substr(0, kLongestName);
}

}  // namespace ulpfft::genfft
