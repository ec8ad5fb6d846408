// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays in files: every storage of the build comes back as it was written, files that are wrong are refused by name, field and
// bytes, and files of version 0.1.0 of the tool are read and written byte by byte.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/api.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void put(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from << " in " << text;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

// A .npy file of any header.
std::string npy(const std::string& header, const std::string& numbers) {
  const std::string text = header + "\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size() & 0xFF) + static_cast<char>(text.size() >> 8) +
         text + numbers;
}

std::vector<std::byte> pattern(std::size_t count, unsigned seed) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>((seed = seed * 1664525u + 1013904223u) >> 24);
  return bytes;
}

std::vector<std::string> narrow_storages() {
  std::vector<std::string> names;
  for (const ulpfft_format& format : formats()) {
    if (std::string(format.kind) == "wide") continue;
    names.emplace_back(format.name);
    const bool has_mantissa = std::string(format.rule) == "te";  // of its scales
    if (std::string(format.kind) == "block") names.push_back(format.name + std::string(has_mantissa ? ":b4:torchao" : ":b4:floor"));
  }
  return names;
}

std::size_t product(const std::vector<std::int64_t>& lengths) {
  std::size_t count = 1;
  for (const std::int64_t length : lengths) count *= static_cast<std::size_t>(length);
  return count;
}

// With codes and scales of any bits.
StoredArray array_of(const std::string& storage, bool is_complex, const std::vector<std::int64_t>& shape, int axis) {
  StoredArray array;
  array.storage = storage;
  array.is_complex = is_complex;
  array.shape = shape;
  array.axis = axis;
  if (product(shape) == 0) return array;
  std::vector<std::int64_t> lengths;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (static_cast<int>(d) != axis) lengths.push_back(shape[d]);
  }
  lengths.push_back((shape.empty() ? 1 : shape[static_cast<std::size_t>(axis)]) * (is_complex ? 2 : 1));
  const ulpfft_layout layout = format_layout(storage, lengths);
  array.codes = pattern(static_cast<std::size_t>(layout.data_bytes), 7);
  array.scales = pattern(static_cast<std::size_t>(layout.scale_bytes), 11);
  return array;
}

void expect_equal(const StoredArray& got, const StoredArray& wanted) {
  EXPECT_EQ(got.storage, wanted.storage);
  EXPECT_EQ(got.is_complex, wanted.is_complex);
  EXPECT_EQ(got.shape, wanted.shape);
  EXPECT_EQ(got.axis, wanted.axis);
  EXPECT_EQ(got.codes, wanted.codes);
  EXPECT_EQ(got.scales, wanted.scales);
  EXPECT_EQ(got.exponents, wanted.exponents);
  EXPECT_EQ(got.exponent_shape, wanted.exponent_shape);
}

class ArrayFiles : public testing::Test {
 protected:
  ArrayFiles() : folder_(fs::temp_directory_path() / ("ulpfft_array_files." + std::to_string(::getpid()))) {
    fs::create_directory(folder_);
  }
  ~ArrayFiles() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ / name; }
  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& entry : fs::directory_iterator(folder_)) list.push_back(entry.path().filename());
    return list;
  }

  // Opening fails with this status, and the message and the field begin with the file and the field at fault.
  void expect_refused(const std::string& file, const std::string& at_fault, const std::string& field, ulpfft_status status) {
    ulpfft_array_file* opened = reinterpret_cast<ulpfft_array_file*>(1);
    EXPECT_EQ(ulpfft_array_file_open(path(file).c_str(), &opened), status) << last_error_text();
    EXPECT_EQ(opened, nullptr);
    const LastError error = last_error();
    EXPECT_EQ(error.field, field) << error.message;
    const std::string begin = path(at_fault) + ": " + (field == "path" || field.empty() ? "" : field + ": ");
    EXPECT_EQ(error.message.substr(0, begin.size()), begin);
  }
  // The bytes of the file that the last error is about.
  std::string bytes_at_fault(const std::string& file) const {
    const LastError error = last_error();
    return content(path(file)).substr(error.begin, error.end - error.begin);
  }

 private:
  fs::path folder_;
};

