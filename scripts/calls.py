#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# The table of public calls, docs/reference/calls.md, from the headers: write makes it anew, check
# compares it and holds the headers to the conventions of docs/reference/api.md.
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reference/calls.md"
CHAPTERS = ["map", "map_many", "gather", "scatter", "find", "difference",
            "shuffle", "random", "reverse", "stencil", "convolve", "blur", "transpose", "reduce",
            "reduce_many", "slide", "scan", "select", "runs", "histogram", "sort", "merge", "search",
            "top_k", "teaching/maximum", "list", "teaching/quicksort"]
CHAPTERS += sorted(f"algorithms/{h.stem}" for h in (ROOT / "include/heddle/algorithms").glob("*.h"))
CONTEXTS = ["heddle/context.h", "heddle/carry.h"]  # no patterns: their calls are held to less
OTHERS = ["heddle_dlpack.h", "heddle_mpi.h", "heddle_model.h"]
# What a call of a pattern takes first, and is not said for each.
FIRST = {"heddle_mpi.h": "hd_mpi *mpi"}
# Outputs that are no views: the record of a method that is looked at, not a result of data.
RECORDS = {"hd_maximum_result *result", "hd_lexer **lexer"}


def text_of(header):
    """A header without comments and preprocessor lines."""
    text = (ROOT / "include" / header).read_text()
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r"^#(?:[^\n\\]|\\\n)*", "", text, flags=re.M)


def spaced(text):
    return re.sub(r"\s+", " ", text).strip()


def split(text):
    """At commas outside of parentheses."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(spaced(text[last:i]))
            last = i + 1
    return parts + [spaced(text[last:])]


def members_of(body):
    """(type, name) of each member of a structure; unions are looked at as a whole."""
    found = []
    body = re.sub(r"(union|struct)\s*\{.*?\}\s*(?=\w+;)", "union ", body, flags=re.S)
    for line in body.split(";"):
        line = spaced(line)
        if not line:
            continue
        pointer = re.match(r"(.*?)\(\*(\w+)\)\(.*\)$", line)
        if pointer:
            found.append(("function", pointer.group(2)))
            continue
        kind, names = re.match(r"((?:const )?[\w]+)\s*(.*)$", line).groups()
        for name in split(names):
            stars = name.count("*")
            name = re.sub(r"\[.*", "", name.replace("*", "")).strip()
            found.append((kind + (" " + "*" * stars if stars else ""), name))
    return found


def options_in(text):
    found = {}
    for name, body in re.findall(r"typedef struct (hd_\w*options) \{(.*?)\}\s*\1;", text, re.S):
        found[name] = members_of(body)
    return found


def calls_in(text):
    """(result, name, parameters) of each exported function."""
    text = text.replace("HD__CHECKED ", "")
    pattern = r"HD_API\s+([\w\s]+?[\s*]+)(hd_\w+)\(([^;{]*?)\)(?:\s+HD__\w+\([^)]*\))?;"
    return [(spaced(r).replace("* ", "*"), n, [] if spaced(p) == "void" else split(p))
            for r, n, p in re.findall(pattern, text)]


def visible(members):
    return [n for _, n in members if n != "size" and not n.startswith("reserved")]


def cell(words):
    return ", ".join(f"`{w}`" for w in words)


def row_of(result, name, parameters, options):
    taken = [p for p in parameters if p not in ("hd_context *ctx", "hd_mpi *mpi")]
    chosen = next((p.split()[1] for p in taken if re.match(r"const hd_\w*options \*", p)), None)
    arguments = [p for p in taken if not re.match(r"const hd_\w*options \*", p)]
    return (f"| `{name}` | {cell(arguments)} | {cell(visible(options.get(chosen, [])))} "
            f"| {'' if result == 'hd_status' else cell([result])} |\n")


def page(headers):
    out = ["# Every public call\n\n",
           "Made from the headers by `scripts/calls.py write`, and held against them by a test. Calls\n",
           "that return an `hd_status`, where the last column is empty, take the context first (over MPI\n",
           "an `hd_mpi`) and their options last, a pointer that may be NULL.\n"]
    options = {name: members for _, _, some in headers for name, members in some.items()}
    for header, calls, _ in headers:
        if not calls:
            continue
        out.append(f"\n## {header}\n\n")
        out.append("| call | arguments | options | returns |\n|---|---|---|---|\n")
        out += [row_of(*call, options) for call in calls]
    return "".join(out)


def check_options(name, members, seen, wrong):
    if not members or members[0] != ("size_t", "size"):
        wrong(f"{name}: expected size_t size as its first member")
    for kind, member in members[1:]:
        if kind == "hd_view":
            wrong(f"{name}.{member}: a view; expected a pointer to one")
        if kind in ("int64_t *", "double *", "bool *"):
            wrong(f"{name}.{member}: {kind}; expected a view for what a call gives")
        if kind.startswith("hd_") and kind not in ("hd_views", "hd_type", "hd_allocator",
                                                   "hd_device_allocator",
                                                   "hd_carry *"):
            wrong(f"{name}.{member}: {kind}; expected int32_t for the value of an enumeration")
        if not member.startswith("reserved"):
            was = seen.setdefault(member, (kind, name))
            if was[0] != kind:
                wrong(f"{name}.{member} is {kind}; in {was[1]} it is {was[0]}")


def check_call(header, call, options, wrong):
    result, name, parameters = call
    first = FIRST.get(header, "hd_context *ctx")
    pattern = (header.startswith("heddle/") and header not in CONTEXTS) or (
        header in FIRST and any(p.startswith("hd_view ") for p in parameters))
    if result != "hd_status" or not pattern:
        return
    if parameters[0] != first:
        wrong(f"{name}: expected {first} first, got {parameters[0]}")
    last = re.match(r"const (hd_\w*options) \*options$", parameters[-1])
    if not last:
        wrong(f"{name}: expected its options last, got {parameters[-1]}")
    elif last.group(1) not in options and header not in FIRST:
        wrong(f"{name}: {last.group(1)} is defined in another header")
    for p in parameters[1:-1]:
        if "*" in p and not p.startswith("const ") and p not in RECORDS:
            wrong(f"{name}: {p}; expected a view for what a call gives")


def main():
    names = ["heddle.h", *CONTEXTS] + [f"heddle/{c}.h" for c in CHAPTERS] + OTHERS
    there = {str(p.relative_to(ROOT / "include")) for p in (ROOT / "include/heddle").rglob("*.h")}
    quiet = {"heddle/border.h"} | {h for h in there if h.startswith("heddle/math")}
    errors = [f"scripts/calls.py: {h} is in no chapter" for h in sorted(there - set(names) - quiet)]
    texts = [(h, text_of(h)) for h in names]
    headers = [(h, calls_in(t), options_in(t)) for h, t in texts]
    made, seen = page(headers), {}
    if sys.argv[1:] == ["write"]:
        PAGE.write_text(made)
        return 0
    if sys.argv[1:] != ["check"]:
        print("usage: scripts/calls.py write|check", file=sys.stderr)
        return 2
    for header, calls, options in headers:
        for name, members in options.items():
            check_options(name, members, seen, errors.append)
        for call in calls:
            check_call(header, call, options, errors.append)
    if not PAGE.exists() or PAGE.read_text() != made:
        errors.append("docs/reference/calls.md is not what the headers say: scripts/calls.py write")
    for error in errors:
        print(error)
    return 1 if errors else 0


sys.exit(main())
