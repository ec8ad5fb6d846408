#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Counts what `meson test` ran: count_tests.py TESTLOG.json... MESON_STATUS.

A GoogleTest program counts by its cases, a script by its lines "PASS name", "FAIL name" and "SKIP name", any other test as one.
A program that ends badly without a failed case (a crash, a time limit, a sanitizer) counts as one failure more. Shows what the
failed cases printed, then ends with the line "N passed, N failed, N skipped". Exit status 1 after a failure, where nothing
passed, and where meson itself failed.
"""

import json
import re
import sys

RUN = re.compile(r"^\[ RUN      \] (.+)$")
END = re.compile(r"^\[\s*(OK|FAILED|SKIPPED)\s*\] (\S+?)(, where .*)? \(\d+ ms\)$")
SCRIPT = re.compile(r"^(PASS|FAIL|SKIP) (.+)$")
SCRIPT_OUTCOME = {"PASS": "OK", "FAIL": "FAILED", "SKIP": "SKIPPED"}
SHOWN_LINES = 12  # of one failure


def read_gtest(lines):
    """Yields (outcome, name, output lines) of each case; a case that never ended has failed."""
    running, output = None, []
    for line in lines:
        begin, end = RUN.match(line), END.match(line)
        if begin:
            running, output = begin.group(1), []
        elif end and running:
            yield end.group(1), running, output
            running = None
        else:
            output.append(line)
    if running:
        yield "FAILED", running, output


def read_script(lines):
    """The same of a script: a line PASS, FAIL or SKIP, and the lines that follow it."""
    cases = []
    for line in lines:
        case = SCRIPT.match(line)
        if case:
            cases.append((SCRIPT_OUTCOME[case.group(1)], case.group(2), []))
        elif cases:
            cases[-1][2].append(line)
    return cases


def read_program(entry):
    """The same of one line of the log; the program itself where it has no cases, or ended badly without a failed one."""
    lines = (entry.get("stdout") or "").splitlines()
    is_gtest = any(RUN.match(line) for line in lines)
    cases = list(read_gtest(lines) if is_gtest else read_script(lines))
    result = entry["result"]
    if result not in ("OK", "EXPECTEDFAIL", "SKIP") and all(outcome != "FAILED" for outcome, _, _ in cases):
        cases.append(("FAILED", result.lower(), lines + (entry.get("stderr") or "").splitlines()))
    if not cases:
        cases.append(("SKIPPED" if result == "SKIP" else "OK", "", []))
    return [(outcome, entry["name"] + (": " + name if name else ""), output) for outcome, name, output in cases]


def read_log(path, count):
    """Adds the outcomes of one log to the counts and shows its failures; False where meson wrote none."""
    failed_before = count["FAILED"]
    try:
        with open(path, encoding="utf-8") as log:
            for line in log:
                for outcome, name, output in read_program(json.loads(line)):
                    count[outcome] += 1
                    if outcome == "FAILED":
                        print("FAILED " + name)
                        for shown in output[-SHOWN_LINES:]:
                            print("    " + shown)
    except FileNotFoundError:
        print("meson ran no test: there is no " + path)
        return False
    if count["FAILED"] != failed_before:
        print("The whole output is in " + path.replace(".json", ".txt"))
    return True


def main():
    paths, meson_status = sys.argv[1:-1], int(sys.argv[-1])
    count = {"OK": 0, "FAILED": 0, "SKIPPED": 0}
    complete = all([read_log(path, count) for path in paths])
    if count["OK"] + count["FAILED"] == 0:
        print("no test ran")
    print("%d passed, %d failed, %d skipped" % (count["OK"], count["FAILED"], count["SKIPPED"]))
    return 1 if count["FAILED"] or count["OK"] == 0 or meson_status or not complete else 0


if __name__ == "__main__":
    sys.exit(main())