TEST_F(ArrayFiles, EveryStorageComesBackAsItWasWritten) {
  const std::vector<std::pair<std::vector<std::int64_t>, int>> shapes = {{{3, 5}, 1}, {{3, 5, 2}, 0}, {{7}, 0},    {{1, 33}, 1},
                                                                         {{}, 0},     {{0}, 0},       {{4, 0}, 0}, {{0, 3}, 1}};
  for (const std::string& storage : narrow_storages()) {
    for (const bool is_complex : {true, false}) {
      for (const auto& [shape, axis] : shapes) {
        SCOPED_TRACE(storage + (is_complex ? " complex, " : " real, ") + std::to_string(shape.size()) + " axes");
        const StoredArray array = array_of(storage, is_complex, shape, axis);
        write_array(path("x.json"), array);
        expect_equal(read_array(path("x.json")), array);
      }
    }
  }
  EXPECT_EQ(names().size(), 3u) << "codes, scales and the description, nothing else";
}

TEST_F(ArrayFiles, ExponentsComeBackInEveryShapeThatSuits) {
  for (const std::vector<std::int64_t>& exponent_shape : {std::vector<std::int64_t>{3, 1}, {1, 5}, {3, 5}, {1, 1}}) {
    StoredArray array = array_of("e4m3", true, {3, 5}, 1);
    array.exponent_shape = exponent_shape;
    for (std::size_t i = 0; i < product(exponent_shape); ++i)
      array.exponents.push_back(static_cast<std::int32_t>(i) * 1000 - 2000);
    write_array(path("x.json"), array);
    expect_equal(read_array(path("x.json")), array);
  }
  StoredArray one = array_of("f16", true, {}, 0);
  one.exponent_shape.emplace();
  one.exponents = {-3};
  write_array(path("one.json"), one);
  expect_equal(read_array(path("one.json")), one);
}

TEST_F(ArrayFiles, FilesOfEarlierToolsAreReadAndWrittenByteByByte) {
  for (const std::string name : {"blocks", "exponents"}) {
    const std::string golden = std::string(ULPFFT_GOLDEN_FOLDER) + "/narrow_arrays/" + name;
    const StoredArray array = read_array(golden + ".json");
    write_array(path(name + ".json"), array);
    for (const char* part : {".json", ".codes.npy", ".scales.npy", ".exponents.npy"}) {
      EXPECT_EQ(fs::exists(golden + part), fs::exists(path(name + part)));
      EXPECT_EQ(content(golden + part), content(path(name + part))) << name << part;
    }
  }
  // mxfp6_e2m3 in blocks of 4 along axis 0: the numbers are multiples of 1/4 that it holds.
  const StoredArray array = read_array(std::string(ULPFFT_GOLDEN_FOLDER) + "/narrow_arrays/blocks.json");
  EXPECT_EQ(array.storage, "mxfp6_e2m3:b4");
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{3, 5}));
  EXPECT_EQ(array.axis, 0);
  ulpfft_conversion conversion = ULPFFT_CONVERSION_INIT;
  conversion.storage = array.storage.c_str();
  conversion.rows = 5;
  conversion.reals = 6;
  std::vector<float> reals(30);
  ASSERT_EQ(ulpfft_decode(nullptr, &conversion, array.codes.data(), array.scales.data(), reals.data()), ULPFFT_OK);
  for (int column = 0; column < 5; ++column) {
    for (int row = 0; row < 3; ++row) {
      const int i = 5 * row + column;
      const float re = static_cast<float>((7 * i) % 11 - 5) / 4, im = static_cast<float>((3 * i) % 7 - 3) / 4;
      EXPECT_EQ(reals[static_cast<std::size_t>(6 * column + 2 * row)], re) << i;
      EXPECT_EQ(reals[static_cast<std::size_t>(6 * column + 2 * row + 1)], im) << i;
    }
  }
}

