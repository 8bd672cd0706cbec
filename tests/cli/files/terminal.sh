# SPDX-License-Identifier: Apache-2.0
# Names and contents of files may hold escape sequences: none of them reaches a terminal, and JSON
# stays JSON.
. "$(dirname "$0")/../_lib.sh"

esc=$'\033[31m' c1=$'\302\233' bad=$'\377'

# clean COMMAND...: neither stream has a control character but ends of lines and tabs, nor what is
# no UTF-8.
clean() {
    "$@" >seen.txt 2>&1 </dev/null
    LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xff' seen.txt &&
        fail "$*: $(od -c seen.txt | head -20)"
    [ -s seen.txt ] || fail "$*: expected words, got nothing"
}

name="x$esc$c1$bad"$'\n'"y"
npy_u8 1 2 3 >"$name.npy"
clean "$HEDDLE" show "$name.npy"
grep -qF 'x\x1b[31m\xc2\x9b\xff\x0ay.npy: an .npy file' seen.txt || fail "$(cat seen.txt)"
clean "$HEDDLE" reduce "$name"
clean "$HEDDLE" "$name"
clean "$HEDDLE" help "$name"
clean "$HEDDLE" reduce "--$name"
clean "$HEDDLE" reduce --op "$name" x
clean "$HEDDLE" reduce "$name.npy" --backend "$name"
clean "$HEDDLE" reduce "$name.npy" --isa "$name"
clean "$HEDDLE" reduce "$name.npy" --dtype "$name"
clean "$HEDDLE" convert "$name.npy" -o "no/$name"
clean "$HEDDLE" tour "$name"
clean "$HEDDLE" ladder "$name"
clean "$HEDDLE" grade "$name" --ladder reduce
clean "$HEDDLE" model "$name" "$name"
clean "$HEDDLE" compare "$name" "$name"

# Tables: the header and fields.
printf 'na%sme,age\nA%sda,36\n' "$esc" "$c1" >people.csv
clean "$HEDDLE" show people.csv
grep -qF 'header   na\x1b[31mme,age' seen.txt || fail "$(cat seen.txt)"
clean "$HEDDLE" reduce people.csv
clean "$HEDDLE" sort people.csv --key "$name"
printf 'one\ttwo\n1\tx%s\n' "$esc" >people.tsv
clean "$HEDDLE" show people.tsv
grep -qF 'header   one	two' seen.txt || fail "tabs: $(cat seen.txt)"
printf '%s' "$esc$esc" >first # not an array: its first bytes are shown
clean "$HEDDLE" show first
printf '1 2 %s\n' "$esc" >words.txt
clean "$HEDDLE" reduce words.txt
# What is written as data stays what it is.
exits 0 "" "$HEDDLE" sort people.csv --key age -o sorted.csv
cmp -s people.csv sorted.csv || fail "data are not escaped"

# Headers of .npy files and images, and sources.
sed "s/'descr'/'de${esc//[/\\[}'/" "$SOURCE/tests/data/le_f4.npy" >key.npy
clean "$HEDDLE" show key.npy
printf 'P5\n9%s' "$esc" >x.pgm
clean "$HEDDLE" show x.pgm
printf 'Pf\n1 1\n%s\n' "$esc" >x.pfm
clean "$HEDDLE" show x.pfm
printf '__global__ void k%s(int *x) { x[0] = 1 }\n' "$esc" >k.cu
clean "$HEDDLE" model k.cu
printf '#include <cstdio>\n__global__ void p() { printf("a\\033[31mb\\n"); }\n' >p.cu
clean "$HEDDLE" model p.cu p --grid 1 --block 1 # what kernels print

if p=$(command -v python3); then
    # Archives: names of members. And a pseudo-terminal: what is for people stays clean there too.
    "$p" - "$esc" <<'END' || fail "no archive"
import io, sys, zipfile
npy = b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + \
    b"{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }".ljust(117) + b"\n\x07"
with zipfile.ZipFile("two.npz", "w") as z:
    z.writestr("a" + sys.argv[1] + ".npy", npy)
    z.writestr("b\x07.npy", b"no array")
END
    clean "$HEDDLE" show two.npz
    clean "$HEDDLE" reduce two.npz
    "$HEDDLE" show "$name.npy" --json >seen.json
    "$p" - "x$esc$c1" <<'END' || fail "JSON: $(od -c seen.json)"
import json, sys
x = json.loads(open("seen.json", "rb").read().decode("utf-8"))
assert x["file"] == sys.argv[1] + "\ufffd\ny.npy", x["file"]
END
    clean cat seen.json

    # On a terminal a table is escaped, and an array is no text.
    on_terminal() {
        "$p" -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$@" >seen.txt </dev/null
    }
    on_terminal "$HEDDLE" sort people.csv --key age
    equal "a table on a terminal" 0 $?
    grep -qF 'na\x1b[31mme,age' seen.txt || fail "a terminal got $(od -c seen.txt)"
    on_terminal "$HEDDLE" scan "$name.npy" -o -
    equal "an array on a terminal" 2 $?
    grep -qF 'a terminal cannot show an .npy file' seen.txt || fail "$(od -c seen.txt)"
    on_terminal "$HEDDLE" convert people.tsv --format bytes -o - --to text
    equal "numbers on a terminal" 0 $?
fi
finish
