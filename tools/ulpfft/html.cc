#include "tools/ulpfft/html.h"

#include <cstdio>

#include "tools/ulpfft/text.h"

namespace ulpfft_tool {

const std::string_view kReportStyle = R"(
:root { color-scheme: light; }
body { margin: 0; background: #f6f6f3; color: #1d1d1b; font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 36px 24px 56px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 12px; }
h2 { font-size: 20px; margin: 40px 0 12px; }
p { margin: 0 0 12px; max-width: 56em; }
.note { font-size: 14px; color: #55554f; }
.plots { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 18px; margin-bottom: 18px; }
.plots svg { display: block; width: 100%; background: #fff; border-radius: 6px; padding: 10px; box-sizing: border-box; }
.scroll { overflow-x: auto; background: #fff; border-radius: 6px; margin-bottom: 16px; }
table { border-collapse: collapse; font-size: 14px; width: 100%; }
th, td { padding: 5px 10px; text-align: right; white-space: nowrap; border-top: 1px solid #e9e9e4; font-variant-numeric: tabular-nums; }
th { font-weight: 600; border-top: 0; border-bottom: 2px solid #d3d3cb; vertical-align: bottom; }
th.text, td.text { text-align: left; }
td.wide { white-space: normal; min-width: 18em; text-align: left; color: #55554f; }
td.slow { color: #a1341f; font-weight: 600; } td.above { color: #8a1f14; font-weight: 600; }
td.pass { color: #1c5427; font-weight: 600; } td.short { color: #8a1f14; font-weight: 600; }
.verdict { display: inline-block; padding: 7px 14px; border-radius: 6px; font-weight: 600; background: #e2efe3; color: #1c5427; }
.verdict.bad { background: #f8dfdc; color: #8a1f14; }
code { font: 13px/1.4 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
sub, sup { font-size: 72%; line-height: 0; }
@media (max-width: 760px) { .plots { grid-template-columns: minmax(0, 1fr); } main { padding: 24px 14px 40px; } }
)";

std::string html_begin(std::string_view title, std::string_view heading, std::string_view style) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, "
         "initial-scale=1\">\n<title>" +
         escape(title) + "</title>\n<style>" + std::string(style) + "</style></head><body><main>\n<h1>" + escape(heading) + "</h1>\n";
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

std::string cell(const std::string& text, const char* kind) {
  return std::string("<td") + (*kind != '\0' ? " class=\"" + std::string(kind) + "\"" : "") + ">" + text + "</td>";
}

}  // namespace ulpfft_tool
