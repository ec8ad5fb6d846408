// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A row for each kind of pass: the facts of PassKind (codelet.h has the definitions in words, pass_definition.h those of lines as loops).
#ifndef ULPFFT_CODELETS_CONTRACT_PASS_ROWS_H_
#define ULPFFT_CODELETS_CONTRACT_PASS_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "codelets/contract/codelet.h"
#include "codelets/contract/pass_slice.h"

namespace ulpfft {

// What runs over the data.
//   kTransform   a generated body, or two, in loops over transforms: a butterfly is a transform
//   kStage       a generated body in loops over lanes and axes: a butterfly is a part of a transform
//   kPanel       a panel of rows and columns
//   kLine        a line of points
//   kRealLine    a line between reals, or half a spectrum, and numbers
//   kR2rLine     a line between reals
enum class PassLoops : std::uint8_t { kTransform, kStage, kPanel, kLine, kRealLine, kR2rLine };

constexpr unsigned bit_of(PassVariable variable) { return 1U << static_cast<unsigned>(variable); }

// How many points a line has at an end, of `lanes`. kRows: rows q of lanes / r points each, 2 q < r = PassArgs::row.
enum class PassPoints : std::uint8_t { kLanes, kOneMore, kHalf, kRows };

// What Edge::swap does. kExchanges: re and im change places. kConjugates: im changes its sign. kAsDefined: the definition says it.
enum class PassSwap : std::uint8_t { kNone, kExchanges, kConjugates, kAsDefined };

enum class PassPlanes : std::uint8_t { kNever, kPerhaps, kAlways };

struct PassEnd {
  bool real = false;                       // the points are reals; else complex numbers
  bool half = false;                       // the points are half a spectrum: im of the first one counts as 0
  PassPoints points = PassPoints::kLanes;  // of lines
  PassSwap swap = PassSwap::kExchanges;
  PassPlanes planar = PassPlanes::kNever;  // Edge::planar
  bool other_type = false;                 // f64 where the arithmetic is f32, f32 where it is f64
  bool narrow = false;                     // a target may have codelets that decode or encode here (CodeletTable::fused)
};

// Which points PassArgs::rows lists. kPick: the reals that are read, and their factors.
enum class PassList : std::uint8_t { kNone, kIn, kOut, kPick };

// What PassArgs::table holds.
//   kLaneValues      the values of the body for each lane
//   kAxisValues      the values of the body for each position of axes[1]
//   kPanel           the roots of a panel (Twist)
//   kNumbers         a number for each point; kPointwise: for each position, too
//   kRoots           h / 2 + 1 numbers
//   kFold            three lists of h / 2 + 1 numbers
//   kPairs           a number for each pair of reals
//   kFactors         four reals, the first is 0
//   kPacked          signs, then the twiddles of the second body or the roots of is_of_sums()
enum class PassTable : std::uint8_t { kNone, kLaneValues, kAxisValues, kPanel, kNumbers, kRoots, kFold, kPairs, kFactors, kPacked };

// Whether both ends may be, or are, the same points.
enum class PassPlaces : std::uint8_t { kApart, kMayBeOne, kOne };

struct PassRow {
  PassKind kind{};
  char name[17] = "";
  PassLoops loops = PassLoops::kStage;
  PassEnd in{}, out{};
  bool scales = false;                    // what is loaded is multiplied by PassArgs::scale; else that is 1
  PassTable table = PassTable::kNone;
  PassList list = PassList::kNone;
  PassPlaces places = PassPlaces::kApart;
  unsigned cuts = bit_of(PassVariable::kOuter) | bit_of(PassVariable::kInner);
  char phrase[14] = "";                   // behind the name of a body, in a printed program
  double growth = 1;                      // of the mean square of numbers, beside that of a body: 4 where two are added up and doubled
  BodyFacts body{};                       // of passes without a generated body; counts are per point
};

namespace pass_rows {

using enum PassKind;

inline constexpr PassEnd kReals{.real = true, .swap = PassSwap::kNone}, kNotSwapped{.swap = PassSwap::kNone};
inline constexpr PassEnd kRealsSwapped{.real = true, .swap = PassSwap::kAsDefined}, kMayBePlanar{.planar = PassPlanes::kPerhaps};
inline constexpr PassEnd kPlanar{.planar = PassPlanes::kAlways};
inline constexpr PassEnd kHalfLine{.half = true, .points = PassPoints::kHalf, .swap = PassSwap::kConjugates};
inline constexpr PassEnd kHalfAndOne{.half = true, .points = PassPoints::kOneMore, .swap = PassSwap::kConjugates};
inline constexpr PassEnd kHalfLanes{.half = true, .swap = PassSwap::kConjugates};
inline constexpr PassEnd kInRows{.points = PassPoints::kRows, .swap = PassSwap::kNone};
inline constexpr PassEnd kOtherType{.other_type = true};

inline constexpr unsigned kOuter = bit_of(PassVariable::kOuter), kInner = bit_of(PassVariable::kInner);
inline constexpr unsigned kLanes = bit_of(PassVariable::kLanes), kRows = bit_of(PassVariable::kRows), kEvery = kOuter | kInner | kLanes;

// Errors: a complex product with a rounded root 0.62 u, twist with its product of two table values 0.84 u (measured on random normal data,
// 2^16 products, f32 and f64 alike; a test holds them to 10 %); kUntangle and kTangle 0.79 u, measured alike on 2^16 points; copies are
// exact.
inline constexpr BodyErrors kTwistErrors{0.84, 0.84, 0}, kProductErrors{0.62, 0.62, 0};
inline constexpr BodyErrors kPairErrors{0.79, 0.79, 0}, kFoldErrors{1.0, 1.0, 0};

// Digests are numbered by hand: change one when the arithmetic changes.
constexpr BodyFacts facts(const char* name, std::uint64_t digest, int live_values, OpCounts ops = {}, BodyErrors errors = {}) {
  return {name, 1, TwiddleForm::kNone, ops, live_values, digest, {}, errors, errors};
}

// In the order of PassKind.
inline constexpr PassRow kAll[] = {
    {.kind = kWhole, .name = "whole", .loops = PassLoops::kTransform, .scales = true, .cuts = kEvery, .phrase = " whole"},
    {.kind = kWholeTwo, .name = "whole_two", .loops = PassLoops::kTransform, .scales = true, .table = PassTable::kPacked, .cuts = kOuter,
     .phrase = " in a tile"},
    {.kind = kFirst, .name = "first", .in = {.narrow = true}, .out = kPlanar, .scales = true, .list = PassList::kOut,
     .cuts = kOuter | kLanes, .phrase = " first"},
    {.kind = kTwiddled, .name = "twiddled", .in = kPlanar, .out = {.planar = PassPlanes::kPerhaps, .narrow = true},
     .table = PassTable::kLaneValues, .places = PassPlaces::kMayBeOne, .cuts = kOuter | kLanes, .phrase = " later"},
    {.kind = kColumns, .name = "columns", .out = kMayBePlanar, .scales = true, .list = PassList::kOut, .cuts = kEvery,
     .phrase = " columns"},
    {.kind = kColumnsTwiddled, .name = "columns_twiddled", .in = kPlanar, .out = kMayBePlanar, .table = PassTable::kAxisValues,
     .places = PassPlaces::kMayBeOne, .cuts = kEvery, .phrase = " columns"},
    {.kind = kTwist, .name = "twist", .loops = PassLoops::kPanel, .in = {.swap = PassSwap::kNone, .planar = PassPlanes::kAlways},
     .out = kNotSwapped, .table = PassTable::kPanel, .cuts = kLanes | kRows,
     .body = facts("twist", 0x7457'1570'0000'0001, 8, {0, 4, 4}, kTwistErrors)},
    {.kind = kGather, .name = "gather", .loops = PassLoops::kLine, .scales = true, .list = PassList::kIn,
     .body = facts("gather", 0x6a71'0e00'0000'0001, 2)},
    {.kind = kScatter, .name = "scatter", .loops = PassLoops::kLine, .scales = true, .list = PassList::kOut,
     .body = facts("scatter", 0x5ca7'7e00'0000'0001, 2)},
    {.kind = kPointwise, .name = "pointwise", .loops = PassLoops::kLine, .scales = true, .table = PassTable::kNumbers,
     .places = PassPlaces::kMayBeOne, .body = facts("pointwise", 0x9017'7000'0000'0001, 4, {0, 2, 2}, kProductErrors)},
    {.kind = kConvolve, .name = "convolve", .loops = PassLoops::kLine, .in = {.points = PassPoints::kOneMore},
     .out = {.points = PassPoints::kOneMore}, .table = PassTable::kNumbers, .places = PassPlaces::kOne,
     .body = facts("convolve", 0xc02e'0100'0000'0001, 4, {0, 2, 2}, kProductErrors)},
    {.kind = kDecode, .name = "decode", .loops = PassLoops::kLine, .in = kOtherType, .scales = true,
     .body = facts("decode", 0xdec0'de00'0000'0001, 2)},
    {.kind = kEncode, .name = "encode", .loops = PassLoops::kLine, .out = kOtherType, .scales = true,
     .body = facts("encode", 0xe2c0'de00'0000'0001, 2)},
    {.kind = kUntangle, .name = "untangle", .loops = PassLoops::kRealLine, .in = kNotSwapped, .out = kHalfAndOne,
     .table = PassTable::kRoots, .places = PassPlaces::kMayBeOne,
     .body = facts("untangle", 0x0127'a261'0000'0001, 8, {2, 1, 3}, kPairErrors)},
    {.kind = kTangle, .name = "tangle", .loops = PassLoops::kRealLine, .in = kHalfAndOne, .out = kNotSwapped, .scales = true,
     .table = PassTable::kRoots, .places = PassPlaces::kMayBeOne, .growth = 4,
     .body = facts("tangle", 0x7a26'1e00'0000'0001, 8, {4, 1, 1}, kPairErrors)},
    {.kind = kFromReals, .name = "from_reals", .loops = PassLoops::kRealLine, .in = kReals, .out = kNotSwapped, .scales = true,
     .body = facts("from_reals", 0xf207'2ea1'0000'0001, 2)},
    {.kind = kToReals, .name = "to_reals", .loops = PassLoops::kRealLine, .in = kNotSwapped, .out = kReals,
     .body = facts("to_reals", 0x7072'ea15'0000'0001, 1)},
    {.kind = kHalf, .name = "half", .loops = PassLoops::kRealLine, .in = kNotSwapped, .out = kHalfLanes,
     .body = facts("half", 0x4a1f'0000'0000'0001, 2)},
    {.kind = kMirror, .name = "mirror", .loops = PassLoops::kRealLine, .in = kHalfLine, .out = kNotSwapped, .scales = true,
     .body = facts("mirror", 0x3122'0200'0000'0001, 2)},
    {.kind = kSplitRows, .name = "split_rows", .loops = PassLoops::kRealLine, .in = kHalfLine, .out = kInRows,
     .body = facts("split_rows", 0x5911'2035'0000'0001, 2)},
    {.kind = kJoinRows, .name = "join_rows", .loops = PassLoops::kRealLine, .in = kInRows, .out = kHalfLine,
     .body = facts("join_rows", 0x2012'2035'0000'0001, 2)},
    {.kind = kMoveReals, .name = "move_reals", .loops = PassLoops::kR2rLine, .in = kReals, .out = kReals, .scales = true,
     .body = facts("move_reals", 0x303e'2ea1'0000'0001, 1)},
    {.kind = kPick, .name = "pick", .loops = PassLoops::kR2rLine, .in = kReals, .out = kReals, .scales = true,
     .table = PassTable::kFactors, .list = PassList::kPick, .body = facts("pick", 0x91c4'0000'0000'0001, 2)},
    {.kind = kSplitOdds, .name = "split_odds", .loops = PassLoops::kR2rLine, .in = kRealsSwapped, .out = kReals, .scales = true,
     .body = facts("split_odds", 0x5911'0dd5'0000'0001, 1)},
    {.kind = kJoinOdds, .name = "join_odds", .loops = PassLoops::kR2rLine, .in = kReals, .out = kRealsSwapped,
     .body = facts("join_odds", 0x2012'0dd5'0000'0001, 1)},
    {.kind = kFold, .name = "fold", .loops = PassLoops::kR2rLine, .in = kReals, .out = kRealsSwapped, .table = PassTable::kFold,
     .growth = 4, .body = facts("fold", 0xf01d'0000'0000'0001, 10, {1, 1, 2}, kFoldErrors)},
    {.kind = kUnfold, .name = "unfold", .loops = PassLoops::kR2rLine, .in = kRealsSwapped, .out = kReals, .scales = true,
     .table = PassTable::kFold, .growth = 4, .body = facts("unfold", 0x02f0'1d00'0000'0001, 10, {2, 2, 1}, kFoldErrors)},
    {.kind = kSplitPairs, .name = "split_pairs", .loops = PassLoops::kR2rLine, .in = kRealsSwapped, .out = kReals, .scales = true,
     .table = PassTable::kPairs, .body = facts("split_pairs", 0x5911'9a12'0000'0001, 4, {0, 2, 1}, kProductErrors)},
    {.kind = kJoinPairs, .name = "join_pairs", .loops = PassLoops::kR2rLine, .in = kReals, .out = kRealsSwapped,
     .table = PassTable::kPairs, .body = facts("join_pairs", 0x2012'9a12'0000'0001, 4, {0, 1, 1}, kProductErrors)},
    {.kind = kPacked, .name = "packed", .loops = PassLoops::kTransform, .in = {.narrow = true}, .out = {.narrow = true}, .scales = true,
     .table = PassTable::kPacked, .cuts = kEvery, .phrase = " in registers"},
    {.kind = kReal, .name = "real", .loops = PassLoops::kTransform, .in = kRealsSwapped, .out = kRealsSwapped, .scales = true,
     .places = PassPlaces::kMayBeOne, .cuts = kEvery, .phrase = " of lines"},
};

}  // namespace pass_rows

constexpr const PassRow& row_of(PassKind kind) { return pass_rows::kAll[static_cast<std::size_t>(kind)]; }
static_assert([] {
  for (std::size_t i = 0; i < std::size(pass_rows::kAll); ++i) {
    const PassRow& row = pass_rows::kAll[i];
    if (row.kind != static_cast<PassKind>(i) || has_body(row.kind) != (row.loops <= PassLoops::kStage)) return false;
    if (is_of_r2r_transform(row.kind) != (row.loops == PassLoops::kR2rLine)) return false;
    if (is_of_real_transform(row.kind) != (row.loops == PassLoops::kRealLine || row.kind == PassKind::kReal)) return false;
  }
  return std::size(pass_rows::kAll) == static_cast<std::size_t>(PassKind::kReal) + 1;
}());

// A conversion between f32 and f64.
constexpr bool is_conversion(PassKind kind) { return row_of(kind).in.other_type || row_of(kind).out.other_type; }
constexpr std::int64_t line_points(const PassEnd& end, std::int64_t lanes, std::int64_t row) {
  switch (end.points) {
    case PassPoints::kOneMore: return lanes + 1;
    case PassPoints::kHalf: return lanes / 2 + 1;
    case PassPoints::kRows: return (row + 1) / 2 * (lanes / row);
    default: return lanes;
  }
}
// An end holds rows of a line.
constexpr bool is_in_rows(PassKind kind) {
  return row_of(kind).in.points == PassPoints::kRows || row_of(kind).out.points == PassPoints::kRows;
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_PASS_ROWS_H_
