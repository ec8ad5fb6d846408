// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Wisdom through the C interface: what was measured once is not measured again; a bad text changes nothing.
#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

PlanPtr measure(ulpfft_context* context, const std::string& problem) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_MEASURE;
  options.time_limit_seconds = 0.05;
  ulpfft_plan* plan = nullptr;
  if (ulpfft_plan_parse_options(context, problem.c_str(), &options, &plan) != ULPFFT_OK) ADD_FAILURE() << problem << ": " << last_error_text();
  return PlanPtr(plan);
}

std::string exported(ulpfft_context* context) { return take(ulpfft_wisdom_export_string(context)); }

ulpfft_status import(ulpfft_context* context, const std::string& text, ulpfft_import_report* report = nullptr) {
  return ulpfft_wisdom_import_string(context, text.data(), text.size(), report);
}

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "ulpfft-wisdom-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::size_t entries() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) count += entry.path().filename().string().empty() ? 0 : 1;
    return count;
  }

 private:
  std::filesystem::path path_;
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const std::vector<std::string>& problems() {
  static const std::vector<std::string> texts{"64 f32", "1000 f64", "4096 f32 inplace", "48x64*3 f32 centered", "128*16 f64 split"};
  return texts;
}

TEST(Wisdom, OfOneContextServesAnother) {
  const ContextPtr first = make_context();
  EXPECT_EQ(ulpfft_wisdom_count(first.get()), 0U) << "a context starts without wisdom";
  std::vector<std::string> recipes;
  for (const std::string& problem : problems()) {
    const PlanPtr plan = measure(first.get(), problem);
    ASSERT_NE(plan, nullptr);
    EXPECT_EQ(ulpfft_plan_from_wisdom(plan.get()), 0) << problem;
    EXPECT_GT(ulpfft_plan_seconds(plan.get()), 0.0) << problem;
    recipes.push_back(recipe_of(plan.get()));
  }
  EXPECT_EQ(ulpfft_wisdom_count(first.get()), problems().size());
  const std::string text = exported(first.get());
  ASSERT_NE(text, "");

  const ContextPtr second = make_context();
  auto report = sized<ulpfft_import_report>();
  ASSERT_EQ(import(second.get(), text, &report), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(take(report.details), "");
  EXPECT_EQ(report.accepted, problems().size());
  EXPECT_EQ(report.stale + report.foreign + report.malformed, 0U);
  EXPECT_EQ(exported(second.get()), text) << "export, import and export again is the same text";
  for (std::size_t i = 0; i < problems().size(); ++i) {
    const PlanPtr plan = measure(second.get(), problems()[i]);
    ASSERT_NE(plan, nullptr);
    EXPECT_NE(ulpfft_plan_from_wisdom(plan.get()), 0) << problems()[i];
    EXPECT_EQ(recipe_of(plan.get()), recipes[i]) << problems()[i];
    EXPECT_GT(ulpfft_plan_seconds(plan.get()), 0.0) << "the remembered time";
  }
  EXPECT_EQ(ulpfft_wisdom_count(second.get()), problems().size()) << "nothing was measured again";
}

TEST(Wisdom, ServesTheOtherDirectionAndAnotherScale) {
  const ContextPtr context = make_context();
  const PlanPtr first = measure(context.get(), "1024 f32");
  const PlanPtr second = measure(context.get(), "1024 f32 inverse scale=1/n");
  EXPECT_NE(ulpfft_plan_from_wisdom(second.get()), 0);
  EXPECT_EQ(recipe_of(first.get()), recipe_of(second.get()));
  const PlanPtr third = measure(context.get(), "1024 f32 inplace");
  EXPECT_EQ(ulpfft_plan_from_wisdom(third.get()), 0) << "placement is in the key";
}

// An entry of a narrow problem, as if the format had another name when it was written.
std::string of_another_format(std::string text, const std::string& now, const std::string& then) {
  const std::size_t at = text.find("\"problem\": \"64 " + now + "\"");
  EXPECT_NE(at, std::string::npos) << text;
  return text.replace(at + std::string("\"problem\": \"64 ").size(), now.size(), then);
}

TEST(Wisdom, OfAFormatThatTheBuildLacksIsLeftOutWithItsName) {
  const ContextPtr first = make_context();
  (void)measure(first.get(), "64 f16");
  (void)measure(first.get(), "128 f32");
  const ContextPtr second = make_context();
  auto report = sized<ulpfft_import_report>();
  ASSERT_EQ(import(second.get(), of_another_format(exported(first.get()), "f16", "fp7"), &report), ULPFFT_OK) << last_error_text();
  const std::string details = take(report.details);
  EXPECT_EQ(report.accepted, 1U) << "the other entry serves: " << details;
  EXPECT_EQ(report.stale, 1U) << details;
  EXPECT_NE(details.find("'64 fp7'"), std::string::npos) << details;
  EXPECT_NE(details.find("There is no format 'fp7'; this build has f32"), std::string::npos) << details;
  EXPECT_EQ(ulpfft_wisdom_count(second.get()), 1U);
}

// The codelets are the same ones, and so is the recipe: only the numbers mean something else.
TEST(Wisdom, OfAFormatThatMeansSomethingElseIsStale) {
  const ContextPtr first = make_context();
  for (const auto& [now, then] : {std::pair{"e4m3", "e4m3fnuz"}, std::pair{"mxfp8_e4m3", "mxfp8_e5m2"}, std::pair{"i8->f32", "u8->f32"}}) {
    (void)ulpfft_wisdom_forget(first.get());
    (void)measure(first.get(), std::string("64 ") + now);
    const std::string text = exported(first.get());
    const ContextPtr second = make_context();
    auto report = sized<ulpfft_import_report>();
    ASSERT_EQ(import(second.get(), text, &report), ULPFFT_OK) << last_error_text();
    const std::string before = take(report.details);
    EXPECT_EQ(report.accepted, 1U) << before;
    (void)ulpfft_wisdom_forget(second.get());
    report = sized<ulpfft_import_report>();
    ASSERT_EQ(import(second.get(), of_another_format(text, now, then), &report), ULPFFT_OK) << last_error_text();
    const std::string details = take(report.details);
    EXPECT_EQ(report.stale, 1U) << details;
    EXPECT_NE(details.find("its codelets or formats have changed since"), std::string::npos) << details;
    const PlanPtr plan = measure(second.get(), std::string("64 ") + then);
    ASSERT_NE(plan, nullptr);
    EXPECT_EQ(ulpfft_plan_from_wisdom(plan.get()), 0) << "planned anew";
  }
}

TEST(Wisdom, ForgottenIsGone) {
  const ContextPtr context = make_context();
  (void)measure(context.get(), "256 f32");
  EXPECT_EQ(ulpfft_wisdom_count(context.get()), 1U);
  EXPECT_EQ(ulpfft_wisdom_forget(context.get()), ULPFFT_OK);
  EXPECT_EQ(ulpfft_wisdom_count(context.get()), 0U);
  EXPECT_EQ(ulpfft_plan_from_wisdom(measure(context.get(), "256 f32").get()), 0);
}

TEST(Wisdom, EntriesTellWhatTheyRemember) {
  const ContextPtr context = make_context();
  const PlanPtr plan = measure(context.get(), "512*2 f64 inverse");
  auto entry = sized<ulpfft_wisdom_entry>();
  ASSERT_EQ(ulpfft_wisdom_get(context.get(), 0, &entry), ULPFFT_OK) << last_error_text();
  EXPECT_STREQ(entry.recipe, recipe_of(plan.get()).c_str());
  EXPECT_STREQ(entry.machine, ulpfft_machine(context.get()));
  EXPECT_STREQ(entry.effort, "measure");
  EXPECT_EQ(std::string(entry.problem).rfind("512*2 f64", 0), 0U) << entry.problem;
  EXPECT_NE(entry.usable, 0);
  EXPECT_GT(entry.seconds, 0.0);
  EXPECT_GE(entry.spread, 0.0);
  EXPECT_GT(entry.error, 0.0);
  EXPECT_EQ(entry.threads, 1);
  EXPECT_STREQ(entry.error_level, "predicted");
}

TEST(Wisdom, EntriesAreReadByOlderProgramsToo) {
  const ContextPtr context = make_context();
  (void)measure(context.get(), "64 f32");
  auto entry = sized<ulpfft_wisdom_entry>();
  entry.size = offsetof(ulpfft_wisdom_entry, threads);
  entry.threads = -7;
  ASSERT_EQ(ulpfft_wisdom_get(context.get(), 0, &entry), ULPFFT_OK) << last_error_text();
  EXPECT_STREQ(entry.problem, "64 f32");
  EXPECT_EQ(entry.threads, -7) << "beyond the size the program knows";
  entry.size -= 1;
  EXPECT_EQ(ulpfft_wisdom_get(context.get(), 0, &entry), ULPFFT_INVALID_ARGUMENT);
}

TEST(Wisdom, OfEachTargetIsForeignToTheOthers) {
  for (const Target& source : targets()) {
    const ContextPtr maker = make_context(source.name.c_str());
    (void)measure(maker.get(), "64 f32");
    for (const Target& target : targets()) {
      const ContextPtr reader = make_context(target.name.c_str());
      auto report = sized<ulpfft_import_report>();
      ASSERT_EQ(import(reader.get(), exported(maker.get()), &report), ULPFFT_OK) << last_error_text();
      const std::string details = take(report.details);
      if (target.name == source.name) {
        EXPECT_EQ(report.accepted, 1U) << target << ": " << details;
      } else {
        EXPECT_EQ(report.foreign, 1U) << source << " to " << target << ": " << details;
        EXPECT_NE(details, "");
        EXPECT_EQ(ulpfft_plan_from_wisdom(measure(reader.get(), "64 f32").get()), 0) << source << " to " << target;
      }
    }
  }
}

TEST(BadWisdom, LeavesTheContextAsItWas) {
  const ContextPtr context = make_context();
  for (const std::string& problem : problems()) (void)measure(context.get(), problem);
  const std::string before = exported(context.get());
  std::vector<std::string> bad{"", " ", "null", "[]", "{", "{}", "[1,2,3]", "\"text\"", "\xff\xfe", std::string(100000, '['), "{\"schema\":1",
                               before + before, before + "x", before.substr(0, before.size() / 2), std::string(1, '\0') + before};
  Random random(5);
  for (int i = 0; i < 40; ++i) bad.push_back(before.substr(0, random.below(before.size() - 2)));
  for (const std::string& text : bad) {
    auto report = sized<ulpfft_import_report>();
    const ulpfft_status status = import(context.get(), text, &report);
    take(report.details);
    EXPECT_NE(status, ULPFFT_OK) << "accepted: " << text.substr(0, 60);
    EXPECT_NE(status, ULPFFT_INTERNAL) << last_error_text();
    EXPECT_EQ(exported(context.get()), before) << "changed by: " << text.substr(0, 60);
  }
}

// Any byte may be anything: the outcome is a status, and every entry taken over still leads to a working plan.
TEST(BadWisdom, WithOneByteChangedNeverBreaksAPlan) {
  const ContextPtr source = make_context();
  for (const char* problem : {"64 f64", "60 f64"}) (void)measure(source.get(), problem);
  const std::string good = exported(source.get());
  Random random(6);
  for (int i = 0; i < (full_run() ? 20000 : 1000); ++i) {
    std::string text = good;
    text[random.below(text.size())] = static_cast<char>(32 + random.below(95));
    const ContextPtr context = make_context();
    auto report = sized<ulpfft_import_report>();
    const ulpfft_status status = import(context.get(), text, &report);
    take(report.details);
    EXPECT_NE(status, ULPFFT_INTERNAL) << text;
    for (const std::int64_t n : {60, 64}) {
      const PlanPtr plan = make_plan(context.get(), std::to_string(n) + " f64");
      ASSERT_NE(plan, nullptr) << text;
      const auto in = impulse<double>(static_cast<std::size_t>(n), 0);
      auto out = in;
      ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_OK) << text;
      ASSERT_EQ(out, std::vector<std::complex<double>>(static_cast<std::size_t>(n), 1.0)) << recipe_of(plan.get()) << '\n' << text;
    }
  }
}

