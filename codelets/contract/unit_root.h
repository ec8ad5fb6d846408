// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Roots of unity to double-double accuracy: the home of every twiddle factor and internal constant.
//
// unit_root(k, n) = exp(-2 pi i k / n). k / n is reduced to its first octant in integers, so symmetric entries are equal bit
// for bit (up to sign and exchange of parts) and 0, 1/2, 1 and equal parts come out exactly.
//
// Shapes   k any 64-bit integer, reduced modulo n; 1 <= n <= 2^40.
// Error    each part within 2^-103 relative.
// Cost     about 100 ns: a table of 65 angles and a short Taylor sum.
// Threads  no state.
#ifndef ULPFFT_CODELETS_CONTRACT_UNIT_ROOT_H_
#define ULPFFT_CODELETS_CONTRACT_UNIT_ROOT_H_

#include <cstdint>

#include "codelets/contract/double_double.h"
#include "codelets/contract/twiddle_form.h"

namespace ulpfft {

struct UnitRoot {
  DoubleDouble re;
  DoubleDouble im;
};

namespace unit_root_detail {

struct CosSin {
  DoubleDouble cos;
  DoubleDouble sin;
};

// cos and sin of i pi / 256.
inline constexpr CosSin kAngles[65] = {
    {{1, 0}, {0, 0}},
    {{0x1.fff62169b92dbp-1, 0x1.5dda3c81fbd0dp-55}, {0x1.921d1fcdec784p-7, 0x1.9878ebe836d9dp-61}},
    {{0x1.ffd886084cd0dp-1, -0x1.1354d4556e4cbp-55}, {0x1.92155f7a3667ep-6, -0x1.b1d63091a0130p-64}},
    {{0x1.ffa72effef75dp-1, -0x1.8b4cdcdb25956p-55}, {0x1.2d865759455cdp-5, 0x1.686f65ba93ac0p-61}},
    {{0x1.ff621e3796d7ep-1, -0x1.c57bc2e24aa15p-57}, {0x1.91f65f10dd814p-5, -0x1.912bd0d569a90p-61}},
    {{0x1.ff095658e71adp-1, 0x1.01a8ce18a4b9ep-55}, {0x1.f656e79f820e0p-5, -0x1.2e1ebe392bffep-61}},
    {{0x1.fe9cdad01883ap-1, 0x1.521ecd0c67e35p-57}, {0x1.2d52092ce19f6p-4, -0x1.9a088a8bf6b2cp-59}},
    {{0x1.fe1cafcbd5b09p-1, 0x1.a23e3202a884ep-57}, {0x1.5f6d00a9aa419p-4, -0x1.f4022d03f6c9ap-59}},
    {{0x1.fd88da3d12526p-1, -0x1.87df6378811c7p-55}, {0x1.917a6bc29b42cp-4, -0x1.e2718d26ed688p-60}},
    {{0x1.fce15fd6da67bp-1, -0x1.5dd6f830d4c09p-56}, {0x1.c3785c79ec2d5p-4, -0x1.4f39df133fb21p-61}},
    {{0x1.fc26470e19fd3p-1, 0x1.1ec8668ecaceep-55}, {0x1.f564e56a9730ep-4, 0x1.a2704729ae56dp-59}},
    {{0x1.fb5797195d741p-1, 0x1.1bfac7397cc08p-56}, {0x1.139f0cedaf577p-3, -0x1.523434d1b3cfap-57}},
    {{0x1.fa7557f08a517p-1, -0x1.7a0a8ca13571fp-55}, {0x1.2c8106e8e613ap-3, 0x1.13000a89a11e0p-58}},
    {{0x1.f97f924c9099bp-1, -0x1.e2ae0eea5963bp-55}, {0x1.45576b1293e5ap-3, -0x1.285a24119f7b1p-58}},
    {{0x1.f8764fa714ba9p-1, 0x1.ab256778ffcb6p-56}, {0x1.5e214448b3fc6p-3, 0x1.531ff779ddac6p-57}},
    {{0x1.f7599a3a12077p-1, 0x1.84f31d743195cp-55}, {0x1.76dd9de50bf31p-3, 0x1.1d5eeec501b2fp-57}},
    {{0x1.f6297cff75cb0p-1, 0x1.562172a361fd3p-56}, {0x1.8f8b83c69a60bp-3, -0x1.26d19b9ff8d82p-57}},
    {{0x1.f4e603b0b2f2dp-1, -0x1.8ee01e695ac05p-56}, {0x1.a82a025b00451p-3, -0x1.87905ffd084adp-57}},
    {{0x1.f38f3ac64e589p-1, -0x1.d7bafb51f72e6p-56}, {0x1.c0b826a7e4f63p-3, -0x1.af1439e521935p-62}},
    {{0x1.f2252f7763adap-1, -0x1.20cb81c8d94abp-55}, {0x1.d934fe5454311p-3, 0x1.75b92277107adp-57}},
    {{0x1.f0a7efb9230d7p-1, 0x1.52c7adc6b4989p-56}, {0x1.f19f97b215f1bp-3, -0x1.42deef11da2c4p-57}},
    {{0x1.ef178a3e473c2p-1, 0x1.6310a67fe774fp-55}, {0x1.04fb80e37fdaep-2, -0x1.412cdb72583ccp-63}},
    {{0x1.ed740e7684963p-1, 0x1.e82c791f59cc2p-56}, {0x1.111d262b1f677p-2, 0x1.824c20ab7aa9ap-56}},
    {{0x1.ebbd8c8df0b74p-1, 0x1.c6c8c615e7277p-56}, {0x1.1d3443f4cdb3ep-2, -0x1.720d41c13519ep-57}},
    {{0x1.e9f4156c62ddap-1, 0x1.760b1e2e3f81ep-55}, {0x1.294062ed59f06p-2, -0x1.5d28da2c4612dp-56}},
    {{0x1.e817bab4cd10dp-1, -0x1.d0afe686b5e0ap-56}, {0x1.35410c2e18152p-2, -0x1.3cb002f96e062p-56}},
    {{0x1.e6288ec48e112p-1, -0x1.16b56f2847754p-57}, {0x1.4135c94176601p-2, 0x1.0c97c4afa2518p-56}},
    {{0x1.e426a4b2bc17ep-1, 0x1.a873889744882p-55}, {0x1.4d1e24278e76ap-2, 0x1.2417218792858p-57}},
    {{0x1.e212104f686e5p-1, -0x1.014c76c126527p-55}, {0x1.58f9a75ab1fddp-2, -0x1.efdc0d58cf620p-62}},
    {{0x1.dfeae622dbe2bp-1, -0x1.514ea88425567p-55}, {0x1.64c7ddd3f27c6p-2, 0x1.10d2b4a664121p-58}},
    {{0x1.ddb13b6ccc23cp-1, 0x1.83c37c6107db3p-55}, {0x1.7088530fa459fp-2, -0x1.44b19e0864c5dp-56}},
    {{0x1.db6526238a09bp-1, -0x1.adee7eae69460p-56}, {0x1.7c3a9311dcce7p-2, 0x1.9a3f21ef3e8d9p-62}},
    {{0x1.d906bcf328d46p-1, 0x1.457e610231ac2p-56}, {0x1.87de2a6aea963p-2, -0x1.72cedd3d5a610p-57}},
    {{0x1.d696173c9e68bp-1, -0x1.e8c61c6393d55p-56}, {0x1.9372a63bc93d7p-2, 0x1.684319e5ad5b1p-57}},
    {{0x1.d4134d14dc93ap-1, -0x1.4ef5295d25af2p-55}, {0x1.9ef7943a8ed8ap-2, 0x1.6da81290bdbabp-57}},
    {{0x1.d17e7743e35dcp-1, -0x1.101da3540130ap-58}, {0x1.aa6c82b6d3fcap-2, -0x1.d5f106ee5ccf7p-56}},
    {{0x1.ced7af43cc773p-1, -0x1.e7b6bb5ab58aep-58}, {0x1.b5d1009e15cc0p-2, 0x1.5b362cb974183p-57}},
    {{0x1.cc1f0f3fcfc5cp-1, 0x1.e57613b68f6abp-56}, {0x1.c1249d8011ee7p-2, -0x1.813aabb515206p-56}},
    {{0x1.c954b213411f5p-1, -0x1.2fb761e946603p-58}, {0x1.cc66e9931c45ep-2, 0x1.6850e59c37f8fp-58}},
    {{0x1.c678b3488739bp-1, 0x1.d86cac7c5ff5bp-57}, {0x1.d79775b86e389p-2, 0x1.550ec87bc0575p-56}},
    {{0x1.c38b2f180bdb1p-1, -0x1.6e0b1757c8d07p-56}, {0x1.e2b5d3806f63bp-2, 0x1.e0d891d3c6841p-58}},
    {{0x1.c08c426725549p-1, 0x1.b157fd80e2946p-58}, {0x1.edc1952ef78d6p-2, -0x1.dd0f7c33edee6p-56}},
    {{0x1.bd7c0ac6f952ap-1, -0x1.825a732ac700ap-55}, {0x1.f8ba4dbf89abap-2, -0x1.2ec1fc1b776b8p-60}},
    {{0x1.ba5aa673590d2p-1, 0x1.7ea4e370753b6p-55}, {0x1.01cfc874c3eb7p-1, -0x1.34a35e7c2368cp-56}},
    {{0x1.b728345196e3ep-1, -0x1.bc69f324e6d61p-55}, {0x1.073879922ffeep-1, -0x1.a5a014347406cp-55}},
    {{0x1.b3e4d3ef55712p-1, -0x1.eb6b8bf11a493p-55}, {0x1.0c9704d5d898fp-1, -0x1.8d3d7de6ee9b2p-55}},
    {{0x1.b090a58150200p-1, -0x1.926da300ffccep-55}, {0x1.11eb3541b4b23p-1, -0x1.ef23b69abe4f1p-55}},
    {{0x1.ad2bc9e21d511p-1, -0x1.47fbe07bea548p-55}, {0x1.1734d63dedb49p-1, -0x1.7eef2ccc50575p-55}},
    {{0x1.a9b66290ea1a3p-1, 0x1.9f630e8b6dac8p-60}, {0x1.1c73b39ae68c8p-1, 0x1.b25dd267f6600p-55}},
    {{0x1.a63091b02fae2p-1, -0x1.e911152248d10p-56}, {0x1.21a799933eb59p-1, -0x1.3a7b177c68fb2p-55}},
    {{0x1.a29a7a0462782p-1, -0x1.128bb015df175p-56}, {0x1.26d054cdd12dfp-1, -0x1.5da743ef3770cp-55}},
    {{0x1.9ef43ef29af94p-1, 0x1.b1dfcb60445c2p-56}, {0x1.2bedb25faf3eap-1, -0x1.14981c796ee46p-58}},
    {{0x1.9b3e047f38741p-1, -0x1.30ee286712474p-55}, {0x1.30ff7fce17035p-1, -0x1.efcc626f74a6fp-57}},
    {{0x1.9777ef4c7d742p-1, -0x1.15479a240665ep-55}, {0x1.36058b10659f3p-1, -0x1.1fcb3a35857e7p-55}},
    {{0x1.93a22499263fbp-1, 0x1.3d419a920df0bp-55}, {0x1.3affa292050b9p-1, 0x1.e3e25e3954964p-56}},
    {{0x1.8fbcca3ef940dp-1, -0x1.6dfa99c86f2f1p-57}, {0x1.3fed9534556d4p-1, 0x1.36916608c5061p-55}},
    {{0x1.8bc806b151741p-1, -0x1.2c5e12ed1336dp-55}, {0x1.44cf325091dd6p-1, 0x1.8076a2cfdc6b3p-57}},
    {{0x1.87c400fba2ebfp-1, -0x1.2dabc0c3f64cdp-55}, {0x1.49a449b9b0939p-1, -0x1.27ee16d719b94p-55}},
    {{0x1.83b0e0bff976ep-1, -0x1.6f420f8ea3475p-56}, {0x1.4e6cabbe3e5e9p-1, 0x1.3c293edceb327p-57}},
    {{0x1.7f8ece3571771p-1, -0x1.9c8d8ce93c917p-55}, {0x1.5328292a35596p-1, -0x1.a12eb89da0257p-56}},
    {{0x1.7b5df226aafafp-1, -0x1.0f537acdf0ad7p-56}, {0x1.57d69348ceca0p-1, -0x1.75720992bfbb2p-55}},
    {{0x1.771e75f037261p-1, 0x1.5cfce8d84068fp-56}, {0x1.5c77bbe65018cp-1, 0x1.069ea9c0bc32ap-55}},
    {{0x1.72d0837efff96p-1, 0x1.0d4ef0f1d915cp-55}, {0x1.610b7551d2cdfp-1, -0x1.251b352ff2a37p-56}},
    {{0x1.6e74454eaa8afp-1, -0x1.dbc03c84e226ep-55}, {0x1.6591925f0783dp-1, 0x1.c3d64fbf5de23p-55}},
    {{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55}, {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55}},
};

inline constexpr DoubleDouble kStep = {0x1.921fb54442d18p-7, 0x1.1a62633145c07p-61};         // pi / 256
inline constexpr DoubleDouble kHalfRoot3 = {0x1.bb67ae8584caap-1, 0x1.cec95d0b5c1e3p-55};    // sqrt(3) / 2

// cos and sin of (pi / 4) * r / n, 0 <= r <= n.
inline CosSin first_octant(std::uint64_t r, std::uint64_t n) {
  if (3 * r == 2 * n) return {kHalfRoot3, DoubleDouble(0.5)};
  const std::uint64_t nearest = (128 * r + n) / (2 * n);
  const CosSin& table = kAngles[nearest];
  const std::int64_t rest = static_cast<std::int64_t>(64 * r) - static_cast<std::int64_t>(nearest * n);
  if (rest == 0) return table;

  // angle = nearest pi / 256 + x, |x| <= pi / 512; the quotient of two exact integers needs one correction only.
  const double numerator = static_cast<double>(rest);
  const double denominator = static_cast<double>(n);
  const double q = numerator / denominator;
  const DoubleDouble x = quick_two_sum(q, std::fma(-q, denominator, numerator) / denominator) * kStep;
  const DoubleDouble z = x * x;
  const double w = z.hi;
  // sin x = x + x z s, cos x - 1 = z c; terms below 2^-53 of the sum need plain double only.
  const double s_tail = -1.0 / 5040 + w * (1.0 / 362880 - w * (1.0 / 39916800));
  const double c_tail = 1.0 / 40320 + w * (-1.0 / 3628800 + w * (1.0 / 479001600));
  constexpr DoubleDouble kS3 = {-0x1.5555555555555p-3, -0x1.5555555555555p-57};   // -1/6
  constexpr DoubleDouble kS5 = {0x1.1111111111111p-7, 0x1.1111111111111p-63};     // 1/120
  constexpr DoubleDouble kC4 = {0x1.5555555555555p-5, 0x1.5555555555555p-59};     // 1/24
  constexpr DoubleDouble kC6 = {-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65};   // -1/720
  const DoubleDouble sin_rest = x * (z * (kS3 + z * (kS5 + DoubleDouble(w * s_tail))));
  const DoubleDouble cos_rest = z * (DoubleDouble(-0.5) + z * (kC4 + z * (kC6 + DoubleDouble(w * c_tail))));
  const DoubleDouble sin_x = x + sin_rest;
  if (nearest == 0) return {DoubleDouble(1.0) + cos_rest, sin_x};
  return {table.cos + (table.cos * cos_rest - table.sin * sin_x), table.sin + (table.sin * cos_rest + table.cos * sin_x)};
}

}  // namespace unit_root_detail

inline UnitRoot unit_root(std::uint64_t k, std::uint64_t n) {
  k %= n;
  const std::uint64_t octant = 8 * k / n;
  const std::uint64_t within = 8 * k - octant * n;
  const bool mirrored = (octant & 1) != 0;
  const unit_root_detail::CosSin first = unit_root_detail::first_octant(mirrored ? n - within : within, n);
  // Octants 1, 2, 5, 6 lie nearer to the imaginary axis.
  const bool exchange = ((octant + 1) & 2) != 0;
  const DoubleDouble c = exchange ? first.sin : first.cos;
  const DoubleDouble s = exchange ? first.cos : first.sin;
  const bool re_negative = octant >= 2 && octant < 6;
  const bool im_negative = octant < 4;
  // No negative zeros.
  const DoubleDouble re = re_negative && c.hi != 0 ? -c : c;
  const DoubleDouble im = im_negative && s.hi != 0 ? -s : s;
  return {re, im};
}

// Dual-select form: w = scale * (1 + i ratio) on the cosine path (|re w| >= |im w|), scale * (ratio + i) on the sine path.
// |ratio| <= 1, never a division by a small number. Source: Bergach, arXiv:2604.00567; ratio form Linzer and Feig, 1993.
struct DualSelect {
  DoubleDouble scale;
  DoubleDouble ratio;
  bool sine_path = false;
};

// The same by the rule of another form that selects a path.
inline DualSelect select_path(TwiddleForm form, const UnitRoot& w) {
  const bool sine = form == TwiddleForm::kLinzerFeig ? w.im.hi != 0 : form == TwiddleForm::kCosine ? w.re.hi == 0 : abs(w.re) < abs(w.im);
  return sine ? DualSelect{w.im, w.re / w.im, true} : DualSelect{w.re, w.im / w.re, false};
}

inline DualSelect dual_select(std::uint64_t k, std::uint64_t n) { return select_path(TwiddleForm::kDualSelect, unit_root(k, n)); }

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_UNIT_ROOT_H_
