#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the measured tables of the documentation from the files in bench/results/.

  scripts/tables.py check                       fails where a page differs from its results
  scripts/tables.py write                       writes the tables into the pages
  scripts/tables.py add RUN.json... NAME [--machine TEXT] [--note TEXT] [--commit HASH]
                                                keeps runs of heddle bench --json as bench/results/NAME.json

A table stands between two comments, which say what it is made of:

  <!-- table: NAME.json rows=reduce/*,scan/f32/* sizes=2^20,2^24 show=rate -->
  <!-- end of table -->

rows   patterns of PATTERN/TYPE/OPERATOR; without it all rows of the file
sizes  numbers of elements; without it all
show   rate (GB/s, the usual one), time, or all: a column each for time, rate, peak and ratio, of one size

A cell has the rate or time, the percentage of the measured peak bandwidth, and the best peer's time over
Heddle's with the peer's name. Where NAME.json is not there yet, the table says so. add joins runs on one
machine of one commit (of a row that is in several, the last counts), leaves out raw samples and names of
hosts, files and users, and puts in the commit if the run does not name it. bench/results/README.md lists the
files and the commands that make them.
"""
import argparse
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
BLOCK = re.compile(r"(<!-- table: (\S+\.json)([^>]*?) *-->\n).*?(<!-- end of table -->)", re.S)
PRIVATE = ("host_name", "executable")
KEPT = ("name", "run_type", "iterations", "real_time", "cpu_time", "time_unit", "bytes_per_second", "label",
        "p10", "p90", "error_occurred", "error_message")
PEAK = "peak"


def size_of(text):
    base, _, power = text.partition("^")
    return int(base) ** int(power) if power else int(base)


def size_name(n):
    power = n.bit_length() - 1
    return f"2^{power}" if power >= 10 and n == 1 << power else f"{n:,}"


def contestants(results):
    """{row: {size: {contestant: benchmark}}}; Heddle's own name is ''."""
    rows = {}
    for one in results["benchmarks"]:
        if one.get("error_occurred"):
            continue
        parts = one["name"].split("/")
        row, size, who = "/".join(parts[:3]), int(parts[3]), "/".join(parts[4:])
        rows.setdefault(row, {}).setdefault(size, {})[who] = one
    return rows


def time_text(ns):
    for unit, name in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if ns >= unit:
            return f"{ns / unit:.3g} {name}"
    return f"{ns:.3g} ns"


def figures(race):
    """Time, rate, percentage of peak and ratio to the best peer of one race, as texts."""
    if "" not in race:
        return ["", "", "", ""]
    own = race[""]
    peak = f"{100 * race[PEAK]['real_time'] / own['real_time']:.0f} %" if PEAK in race else ""
    peers = [who for who in race if who not in ("", PEAK)]
    best = min(peers, key=lambda who: race[who]["real_time"], default=None)
    ratio = f"{race[best]['real_time'] / own['real_time']:.2f} {best}" if peers else ""
    rate = own["bytes_per_second"] / 1e9
    return [time_text(own["real_time"]), f"{rate:.0f} GB/s" if rate >= 100 else f"{rate:.3g} GB/s", peak, ratio]


def cell(race, show):
    time, rate, peak, ratio = figures(race)
    return ", ".join(text for text in (time if show == "time" else rate, peak, ratio) if text)


def caption(context):
    where = context.get("machine") or context.get("gpu_name") or context["cpu_name"]
    threads = context["heddle_threads"]
    how = "" if "gpu_name" in context else f", {threads} thread{'s' if threads != 1 else ''}, {context['heddle_isa']}"
    text = (f"{where}{how}; {context['date'][:10]}, commit `{context['commit']}`"
            f"{'; ' + context['note'] if context.get('note') else ''}.")
    return textwrap.fill(text, 100, break_on_hyphens=False)


def table(name, options):
    if not (RESULTS / name).exists():
        return "Not measured yet.\n"
    results = json.loads((RESULTS / name).read_text())
    context = results["context"]
    rows = contestants(results)
    globs = options.get("rows", "*").split(",")
    chosen = [row for row in rows if any(fnmatch.fnmatch(row, glob) for glob in globs)]
    if not chosen:
        raise SystemExit(f"{name} has no row {options.get('rows')}")
    sizes = [size_of(text) for text in options["sizes"].split(",")] if "sizes" in options else \
        sorted({size for row in chosen for size in rows[row]})
    show = options.get("show", "rate")
    if show == "all" and len(sizes) != 1:
        raise SystemExit(f"{name}: show=all is for one size, not {len(sizes)}")
    heads = ["time", "rate", "of peak", "best peer's time over Heddle's"] if show == "all" else map(size_name, sizes)
    heads = [size_name(sizes[0]) if show == "all" else "", *heads]
    lines = [caption(context), "", f"|{'|'.join(f' {head} ' if head else ' ' for head in heads)}|",
             "|---" * len(heads) + "|"]
    for row in chosen:
        cells = figures(rows[row].get(sizes[0], {})) if show == "all" else \
            [cell(rows[row].get(size, {}), show) for size in sizes]
        if any(cells):
            lines.append("| " + row.replace("/", " ") + " | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def made(text):
    def replace(match):
        options = dict(option.split("=", 1) for option in match.group(3).split())
        return match.group(1) + table(match.group(2), options) + match.group(4)
    return BLOCK.sub(replace, text)


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def check():
    wrong = [page for page in pages() if made(page.read_text()) != page.read_text()]
    for page in wrong:
        print(f"{page.relative_to(ROOT)}: a table is not what bench/results/ has; scripts/tables.py write makes it")
    return 1 if wrong else 0


def write():
    for page in pages():
        text = page.read_text()
        if made(text) != text:
            page.write_text(made(text))
            print(page.relative_to(ROOT))
    return 0


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value


def add(arguments):
    runs = [json.loads(pathlib.Path(run).read_text()) for run in arguments.run]
    context = {key: value for key, value in runs[0]["context"].items() if key not in PRIVATE}
    for run in runs:
        for key in ("cpu_name", "gpu_name", "commit", "heddle_isa", "heddle_threads"):
            if run["context"].get(key) != context.get(key):
                raise SystemExit(f"the runs differ in {key}: {context.get(key)} and {run['context'].get(key)}")
    context["commit"] = arguments.commit or context.get("commit") or subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short=7", "HEAD"], check=True, capture_output=True,
        text=True).stdout.strip()
    if arguments.machine:
        context["machine"] = arguments.machine
    if arguments.note:
        context["note"] = arguments.note
    benchmarks = {one["name"]: {key: value for key, value in one.items() if key in KEPT}
                  for run in runs for one in run["benchmarks"]}
    lines = [json.dumps(rounded(one)) for one in benchmarks.values()]
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{arguments.name}.json"
    path.write_text('{"context": ' + json.dumps(rounded(context), indent=1) + ',\n "benchmarks": [\n' +
                    ",\n".join(lines) + "\n]}\n")
    print(path.relative_to(ROOT))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ways = parser.add_subparsers(dest="way", required=True)
    ways.add_parser("check")
    ways.add_parser("write")
    adding = ways.add_parser("add")
    adding.add_argument("run", nargs="+")
    adding.add_argument("name")
    adding.add_argument("--machine")
    adding.add_argument("--note")
    adding.add_argument("--commit", help="of the build that was measured, if not the one that is checked out")
    arguments = parser.parse_args()
    return {"check": check, "write": write, "add": lambda: add(arguments)}[arguments.way]()


if __name__ == "__main__":
    sys.exit(main())