// A variable of the environment that gets its value back.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value != nullptr ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(DefaultWisdom, IsKeptInTheUsersFile) {
  const Folder folder;
  const std::string path = folder.file("cache/plans.json");
  const Variable variable("ULPFFT_WISDOM", path.c_str());
  EXPECT_EQ(ulpfft_wisdom_user_path(), path);
  EXPECT_STREQ(ulpfft_wisdom_system_path(), "/etc/ulpfft/wisdom.json");
  const auto import_default = [](ulpfft_context* context) {
    auto report = sized<ulpfft_import_report>();
    EXPECT_EQ(ulpfft_wisdom_import_default(context, &report), ULPFFT_OK) << last_error_text();
    take(report.details);
    return report.accepted;
  };
  const ContextPtr none = make_context();
  const std::size_t of_the_system = import_default(none.get());  // the user's file does not exist

  const ContextPtr first = make_context();
  (void)measure(first.get(), "96*3 f32 centered");
  ASSERT_EQ(ulpfft_wisdom_export_default(first.get()), ULPFFT_OK) << last_error_text();
  const ContextPtr second = make_context();
  EXPECT_EQ(import_default(second.get()), of_the_system + 1);
  EXPECT_NE(ulpfft_plan_from_wisdom(measure(second.get(), "96*3 f32 centered").get()), 0);

  std::ofstream(path) << "dear diary";
  const std::string before = exported(second.get());
  EXPECT_EQ(ulpfft_wisdom_import_default(second.get(), nullptr), ULPFFT_INVALID_TEXT);
  EXPECT_NE(std::string(ulpfft_last_error()).find(path), std::string::npos) << ulpfft_last_error();
  EXPECT_EQ(ulpfft_wisdom_export_default(second.get()), ULPFFT_IO);
  EXPECT_EQ(exported(second.get()), before);
}

