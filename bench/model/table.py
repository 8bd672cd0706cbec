#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The model beside a GPU.

table.py gather LAUNCHES NCU.csv TIMES.csv    the GPU's numbers that are compared, a row a launch
table.py compare GPU.csv MODEL.csv            a table in Markdown and how many rows agree
table.py probes PROBES NCU.csv MODEL.csv      single requests
"""
import csv
import sys

L1 = "l1tex__t_%s_pipe_lsu_mem_global_op_%s.sum"
KEPT = {
    "loads": [L1 % ("requests", "ld")],
    "stores": [L1 % ("requests", "st")],
    "atomics": [L1 % ("requests", "atom"), L1 % ("requests", "red")],
    "sectors": [L1 % ("sectors", k) for k in ("ld", "st", "atom", "red")],
    "wavefronts": ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                   "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                   "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"],
    "thread_instructions": ["smsp__thread_inst_executed_pred_on.sum"],
    "l1_misses": ["l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum"],
    "l2_sectors": ["lts__t_sectors_srcunit_tex.sum"],
    "dram_read": ["dram__bytes_read.sum"],
    "dram_written": ["dram__bytes_write.sum"],
    "nanoseconds": ["gpu__time_duration.sum"],
    "registers": ["launch__registers_per_thread"],
}
LIMITS = ["launch__occupancy_limit_%s" % k for k in ("blocks", "registers", "shared_mem", "warps")]


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return 0.0


def names_of(launches):
    return [line.split()[0] for line in open(launches) if line[0] not in "#\n"]


def ncu_rows(path):
    return [row for row in csv.DictReader(open(path)) if row.get("ID")]


def gather(launches, ncu, times):
    sums = {}
    for line in open(times):
        words = line.strip().split(",")
        if words[1] == "sums":
            sums[words[0]] = " ".join(words[2:])
    print(",".join(["name"] + list(KEPT) + ["resident_blocks", "sums"]))
    for name, row in zip(names_of(launches), ncu_rows(ncu)):
        values = [sum(number(row.get(m, "")) for m in KEPT[k]) for k in KEPT]
        blocks = min(number(row[m]) for m in LIMITS)
        print(",".join([name] + ["%.0f" % v for v in values] + ["%.0f" % blocks, sums[name]]))


def model_rows(path):
    rows = {}
    for line in open(path):
        words = line.rstrip("\n").split(",", 2)
        if len(words) == 3:
            rows.setdefault(words[0], {})[words[1]] = words[2]
    return rows


def ratio(a, b):
    return a / b if b else (1.0 if not a else float("inf"))


def compare(gpu, model):
    rows = model_rows(model)
    count = dict.fromkeys(("launches", "requests", "sectors", "wavefronts", "results",
                           "instructions", "L2", "DRAM", "L2 and DRAM", "time", "blocks"), 0)
    print("| launch | requests | sectors | shared wavefronts | instructions | L2 | DRAM | µs on the"
          " GPU | predicted | bound by |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|")
    for g in csv.DictReader(open(gpu)):
        m = rows.get(g["name"])
        if m is None:
            continue
        v = {k: float(x) for k, x in g.items() if k not in ("name", "sums")}
        w = {k: float(x) for k, x in m.items() if k not in ("bound", "limit", "finding", "sums")}
        requests = w["global_loads"] + w["global_stores"] + w["global_atomics"]
        same = {
            "requests": requests == v["loads"] + v["stores"] + v["atomics"],
            "sectors": w["sectors"] == v["sectors"],
            "wavefronts": w["wavefronts"] == v["wavefronts"],
            "results": m["sums"].replace(",", " ") == g["sums"],
            "blocks": w["resident_blocks"] == v["resident_blocks"],
        }
        code = ratio(w["machine_instructions"], v["thread_instructions"])
        l2 = ratio(w["l2_bytes"], 32 * v["l2_sectors"])
        bytes_gpu = v["dram_read"] + v["dram_written"]
        dram = ratio(w["dram_read"] + w["dram_written"], bytes_gpu)
        time = ratio(w["predicted_seconds"], 1e-9 * v["nanoseconds"])
        same["instructions"] = 0.8 <= code <= 1.25
        same["L2"] = 0.8 <= l2 <= 1.2
        same["DRAM"] = 0.8 <= dram <= 1.2 or bytes_gpu < 1e6
        same["L2 and DRAM"] = same["L2"] and same["DRAM"]
        same["time"] = 1 / 1.5 <= time <= 1.5
        count["launches"] += 1
        for k in same:
            count[k] += same[k]

        def equal(k, there, here):
            return "%.0f" % there if same[k] else "%.0f, model %.0f" % (there, here)

        print("| `%s` | %s | %s | %s | %.2f | %.2f | %s | %.1f | %.2f | %s |" % (
            g["name"], equal("requests", v["loads"] + v["stores"] + v["atomics"], requests),
            equal("sectors", v["sectors"], w["sectors"]),
            equal("wavefronts", v["wavefronts"], w["wavefronts"]),
            code, l2, "%.2f" % dram if bytes_gpu >= 1e6 else "none",
            v["nanoseconds"] / 1e3, time, m.get("bound", "")))
    print()
    print(", ".join("%s %d" % k for k in count.items()))


def probes(launches, ncu, model):
    rows = model_rows(model)
    for name, row in zip(names_of(launches), ncu_rows(ncu)):
        m = rows[name]
        there = [sum(number(row.get(c, "")) for c in KEPT[k])
                 for k in ("sectors", "wavefronts")]
        here = [float(m["sectors"]), float(m["wavefronts"])]
        print("%-26s sectors %4.0f %4.0f  wavefronts %4.0f %4.0f %s" % (
            name, there[0], here[0], there[1], here[1], "" if there == here else "differs"))


if __name__ == "__main__":
    {"gather": gather, "compare": compare, "probes": probes}[sys.argv[1]](*sys.argv[2:])