TEST_F(ArrayFiles, NumpysFilesAreReadInBothOrders) {
  put(path("x.npy"),
      npy("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }", std::string("\0\1\0\2\0\3\0\4\0\5\1\0", 12)));
  const ArrayFile file(path("x.npy"));
  EXPECT_STREQ(file.facts().storage, "i16");
  EXPECT_STREQ(file.facts().numpy_type, ">i2");
  EXPECT_EQ(file.facts().axis, 0);
  EXPECT_EQ(file.facts().first_axis_fastest, 1);
  std::int16_t numbers[6] = {};
  file.read(ArrayPart::kCodes, 0, std::as_writable_bytes(std::span(numbers)));
  EXPECT_EQ(std::vector<std::int16_t>(numbers, numbers + 6), (std::vector<std::int16_t>{1, 2, 3, 4, 5, 256}));
  file.read(ArrayPart::kCodes, 8, std::as_writable_bytes(std::span(numbers).first(2)));
  EXPECT_EQ(numbers[1], 256);
  const std::string whole = content(path("x.npy"));
  EXPECT_EQ(static_cast<std::size_t>(file.facts().codes_begin), whole.size() - 12);
  for (const auto& [type, storage] :
       {std::pair{"<c16", "f64"}, {"<f4", "f32"}, {"<f2", "f16"}, {"|i1", "i8"}, {"<i4", ""}, {"|b1", ""}, {"|u1", ""}}) {
    const std::size_t bytes = std::string(type) == "<c16" ? 16 : static_cast<std::size_t>(type[2] - '0');
    put(path("y.npy"),
        npy(std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (3,), }", std::string(3 * bytes, '\1')));
    const StoredArray array = read_array(path("y.npy"));
    EXPECT_EQ(array.storage, storage) << type;
    EXPECT_EQ(array.is_complex, type[1] == 'c');
    EXPECT_EQ(array.codes, std::vector<std::byte>(3 * bytes, std::byte{1}));
  }
  put(path("one.npy"), npy("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "abcd"));
  EXPECT_EQ(read_array(path("one.npy")).codes.size(), 4u);
}

TEST_F(ArrayFiles, WrongDescriptionsAreRefusedByFieldAndBytes) {
  write_array(path("x.json"), array_of("mxfp8_e4m3:b4", true, {3, 8}, 1));
  const std::string sound = content(path("x.json"));
  struct Wrong {
    const char *from, *to, *field, *bytes;
    ulpfft_status status = ULPFFT_INVALID_TEXT;
  };
  const Wrong all[] = {{"\"version\":1", "\"version\":2", "version", "2"},
                       {"narrow array", "plans", "ulpfft", "\"plans\""},
                       {"mxfp8_e4m3:b4", "e9m9", "format", "\"e9m9\"", ULPFFT_UNKNOWN_NAME},
                       {"mxfp8_e4m3:b4", "f32", "format", "\"f32\""},
                       {"mxfp8_e4m3:b4", "e4m3", "scales", "\"x.scales.npy\""},
                       {"\"complex\"", "\"both\"", "numbers", "\"both\""},
                       {"\"complex\"", "true", "numbers", "true"},
                       {"[3,8]", "[3, -8]", "shape", "[3, -8]"},
                       {"[3,8]", "[3,8.0]", "shape", "8.0"},
                       {"[3,8]", "\"x\"", "shape", "\"x\""},
                       {"[3,8]", "{}", "shape", "{"},
                       {"[3,8]", "[9223372036854775808,8]", "shape", "[9223372036854775808,8]"},
                       {"\"axis\":1", "\"axis\":2", "axis", "2"},
                       {"\"axis\":1", "\"axis\":-1", "axis", "-1"},
                       {"x.codes.npy", "../x.codes.npy", "codes", "\"../x.codes.npy\""},
                       {"x.codes.npy", "x\\u0000", "codes", "\"x\\u0000\""},
                       {"\"x.codes.npy\"", "7", "codes", "7"},
                       {"\"axis\":1", "\"axis\":1,\"axis\":0", "axis", ""},
                       {"\"axis\":1", "\"axis\":1,\"more\":0", "more", "0"},
                       {"\"axis\":1", "\"axis\":1,\"exponents\":\"x\"", "exponent_shape", ""},
                       {"\"axis\":1", "\"axis\":1,\"exponents\":\"x\",\"exponent_shape\":[3,2]", "exponent_shape", "[3,2]"},
                       {"\"axis\":1", "\"axis\" 1", "file", "1"},
                       {"\"axis\":1", "\"axis\":01", "axis", "01"},
                       {"\"complex\"", "\"compl\nex\"", "file", "\n"},
                       {"\"complex\"", "\"\\ud800\"", "file", "\""}};
  for (const Wrong& wrong : all) {
    SCOPED_TRACE(wrong.to);
    put(path("bad.json"), replaced(sound, wrong.from, wrong.to));
    expect_refused("bad.json", "bad.json", wrong.field, wrong.status);
    EXPECT_EQ(bytes_at_fault("bad.json"), wrong.bytes);
  }
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{"), std::string(60000, '['), sound + "x", std::string(70000, ' ')}) {
    put(path("bad.json"), text);
    expect_refused("bad.json", "bad.json", "file", ULPFFT_INVALID_TEXT);
  }
  for (const char* field : {"ulpfft", "version", "format", "numbers", "shape", "axis", "codes", "scales"}) {
    put(path("bad.json"), replaced(sound, std::string("\"") + field + "\":", std::string("\"x") + field + "\":"));
    ulpfft_array_file* opened = nullptr;
    EXPECT_EQ(ulpfft_array_file_open(path("bad.json").c_str(), &opened), ULPFFT_INVALID_TEXT) << field;
  }
  // What JSON may hold besides: spaces, another order, escapes, a mark at the beginning.
  put(path("good.json"), "\xEF\xBB\xBF" +
                             replaced(replaced(sound, "x.codes.npy", "x.c\\u006fdes.npy"), ",\"axis\":1", " ,\n\t\"axis\" : 1 ") +
                             "\n\n");
  EXPECT_EQ(read_array(path("good.json")).axis, 1);
}

TEST_F(ArrayFiles, WrongPartsAreRefusedByFileFieldAndBytes) {
  write_array(path("x.json"), array_of("mxfp8_e4m3:b4", true, {3, 8}, 1));
  for (const std::string part : {"codes", "scales"}) {
    const std::string name = "x." + part + ".npy", whole = content(path(name));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      put(path(name), whole.substr(0, size));
      ulpfft_array_file* opened = nullptr;
      ASSERT_EQ(ulpfft_array_file_open(path("x.json").c_str(), &opened), ULPFFT_INVALID_TEXT) << size;
      ASSERT_EQ(last_error().message.find(path(name)), 0u) << last_error().message;
    }
    const std::string shape = part == "codes" ? "(3, 8, 2)" : "(3, 4)", other = part == "codes" ? "(4, 8, 2)" : "(4, 4)";
    const std::vector<std::array<std::string, 3>> cases = {{whole + "x", "data", ""},
                                                           {replaced(whole, "|u1", "<f4"), "descr", "'<f4'"},
                                                           {replaced(whole, "False", "True "), "fortran_order", "True"},
                                                           {replaced(whole, "False", "Maybe"), "fortran_order", "M"},
                                                           {replaced(whole, shape, other), "shape", other},
                                                           {replaced(whole, "NUMPY", "NUMPX"), "magic", "\x93NUMPX"},
                                                           {replaced(whole, "'descr'", "'discr'"), "header", ""}};
    for (const auto& [text, field, bytes] : cases) {
      put(path(name), text);
      expect_refused("x.json", name, field, ULPFFT_INVALID_TEXT);
      if (!bytes.empty()) {
        EXPECT_EQ(bytes_at_fault(name), bytes);
      }
    }
    fs::remove(path(name));
    expect_refused("x.json", name, "path", ULPFFT_IO);
    put(path(name), whole);
  }
  for (const char* type : {"<f16", "|O", "<U4", "c8", ""}) {
    put(path("y.npy"),
        npy(std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (1,), }", std::string(16, 'x')));
    expect_refused("y.npy", "y.npy", "descr", ULPFFT_UNSUPPORTED);
  }
  // Sizes that no memory holds are refused before any is taken.
  put(path("y.npy"), npy("{'descr': '<c16', 'fortran_order': False, 'shape': (281474976710656,), }", "x"));
  expect_refused("y.npy", "y.npy", "data", ULPFFT_INVALID_TEXT);
  put(path("y.npy"), npy("{'descr': '<c16', 'fortran_order': False, 'shape': (281474976710656, 2), }", "x"));
  expect_refused("y.npy", "y.npy", "shape", ULPFFT_INVALID_TEXT);
}

TEST_F(ArrayFiles, LinksAreFollowedWhereTheyLeadToAFile) {
  const StoredArray array = array_of("f16", false, {4}, 0);
  write_array(path("x.json"), array);
  fs::rename(path("x.codes.npy"), path("elsewhere.npy"));
  fs::create_symlink("elsewhere.npy", path("x.codes.npy"));
  expect_equal(read_array(path("x.json")), array);
  const auto expect_path_error = [&] { expect_refused("x.json", "x.codes.npy", "path", ULPFFT_IO); };
  for (const char* target : {"nothing.npy", "x.codes.npy", "."}) {
    fs::remove(path("x.codes.npy"));
    fs::create_symlink(target, path("x.codes.npy"));
    SCOPED_TRACE(target);
    expect_path_error();
  }
  fs::remove(path("x.codes.npy"));
  ASSERT_EQ(::mkfifo(path("x.codes.npy").c_str(), 0600), 0);
  expect_path_error();  // and does not wait for a writer
  // Writing replaces what has the name, not what it leads to.
  fs::remove(path("x.codes.npy"));
  fs::create_symlink("elsewhere.npy", path("x.codes.npy"));
  const std::string before = content(path("elsewhere.npy"));
  write_array(path("x.json"), array_of("e4m3", false, {4}, 0));
  EXPECT_EQ(content(path("elsewhere.npy")), before);
  EXPECT_FALSE(fs::is_symlink(path("x.codes.npy")));
}

TEST_F(ArrayFiles, WhatCannotBeWrittenLeavesEverythingAsItWas) {
  const StoredArray old = array_of("mxint8", true, {3, 5}, 1), other = array_of("mxint8", true, {64, 64}, 1);
  write_array(path("x.json"), old);
  const auto expect_failure = [&](const std::string& file) {
    const std::vector<std::string> before = names();
    EXPECT_THROW(write_array(path("x.json"), other), Error);
    EXPECT_EQ(last_error().status, ULPFFT_IO);
    EXPECT_EQ(last_error().message.find(path(file)), 0u) << last_error().message;
    EXPECT_EQ(names().size(), before.size());
  };
  for (const char* part : {"x.codes.npy", "x.scales.npy", "x.json"}) {
    fs::rename(path(part), path("kept"));
    fs::create_directory(path(part));
    ASSERT_NO_FATAL_FAILURE(expect_failure(part));
    fs::remove(path(part));
    fs::rename(path("kept"), path(part));
    expect_equal(read_array(path("x.json")), old);
  }
  struct rlimit limit = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const struct rlimit less = {4096, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &less), 0);
  expect_failure("x.codes.npy");  // SIGXFSZ, whose default action ends the program, does not come
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  expect_equal(read_array(path("x.json")), old);
  EXPECT_THROW(write_array(path("no/such/folder.json"), old), Error);
  EXPECT_EQ(last_error().status, ULPFFT_IO);
}

TEST_F(ArrayFiles, ThreadsThatWriteOneArrayLeaveOneOfThem) {
  // The arrays have equal layouts, so that whichever files are the last, they suit each other.
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 8; ++i) {
        try {
          write_array(path("x.json"), array_of("mxint8", true, {16, 16}, 1));
        } catch (const Error&) {
          ++failures;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  expect_equal(read_array(path("x.json")), array_of("mxint8", true, {16, 16}, 1));
  EXPECT_EQ(names().size(), 3u);
}

TEST_F(ArrayFiles, ArgumentsAreRefusedByName) {
  const std::int64_t shape[] = {3, 5}, negative[] = {3, -5}, exponent_shape[] = {3, 2};
  const std::int32_t exponents[6] = {};
  const std::byte codes[1000] = {};
  ulpfft_stored_array good = ULPFFT_STORED_ARRAY_INIT;
  good.storage = "mxint8";
  good.is_complex = 1;
  good.rank = 2;
  good.shape = shape;
  good.axis = 1;
  good.codes = good.scales = codes;
  const auto expect_field = [&](const char* field, ulpfft_status status,
                                const std::function<void(ulpfft_stored_array&)>& change) {
    ulpfft_stored_array bad = good;
    change(bad);
    EXPECT_EQ(ulpfft_array_file_write(path("x.json").c_str(), &bad), status) << last_error_text();
    EXPECT_EQ(last_error().field, field) << last_error_text();
  };
  using A = ulpfft_stored_array;
  expect_field("storage", ULPFFT_INVALID_ARGUMENT, [](A& a) { a.storage = nullptr; });
  expect_field("storage", ULPFFT_UNKNOWN_NAME, [](A& a) { a.storage = "e9m9"; });
  expect_field("storage", ULPFFT_INVALID_ARGUMENT, [](A& a) { a.storage = "f32"; });
  expect_field("rank", ULPFFT_INVALID_ARGUMENT, [](A& a) { a.rank = 65; });
  expect_field("rank", ULPFFT_INVALID_ARGUMENT, [](A& a) { a.rank = -1; });
  expect_field("shape", ULPFFT_INVALID_ARGUMENT, [](A& a) { a.shape = nullptr; });
  expect_field("shape", ULPFFT_INVALID_ARGUMENT, [&](A& a) { a.shape = negative; });
  expect_field("axis", ULPFFT_INVALID_ARGUMENT, [](A& a) { a.axis = 2; });
  expect_field("codes", ULPFFT_INVALID_ARGUMENT, [](A& a) { a.codes = nullptr; });
  expect_field("code_bytes", ULPFFT_INVALID_ARGUMENT, [](A& a) { a.code_bytes = 31; });
  expect_field("scales", ULPFFT_INVALID_ARGUMENT, [](A& a) { a.scales = nullptr; });
  expect_field("scales", ULPFFT_INVALID_ARGUMENT, [](A& a) { a.storage = "f16"; });
  expect_field("scale_bytes", ULPFFT_INVALID_ARGUMENT, [](A& a) { a.scale_bytes = 4; });
  expect_field("exponent_shape", ULPFFT_INVALID_ARGUMENT, [&](A& a) { a.exponents = exponents; });
  expect_field("exponent_shape", ULPFFT_INVALID_ARGUMENT,
               [&](A& a) { a.exponents = exponents, a.exponent_shape = exponent_shape; });
  expect_field("exponents", ULPFFT_INVALID_ARGUMENT, [&](A& a) { a.exponent_shape = shape; });
  for (const char* name : {"x.npy", "x", ".json", ""}) {
    EXPECT_EQ(ulpfft_array_file_write(name, &good), ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(last_error().field, "path");
  }
  EXPECT_TRUE(names().empty());
  ASSERT_EQ(ulpfft_array_file_write(path("x.json").c_str(), &good), ULPFFT_OK) << last_error_text();
  ulpfft_array_file* file = nullptr;
  ASSERT_EQ(ulpfft_array_file_open(path("x.json").c_str(), &file), ULPFFT_OK);
  std::byte into[64];
  for (const auto& [part, first, bytes, field] : {std::tuple{3, 0, 1, "part"},
                                                  {ULPFFT_EXPONENTS + 0, 0, 4, "part"},
                                                  {ULPFFT_CODES + 0, -1, 1, "first"},
                                                  {ULPFFT_CODES + 0, 31, 1, "first"},
                                                  {ULPFFT_CODES + 0, 0, 31, "bytes"},
                                                  {ULPFFT_CODES + 0, 0, -1, "bytes"}}) {
    EXPECT_EQ(ulpfft_array_file_read(file, part, first, bytes, into), ULPFFT_INVALID_ARGUMENT) << field;
    EXPECT_EQ(last_error().field, field);
  }
  EXPECT_EQ(ulpfft_array_file_read(file, ULPFFT_CODES, 0, 30, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_array_file_read(file, ULPFFT_CODES, 0, 0, nullptr), ULPFFT_OK);
  ulpfft_array_file_close(file);
  ulpfft_array_file_close(nullptr);
  EXPECT_EQ(ulpfft_array_file_open(path("x.json").c_str(), nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_array_file_open(nullptr, &file), ULPFFT_INVALID_ARGUMENT);
}

// A file that ends early only after it was opened.
TEST_F(ArrayFiles, FilesThatShrinkMeanwhileAreTold) {
  const StoredArray array = array_of("i16", false, {100}, 0);
  write_array(path("x.json"), array);
  const ArrayFile file(path("x.json"));
  fs::resize_file(path("x.codes.npy"), static_cast<std::uintmax_t>(file.facts().codes_begin) + 150);
  std::vector<std::byte> codes(200);
  EXPECT_THROW(file.read(ArrayPart::kCodes, 0, codes), Error);
  EXPECT_EQ(last_error().field, "data");
  EXPECT_EQ(last_error().begin, static_cast<std::size_t>(file.facts().codes_begin) + 150);
}

}  // namespace
}  // namespace ulpfft::test
