# SPDX-License-Identifier: Apache-2.0
"""heddle lex on the JSON and C files of a machine, against Python's json and clang's raw tokens.

Run in an empty folder, with HEDDLE naming the program: real_texts.py [FILE...]; without files some
of those below /usr/share, /usr/lib and /usr/include, more of them with HEDDLE_TEST_ALL=1. Exit code
77: clang or the files are not here. Where the definitions differ:

  - clang counts a line splice (a backslash and a newline) right before a token as a part of it; for
    heddle it is blank. A splice within an identifier, a number or a punctuator ends it for heddle.
  - clang has a token `unknown` for what is none of C, such as a quote that nobody closes; for
    heddle that is an error. Such files are left out, and so is what json.loads refuses.
"""
import json.decoder
import json.scanner
import os
import random
import re
import shutil
import subprocess
import sys

HEDDLE = os.environ["HEDDLE"]
ALL = os.environ.get("HEDDLE_TEST_ALL", "0") not in ("", "0")
FILES, LEAST, LARGEST = (400 if ALL else 15), 5, 100000


def tokens_of(language, path, method):
    """[(kind, begin, length)] of heddle, or None and its error."""
    run = subprocess.run([HEDDLE, "lex", "--lang", language, "--method", method, "-o", "t.raw",
                          path], capture_output=True, text=True)
    if run.returncode != 0:
        return None, run.stderr.strip()
    numbers = memoryview(open("t.raw", "rb").read()).cast("q").tolist()
    return list(zip(numbers[0::3], numbers[1::3], numbers[2::3])), ""


def json_tokens(text):
    """By the functions that json.loads is made of; text is latin-1, so indices are bytes."""
    found, i, n = [], 0, len(text)
    blank = re.compile(r"[ \t\n\r]*")
    while True:
        i = blank.match(text, i).end()
        if i == n:
            return found
        if text[i] in "{}[]:,":
            end, kind = i + 1, 1 + "{}[]:,".index(text[i])
        elif text[i] == '"':
            end, kind = json.decoder.scanstring(text, i + 1)[1], 7
        elif text.startswith(("true", "null"), i):
            end, kind = i + 4, 9 if text[i] == "t" else 11
        elif text.startswith("false", i):
            end, kind = i + 5, 10
        else:
            end, kind = json.scanner.NUMBER_RE.match(text, i).end(), 8
        found.append((kind, i, end - i))
        i = end


KINDS = {"raw_identifier": 2, "identifier": 2, "numeric_constant": 3, "char_constant": 4,
         "wide_char_constant": 4, "utf8_char_constant": 4, "utf16_char_constant": 4,
         "utf32_char_constant": 4, "string_literal": 5, "wide_string_literal": 5,
         "utf8_string_literal": 5, "utf16_string_literal": 5, "utf32_string_literal": 5}

# kind 'bytes'<tab> [flag]... [UnClean='bytes with their splices']<tab>Loc=<file:line:column>
RAW = re.compile(r"^([a-z_0-9]+) '(.*?)'\t(?: \[\w+\])*(?: \[UnClean='(.*?)'\])?"
                 r"\tLoc=<[^<>]*?:(\d+):(\d+)>", re.M | re.S)
SPLICE = re.compile(r"(\\\r?\n)+")


def c_tokens(path, text):
    """[(kind, begin)] by clang; None where a token is unknown to it, or has a splice inside that
    ends it for heddle."""
    run = subprocess.run(["clang", "-fsyntax-only", "-x", "c", "-std=gnu11", "-Xclang",
                          "-dump-raw-tokens", path], capture_output=True)
    starts = [0] + [m.end() for m in re.finditer("\n", text)]
    found = []
    for m in RAW.finditer(run.stderr.decode("latin-1")):
        kind, raw = KINDS.get(m[1], 6), m[3] or ""
        if m[1] == "unknown" and SPLICE.sub("", m[2]).strip():
            return None
        if m[1] in ("eof", "comment", "unknown"):
            continue
        before = SPLICE.match(raw)
        before = before.end() if before else 0
        if kind in (2, 3, 6) and SPLICE.search(raw, before):
            return None
        found.append((kind, starts[int(m[4]) - 1] + int(m[5]) - 1 + before))
    return found


def compare(path):
    """How many tokens agree, 0 for a file that is left out; and what differs."""
    text = open(path, "rb").read().decode("latin-1")
    is_json = path.endswith(".json")
    try:
        want = json_tokens(text) if is_json else c_tokens(path, text)
    except (ValueError, AttributeError):
        want = None
    if not want:
        return 0, []
    wrong = []
    for method in ("blocks", "scan"):
        got, why = tokens_of("json" if is_json else "c", path, method)
        if got is not None and not is_json:
            got = [(kind, begin) for kind, begin, _ in got]
        if got != want:
            pairs = enumerate(zip(got or [], want))
            first = next(((k, a, b) for k, (a, b) in pairs if a != b), "their number")
            wrong.append(f"{path}, {method}: {why} {first}")
    return len(want), wrong


def some(ending, roots):
    """Some files with an ending, the same ones each time."""
    found = []
    for root in roots:
        for folder, _, files in os.walk(root):
            paths = [os.path.join(folder, f) for f in files if f.endswith(ending)]
            found += [p for p in paths if not os.path.islink(p) and
                      os.path.getsize(p) <= LARGEST and os.access(p, os.R_OK)]
    return random.Random(1).sample(sorted(found), min(FILES, len(found)))


def main():
    files = sys.argv[1:]
    if shutil.which("clang") is None:
        print("no clang here")
        return 77
    if not files:
        texts = some(".json", ["/usr/share", "/usr/lib"])
        sources = some(".h", ["/usr/include"]) + some(".c", ["/usr/share", "/usr/src"])
        if len(texts) < LEAST or len(sources) < LEAST:
            print(f"{len(texts)} JSON files and {len(sources)} C files here")
            return 77
        files = texts + sources
    results = [compare(path) for path in files]
    used = sum(tokens > 0 for tokens, _ in results)
    for line in (line for _, wrong in results for line in wrong):
        print(line)
    differ = sum(bool(wrong) for _, wrong in results)
    print(f"{used} of {len(files)} files, {sum(t for t, _ in results)} tokens; {differ} differ")
    return 1 if differ or 2 * used < len(files) else 0


sys.exit(main())
