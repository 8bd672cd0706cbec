# SPDX-License-Identifier: Apache-2.0
# An array without dimensions, as NumPy writes one number: what keeps the shape of its input gives
# one again.
. "$(dirname "$0")/../_lib.sh"

x=$SOURCE/tests/data/scalar.npy # 7
shape() { head -c 128 "$1" | grep -ao "'shape': ([^)]*)"; }
header() {
    printf '\223NUMPY\1\0\166\0%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': $1, }"
}
(header '()' && bytes 0) >zero.npy
(header '(1,)' && bytes 0) >one.npy

# keeps SHAPE COMMAND...: the output's shape
keeps() {
    local expected=$1
    shift
    rm -f out.npy
    exits 0 "" "$HEDDLE" "$@" -o out.npy
    equal "$*" "'shape': $expected" "$(shape out.npy)"
}
keeps "()" convert "$x"
keeps "()" convert "$x" --out-type f32
keeps "()" map "$x" --scale 2
equal "its value" 14 "$("$HEDDLE" reduce out.npy)"
keeps "()" scan "$x"
keeps "()" reduce "$x"
keeps "()" sort "$x"
keeps "()" sort "$x" --argsort
keeps "()" shuffle "$x"
keeps "()" difference "$x"
keeps "()" convolve zero.npy --mask 1
"$HEDDLE" convert "$x" -o f32.npy --out-type f32
keeps "()" stencil f32.npy --weights '0 2 0'
keeps "()" transpose "$x"
keeps "()" search "$x" "$x"
keeps "(1,)" search zero.npy one.npy
keeps "()" gather "$x" zero.npy
keeps "(1,)" gather "$x" one.npy
keeps "()" scatter "$x" zero.npy
keeps "(1,)" scatter "$x" zero.npy --size 1
keeps "(1,)" map one.npy --scale 2
keeps "(1,)" unique "$x"
cat "$x" | "$HEDDLE" map - --scale 2 -o out.npy || fail "a pipe"
equal "through a pipe" "'shape': ()" "$(shape out.npy)"

"$HEDDLE" show "$x" | grep -qx '  shape    ()' || fail "show: $("$HEDDLE" show "$x")"
"$HEDDLE" show "$x" --json | grep -q '"shape": \[\]' || fail "show --json"
"$HEDDLE" map "$x" --scale 2 --json >map.json
grep -q '"shape": \[\]' map.json && grep -q '"value": 14' map.json || fail "$(cat map.json)"
finish
