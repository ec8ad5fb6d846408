#!/usr/bin/env python3
"""Counts what `meson test` ran: count_tests.py TESTLOG.json MESON_STATUS.

A GoogleTest program counts by its cases, any other test as one. A program that ends badly without a failed case (a crash,
a time limit, a sanitizer) counts as one failure more. Shows what the failed cases printed, then ends with the line
"N passed, N failed, N skipped". Exit status 1 after a failure, where nothing passed, and where meson itself failed.
"""

import json
import re
import sys

RUN = re.compile(r"^\[ RUN      \] (.+)$")
END = re.compile(r"^\[\s*(OK|FAILED|SKIPPED)\s*\] (\S+?)(, where .*)? \(\d+ ms\)$")
SHOWN_LINES = 12  # of one failure


def read_program(entry):
    """Yields (outcome, name, output lines) for the cases of one line of the log, or for the program as a whole."""
    name, lines = entry["name"], (entry.get("stdout") or "").splitlines()
    ended_well = entry["result"] in ("OK", "EXPECTEDFAIL", "SKIP")
    outcomes, running, output = [], None, []
    for line in lines:
        begin, end = RUN.match(line), END.match(line)
        if begin:
            running, output = begin.group(1), []
        elif end and running:
            outcomes.append(end.group(1))
            yield end.group(1), "%s: %s" % (name, running), output
            running = None
        else:
            output.append(line)
    if not ended_well and (running or "FAILED" not in outcomes):
        yield "FAILED", "%s: %s" % (name, running or entry["result"].lower()), output + (entry.get("stderr") or "").splitlines()
    elif not outcomes:
        yield "SKIPPED" if entry["result"] == "SKIP" else "OK", name, []


def main():
    path, meson_status = sys.argv[1], int(sys.argv[2])
    count = {"OK": 0, "FAILED": 0, "SKIPPED": 0}
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
    if count["FAILED"]:
        print("The whole output is in " + path.replace(".json", ".txt"))
    if count["OK"] + count["FAILED"] == 0:
        print("no test ran")
    print("%d passed, %d failed, %d skipped" % (count["OK"], count["FAILED"], count["SKIPPED"]))
    return 1 if count["FAILED"] or count["OK"] == 0 or meson_status else 0


if __name__ == "__main__":
    sys.exit(main())
