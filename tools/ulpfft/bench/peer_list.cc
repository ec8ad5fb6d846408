// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/peer_list.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "tools/ulpfft/bench/best.h"
#include "tools/ulpfft/bench/fftw_peer.h"
#include "tools/ulpfft/bench/suites.h"
#include "tools/ulpfft/bench/ulpfft_peer.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/fftw.h"
#include "tools/ulpfft/nearest.h"

namespace ulpfft_tool::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTarget = "target:";
constexpr std::string_view kSystem = "fftw";
constexpr std::string_view kForms = "A peer is fftw, target:NAME, FILE or NAME=FILE.";

[[noreturn]] void fail(const std::string& message, const std::string& word) { throw UsageError(message, word, 0, word.size()); }

std::vector<std::string> split_at_commas(const std::string& word) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find(',', begin), word.size());
    if (end == begin) fail("A peer is missing beside a comma. " + std::string(kForms), word);
    parts.push_back(word.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// Words that mean no file, and that no peer has.
void require_known(const std::string& word) {
  std::vector<std::string> known = {std::string(kSystem)};
  ulpfft_target target{};
  target.size = sizeof target;
  for (std::size_t i = 0; i < ulpfft_target_count(); ++i) {
    if (ulpfft_target_get(i, &target) == ULPFFT_OK) known.push_back(std::string(kTarget) + target.name);
  }
  if (std::find(known.begin(), known.end(), word) != known.end()) return;
  fail("'" + word + "' is no peer." + did_you_mean(word, known) + " " + std::string(kForms), word);
}

// Where a file is not: the nearest name in its folder, or the file itself where the loader looks for libraries elsewhere.
std::string meant_file(const std::string& file) {
  std::error_code ignored;
  const fs::path path(file);
  if (!path.has_parent_path()) return fs::exists(path, ignored) ? " Did you mean './" + file + "'?" : "";
  if (fs::exists(path, ignored)) return "";
  std::vector<std::string> names;
  for (fs::directory_iterator entry(path.parent_path(), ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    names.push_back(entry->path().filename().string());
  }
  const std::string name = nearest(path.filename().string(), names);
  return name.empty() ? "" : " Did you mean '" + (path.parent_path() / name).string() + "'?";
}

// ".../libfftw3f.so.3" gives ".../libfftw3.so.3" and the other way round; "" for files of other names.
std::string other_precision(const std::string& file) {
  constexpr std::string_view kWideName = "fftw3", kNarrowName = "fftw3f";
  const std::size_t at = file.rfind(kWideName);
  if (at == file.npos || at < file.rfind('/') + 1) return "";
  const bool is_narrow = file.compare(at, kNarrowName.size(), kNarrowName) == 0;
  std::string other = file;
  return other.replace(at, is_narrow ? kNarrowName.size() : kWideName.size(), is_narrow ? kWideName : kNarrowName);
}

std::unique_ptr<Peer> load_file(const std::string& name, const std::string& file, const std::string& target) {
  if (may_be_ulpfft(file)) {
    std::unique_ptr<Peer> build = build_peer(name, file, target);
    if (build != nullptr) return build;
  }
  FftwLibrary library;
  const std::string fault = library.add(file);
  if (!fault.empty()) fail(fault + meant_file(file), file);
  const std::string other = other_precision(file);
  if (!other.empty()) library.add(other);  // where it is missing, one precision is compared
  return fftw_peer(name, std::move(library));
}

std::unique_ptr<Peer> load_peer(const std::string& given, const std::string& target) {
  const std::string word = given.starts_with(kTarget) ? std::string(kTarget) + own_target_name(given.substr(kTarget.size())) : given;
  const std::size_t equals = word.find('=');
  const bool is_file = equals != word.npos || word.find('/') != word.npos || word.find(".so") != word.npos;
  if (word == kTarget) fail("An instruction set is needed, e.g. target:avx2; see ulpfft info.", word);
  if (!is_file) require_known(word);
  if (word.starts_with(kTarget)) return target_peer(word, word.substr(kTarget.size()));
  if (word == kSystem) {
    std::string fault;
    FftwLibrary library = FftwLibrary::system(&fault);
    if (library.narrow.plan == nullptr && library.wide.plan == nullptr) fail(fault, word);
    return fftw_peer(word, std::move(library));
  }
  const std::string file = equals == word.npos ? word : word.substr(equals + 1);
  const std::string name = equals == word.npos ? file.substr(file.rfind('/') + 1) : word.substr(0, equals);
  if (name.empty() || file.empty()) fail("A name, '=' and a file are needed, or a file alone.", word);
  for (const std::string_view taken : {kBest, kOneThread, kWide, std::string_view("ulpfft")}) {
    if (name == taken)
      fail("'" + name + "' has a meaning of its own in reports: give the library another name, e.g. other=" + file + ".", word);
  }
  return load_file(name, file, target);
}

}  // namespace

std::vector<std::unique_ptr<Peer>> load_peers(const std::vector<std::string>& words, const std::string& target) {
  std::vector<std::string> parts;
  for (const std::string& word : words) {
    for (std::string& part : split_at_commas(word)) parts.push_back(std::move(part));
  }
  // Asked for FFTW's file name, the loader answers with any library of that name that is there: FFTW comes before files.
  if (std::find(parts.begin(), parts.end(), kSystem) != parts.end()) FftwLibrary::system();
  std::vector<std::unique_ptr<Peer>> peers;
  for (const std::string& part : parts) {
    std::unique_ptr<Peer> peer = load_peer(part, target);
    const auto has_its_name = [&](const std::unique_ptr<Peer>& other) { return other->name() == peer->name(); };
    if (std::any_of(peers.begin(), peers.end(), has_its_name)) {
      fail("Two peers are named '" + peer->name() + "'. NAME=FILE gives one of them another name.", part);
    }
    peers.push_back(std::move(peer));
  }
  return peers;
}

}  // namespace ulpfft_tool::bench
