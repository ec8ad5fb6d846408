// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/html.h"

#include <cstdio>

#include "tools/ulpfft/text.h"

namespace ulpfft_tool {

const std::string_view kReportStyle = R"(
main { max-width: 1180px; margin: 0 auto; padding: 36px 24px 56px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 12px; overflow-wrap: anywhere; }
h2 { font-size: 20px; margin: 40px 0 12px; }
p { margin: 0 0 12px; max-width: 56em; }
.note { font-size: 14px; color: var(--soft); }
.plots { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 18px; margin-bottom: 18px; }
.scroll { overflow-x: auto; background: var(--card); border-radius: 6px; margin-bottom: 16px; }
table { border-collapse: collapse; font-size: 14px; width: 100%; }
th, td { padding: 5px 8px; text-align: right; white-space: nowrap; border-top: 1px solid var(--grid); font-variant-numeric: tabular-nums; }
th { font-weight: 600; border-top: 0; border-bottom: 2px solid var(--rule); vertical-align: bottom; }
th.text, td.text { text-align: left; } td.text { white-space: normal; overflow-wrap: anywhere; min-width: 5em; }
td.wide { white-space: normal; min-width: 18em; text-align: left; color: var(--soft); }
td.recipe { white-space: normal; min-width: 13em; text-align: left; overflow-wrap: anywhere; }
td.slow, td.above, td.short { color: var(--bad); font-weight: 600; }
td.pass { color: var(--good); font-weight: 600; }
code { font: 13px/1.4 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
.on-phone { display: none; } @media (max-width: 760px) { .on-phone { display: block; } .on-wide { display: none; } }
@media (max-width: 760px) { .plots { grid-template-columns: minmax(0, 1fr); } main { padding: 20px 12px 40px; } }
@media print { .scroll, .picture { overflow: visible; } th, td { padding: 3px 5px; font-size: 11px; } }
)";

namespace {

// Light and dark by the reader's system: names of colours, then what every page has in them. m0, l0 and so on are marks and lines of figures.
constexpr std::string_view kColors = R"(
:root { color-scheme: light dark; --page: #f6f6f3; --card: #fff; --ink: #1d1d1b; --soft: #55554f; --grid: #e4e4de; --rule: #d3d3cb; --axis: #77776f;
  --good: #1c5427; --good-back: #e2efe3; --bad: #8a1f14; --bad-back: #f8dfdc; --link: #0a5a8c;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #8a6d00; --c5: #56b4e9; --c6: #333333; --c7: #8f8f86; }
@media (prefers-color-scheme: dark) { :root { --page: #141413; --card: #1f1f1d; --ink: #ecece6; --soft: #b6b6ac; --grid: #383834; --rule: #53534c; --axis: #97978d;
  --good: #a6e0b3; --good-back: #1c3a24; --bad: #ffb4a8; --bad-back: #4a1f19; --link: #82c4f0;
  --c0: #4aa8e8; --c1: #ff8a3d; --c2: #2fc79a; --c3: #e79ac6; --c4: #d9b44a; --c5: #a5dafa; --c6: #e0e0da; --c7: #9a9a90; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
a { color: var(--link); } sub, sup { font-size: 72%; line-height: 0; }
.verdict { display: inline-block; padding: 7px 14px; border-radius: 6px; font-weight: 600; background: var(--good-back); color: var(--good); }
.verdict.bad { background: var(--bad-back); color: var(--bad); }
.picture { overflow-x: auto; background: var(--card); border-radius: 6px; padding: 6px; }
svg { display: block; width: 100%; margin: 0 auto; fill: var(--ink); } svg line, svg polyline { fill: none; }
.grid { stroke: var(--grid); } .axis { stroke: var(--axis); } .ink { stroke: var(--ink); } .warn { stroke: var(--bad); }
.soft { fill: var(--soft); } .bad-words { fill: var(--bad); }
.m0 { fill: var(--c0); } .m1 { fill: var(--c1); } .m2 { fill: var(--c2); } .m3 { fill: var(--c3); }
.m4 { fill: var(--c4); } .m5 { fill: var(--c5); } .m6 { fill: var(--c6); } .m7 { fill: var(--c7); }
.l0, .m0 { stroke: var(--c0); } .l1, .m1 { stroke: var(--c1); } .l2, .m2 { stroke: var(--c2); } .l3, .m3 { stroke: var(--c3); }
.l4, .m4 { stroke: var(--c4); } .l5, .m5 { stroke: var(--c5); } .l6, .m6 { stroke: var(--c6); } .l7, .m7 { stroke: var(--c7); }
.open { fill: var(--card); stroke-width: 1.5; } .label { stroke: var(--card); stroke-width: 4; paint-order: stroke; stroke-linejoin: round; }
)";

}  // namespace

std::string html_begin(std::string_view title, std::string_view heading, std::string_view style) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, "
         "initial-scale=1\">\n<title>" +
         escape(title) + "</title>\n<style>" + std::string(kColors) + std::string(style) + "</style></head><body><main>\n<h1>" + escape(heading) + "</h1>\n";
}

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  }
  return result;
}

std::string number(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string html_time(double seconds) {
  const std::string text = show_seconds(seconds);
  return text.ends_with(" us") ? text.substr(0, text.size() - 2) + "&micro;s" : text;
}

std::string recipe_cell(const std::string& recipe) { return "<td class=\"recipe\"><code>" + escape(recipe) + "</code></td>"; }

std::string cell(const std::string& text, const char* kind) {
  return std::string("<td") + (*kind != '\0' ? " class=\"" + std::string(kind) + "\"" : "") + ">" + text + "</td>";
}

}  // namespace ulpfft_tool