TEST(DefaultWisdom, WithoutAPlaceIsAnIoError) {
  const Variable wisdom("ULPFFT_WISDOM", nullptr);
  const Variable cache("XDG_CACHE_HOME", nullptr);
  const Variable home("HOME", nullptr);
  EXPECT_STREQ(ulpfft_wisdom_user_path(), "");
  const ContextPtr context = make_context();
  EXPECT_EQ(ulpfft_wisdom_import_default(context.get(), nullptr), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(ulpfft_wisdom_export_default(context.get()), ULPFFT_IO);
  EXPECT_EQ(last_error().field, "path");
}

TEST(WisdomFile, IsWrittenReadAndMerged) {
  const Folder folder;
  const std::string path = folder.file("wisdom.json");
  const ContextPtr first = make_context();
  (void)measure(first.get(), "64 f32");
  ASSERT_EQ(ulpfft_wisdom_export_file(first.get(), path.c_str()), ULPFFT_OK) << last_error_text();
  const ContextPtr second = make_context();
  (void)measure(second.get(), "128 f32");
  ASSERT_EQ(ulpfft_wisdom_export_file(second.get(), path.c_str()), ULPFFT_OK) << last_error_text();
  const ContextPtr third = make_context();
  auto report = sized<ulpfft_import_report>();
  ASSERT_EQ(ulpfft_wisdom_import_file(third.get(), path.c_str(), &report), ULPFFT_OK) << last_error_text();
  const std::string details = take(report.details);
  EXPECT_EQ(report.accepted, 2U) << "the second export merged with the first: " << details;
  EXPECT_LE(folder.entries(), 2U) << "at most the file and its lock stay";
}

TEST(WisdomFile, ThatIsNotWisdomIsKeptAndRefused) {
  const Folder folder;
  const std::string path = folder.file("notes.txt");
  std::ofstream(path) << "dear diary";
  const ContextPtr context = make_context();
  (void)measure(context.get(), "64 f32");
  EXPECT_NE(ulpfft_wisdom_import_file(context.get(), path.c_str(), nullptr), ULPFFT_OK);
  EXPECT_EQ(ulpfft_wisdom_count(context.get()), 1U);
  EXPECT_NE(ulpfft_wisdom_export_file(context.get(), path.c_str()), ULPFFT_OK) << "overwrites a file that is not wisdom";
  EXPECT_EQ(contents(path), "dear diary");
}

TEST(WisdomFile, ThatCannotBeReadOrWrittenGivesAnIoError) {
  const Folder folder;
  const ContextPtr context = make_context();
  (void)measure(context.get(), "64 f32");
  EXPECT_EQ(ulpfft_wisdom_import_file(context.get(), folder.file("absent.json").c_str(), nullptr), ULPFFT_IO);
  EXPECT_EQ(ulpfft_wisdom_import_file(context.get(), folder.file("").c_str(), nullptr), ULPFFT_IO) << "a folder";
  EXPECT_EQ(ulpfft_wisdom_export_file(context.get(), folder.file("no/such/folder.json").c_str()), ULPFFT_IO);
  EXPECT_NE(std::string(ulpfft_last_error()), "");
}

}  // namespace
}  // namespace ulpfft::test
