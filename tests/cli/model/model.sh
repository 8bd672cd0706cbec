# SPDX-License-Identifier: Apache-2.0
# heddle model over PTX, which needs no compiler: arguments, errors, counts, settings, documents.
. "$(dirname "$0")/../_lib.sh"

# One kernel with a pointer and numbers of several types, and what it makes of them.
cat >k.ptx <<'END'
.version 8.0
.target sm_75
.address_size 64
.visible .entry scale(.param .u64 .ptr .align 4 x, .param .f32 factor, .param .u32 n, .param .align 4 .b8 pair[8])
{
.reg .pred %p<2>; .reg .b32 %r<9>; .reg .f32 %f<4>; .reg .b64 %d<4>;
ld.param.u64 %d1, [x];
ld.param.f32 %f1, [factor];
ld.param.u32 %r1, [n];
ld.param.u32 %r2, [pair+4];
mov.u32 %r3, %ctaid.x;
mov.u32 %r4, %ntid.x;
mov.u32 %r5, %tid.x;
mad.lo.s32 %r6, %r3, %r4, %r5;
setp.ge.u32 %p1, %r6, %r1;
@%p1 bra DONE;
mul.wide.u32 %d2, %r6, 4;
add.s64 %d3, %d1, %d2;
ld.global.f32 %f2, [%d3];
mul.f32 %f3, %f2, %f1;
cvt.rn.f32.u32 %f2, %r2;
add.f32 %f3, %f3, %f2;
st.global.f32 [%d3], %f3;
DONE: ret;
}
.visible .entry nothing()
{
ret;
}
.visible .entry copy(.param .u64 from, .param .u64 to)
{
.reg .b32 %r<3>; .reg .b64 %d<8>;
ld.param.u64 %d1, [from];
ld.param.u64 %d2, [to];
mov.u32 %r1, %tid.x;
mul.wide.u32 %d3, %r1, 4;
add.s64 %d4, %d1, %d3;
add.s64 %d5, %d2, %d3;
ld.global.u32 %r2, [%d4];
st.global.u32 [%d5], %r2;
ret;
}
END
pair=bytes:0000000003000000
args="--arg x=f32:range:64 --arg factor=2.5 --arg n=64 --arg pair=$pair --grid 2"

# The list, as text and as a document.
exits 0 "" "$HEDDLE" model k.ptx
equal "the list" "scale(x (8 bytes, a pointer), f32 factor, u32 n, pair (8 bytes))
nothing()
copy(from (8 bytes, a pointer or a number), to (8 bytes, a pointer or a number))" "$(cat stdout.txt)"

# A run: x * 2.5 + 3.
exits 0 "" "$HEDDLE" model k.ptx scale $args --out x=y.npy
grep -q "No hazard was found" stdout.txt || fail "no verdict: $(cat stdout.txt)"
grep -Eq '^sectors +16 +16 ' stdout.txt || fail "sectors: $(cat stdout.txt)"
grep -Eq '^global requests +4 .*2 loads, 2 stores, 0 atomics' stdout.txt || fail "requests"
equal "the sum" "$(((63 * 64 / 2 * 5 / 2) + 3 * 64)).0" "$("$HEDDLE" reduce y.npy)"

# By order, and mixed: what has no name takes the places left.
exits 0 "" "$HEDDLE" model k.ptx scale --arg f32:range:64 --arg 2.5 --arg 64 --arg $pair --grid 2 \
    --compare x=y.npy
grep -q "x is as expected (y.npy, 64 elements)" stdout.txt || fail "compare: $(cat stdout.txt)"
exits 0 "" "$HEDDLE" model k.ptx scale --arg n=64 --arg f32:range:64 --arg f32:2.5 --arg $pair --grid 2 \
    --compare x=@y.npy

# Without a name: the buffer of --out, or the only one.
exits 0 "" "$HEDDLE" model k.ptx scale $args --compare y.npy
grep -q "x is as expected (y.npy, 64 elements)" stdout.txt || fail "compare without a name: $(cat stdout.txt)"
exits 0 "" "$HEDDLE" model k.ptx copy --arg i32:range:4 --arg to=i32:empty:4 --block 4 --out to=z.npy \
    --compare list:0,1,2,3
exits 1 "" "$HEDDLE" model k.ptx copy --arg i32:range:4 --arg to=i32:empty:4 --block 4 --out to=z.npy \
    --compare list:0,1,2,4
exits 2 "expected NAME=EXPECTED.npy" "$HEDDLE" model k.ptx copy --arg i32:range:4 --arg to=i32:empty:4 --block 4 \
    --compare list:0,1,2,3

# Every way to fill a buffer, seen through a copy.
values() { # value type: what the copy holds, one a line
    exits 0 "" "$HEDDLE" model k.ptx copy --arg "$1" --arg "to=$2:empty:4" --block 4 --out to=z.npy
    "$HEDDLE" scan z.npy --op max --exclusive >/dev/null 2>&1
    "$HEDDLE" convert z.npy -o z.txt 2>/dev/null
    tr -s '\n' ' ' <z.txt
}
equal zeros "0 0 0 0 " "$(values i32:zeros:4 i32)"
equal ones "1 1 1 1 " "$(values i32:ones:4 i32)"
equal "ones of floats" "1 1 1 1 " "$(values f32:ones:4 f32 | sed 's/\.0//g')"
equal range "0 1 2 3 " "$(values u32:range:2x2 u32)"
equal fill "-7 -7 -7 -7 " "$(values i32:fill=-7:2^2 i32)"
equal list "5 -1 2 9 " "$(values i32:list:5,-1,2,9 i32)"
equal random "$(values i32:random=10:4:7 i32)" "$(values i32:random=10:4:7 i32)"
[ "$(values i32:random=1000:4:7 i32)" != "$(values i32:random=1000:4:8 i32)" ] || fail "seeds"
for v in $(values i32:random=3:4 i32); do [ "$v" -ge 0 ] && [ "$v" -lt 3 ] || fail "random=3 gave $v"; done
npy_u8 1 2 3 4 >four.npy
"$HEDDLE" convert four.npy --out-type i32 -o four32.npy
equal file "1 2 3 4 " "$(values @four32.npy i32)"
exits 0 "" "$HEDDLE" model k.ptx copy --arg from=i32:range:4 --arg to=same:from --block 4 --compare to=list:0,1,2,3

# Expectations: equal within the tolerance or not, and the first that differs.
run="model k.ptx copy --arg from=f32:list:1,2,1000,4 --arg to=f32:empty:4 --block 4"
exits 1 "" "$HEDDLE" $run --compare to=f32:list:1,2,1001,5
grep -q "element 2 is 1000.0, expected 1001.0; 2 of 4 differ" stdout.txt || fail "$(cat stdout.txt)"
exits 0 "" "$HEDDLE" $run --compare to=f32:list:1,2,1001,4 --tolerance 1e-3
exits 1 "" "$HEDDLE" $run --compare to=f32:list:1.002,2,1001,4 --tolerance 1e-3
exits 0 "" "$HEDDLE" $run --compare to=f32:list:1.0009,2,1000,4 --compare from=f32:list:1,2,1000,4 --tolerance 1e-3
exits 1 "" "$HEDDLE" $run --compare to=f32:list:1,2,1001,4 --json
grep -q '"equal": false' stdout.txt || fail "the document does not say that it differs"

# Hazards: exit code 5, the allocation by its name, and outputs all the same.
exits 5 "" "$HEDDLE" model k.ptx copy --arg from=i32:range:3 --arg to=i32:zeros:4 --block 4 --out to=h.npy
grep -q "out of bounds, 1 time: .*behind the end of 'from'" stdout.txt || fail "$(cat stdout.txt)"
[ -e h.npy ] || fail "no output after a hazard"
exits 0 "" "$HEDDLE" model k.ptx copy --arg from=i32:range:3 --arg to=i32:zeros:4 --block 4 --checks none
exits 5 "" "$HEDDLE" model k.ptx copy --arg from=null --arg to=i32:zeros:4 --block 4
exits 5 "" "$HEDDLE" model "$SOURCE/tests/kernels/hazards/wrong.ptx" trapped --arg i32:range:32
grep -q "The launch failed: trapped: .*line\|The launch failed" stdout.txt || fail "$(cat stdout.txt)"
exits 5 "" "$HEDDLE" model k.ptx nothing --steps 1 --block 1024 --grid 10000
exits 0 "" "$HEDDLE" model "$SOURCE/tests/kernels/hazards/wrong.ptx" prints --arg 2
grep -q "^0 of many:  0.00 1234567890123 a ff%" stdout.txt || fail "printf: $(cat stdout.txt)"

# Settings change what is counted: the lectures' machine of 4 banks, warps of 4, bursts of 16 bytes.
ln -s "$SOURCE/tests/kernels/execution/transpose.ptx" . # the source's path may have a blank
transpose="model transpose.ptx transpose_tiled --grid 2,2 --block 32,32"
data="--arg f32:range:64x64 --arg f32:empty:64x64 --arg 64"
exits 0 "" "$HEDDLE" $transpose $data
grep -Eq '^wavefronts +4,224 +256 ' stdout.txt || fail "wavefronts: $(cat stdout.txt)"
grep -q "lanes 128 bytes apart, all on bank 0: 32 wavefronts" stdout.txt || fail "$(cat stdout.txt)"
exits 0 "" "$HEDDLE" $transpose $data --banks 4 --lanes 4 --sectors 16 --lines 64
grep -Eq '^wavefronts +5,120 +2,048 ' stdout.txt || fail "4 banks: $(cat stdout.txt)"
grep -Eq '^sectors +2,048 +2,048 ' stdout.txt || fail "16 bytes: $(cat stdout.txt)"
exits 0 "" "$HEDDLE" $transpose $data --top 0
grep -q "More than the bytes need" stdout.txt && fail "--top 0 shows lines"
exits 0 "" "$HEDDLE" $transpose $data --threads 2 --resident 1 --seed 5 --arch 80 --checks memory,barriers
grep -Eq '^wavefronts +4,224 +256 ' stdout.txt || fail "a seed changes counts"
exits 0 "" "$HEDDLE" $transpose $data --ptx
cmp -s stdout.txt "$SOURCE/tests/kernels/execution/transpose.ptx" || fail "--ptx"

# The rules of the PRAM: every thread its own word, or all of them one.
exits 0 "" "$HEDDLE" model k.ptx copy --arg from=i32:range:4 --arg to=i32:zeros:4 --block 4 --rule erew
grep -Eq "^PRAM: work [0-9,]+, time [0-9,]+, EREW" stdout.txt || fail "pram: $(cat stdout.txt)"
cat >one.ptx <<'END'
.version 8.0
.target sm_75
.address_size 64
.visible .entry one(.param .u64 x)
{
.reg .b32 %r<2>; .reg .b64 %d<2>;
ld.param.u64 %d1, [x];
ld.global.u32 %r1, [%d1];
st.global.u32 [%d1+4], %r1;
ret;
}
END
exits 5 "" "$HEDDLE" model one.ptx one --arg i32:zeros:2 --rule erew
grep -q "access rule" stdout.txt || fail "erew: $(cat stdout.txt)"
exits 0 "" "$HEDDLE" model one.ptx one --arg i32:zeros:2 --rule common
exits 0 "" "$HEDDLE" model one.ptx one --arg i32:zeros:2 --rule priority
exits 2 "expected one of erew|crew|common" "$HEDDLE" model one.ptx one --arg i32:zeros:2 --rule strict

# Documents: whole, and nothing else on standard output.
json() {
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" || fail "$2: not JSON"
    else
        "$HEDDLE" compare "$1" "$1" 2>&1 | grep -q "not JSON" && fail "$2: not JSON"
    fi
}
exits 0 "" "$HEDDLE" $transpose $data --json
json stdout.txt transpose
grep -q '"wavefronts": 4224' stdout.txt || fail "the document has no wavefronts"
exits 0 "" "$HEDDLE" model k.ptx --json
json stdout.txt list
exits 5 "" "$HEDDLE" model k.ptx copy --arg from=i32:range:3 --arg to=i32:zeros:4 --block 4 --json
json stdout.txt hazard
grep -q '"hazard": "out of bounds"' stdout.txt || fail "the document has no hazard"
exits 0 "0 of many" "$HEDDLE" model "$SOURCE/tests/kernels/hazards/wrong.ptx" prints --arg 2 --json
json stdout.txt prints

# What is refused, with what was expected.
exits 2 "expected FILE.cu [KERNEL]" "$HEDDLE" model
exits 6 "missing.cu: cannot be read" "$HEDDLE" model missing.cu
exits 2 "no kernel 'scales'; there are scale, nothing, copy" "$HEDDLE" model k.ptx scales
echo ".version 8.0 nonsense" >bad.ptx
exits 3 "bad.ptx: PTX" "$HEDDLE" model bad.ptx
printf '.version 8.0\n.target sm_75\n.address_size 64\n' >none.ptx
exits 2 "no kernel in it" "$HEDDLE" model none.ptx
exits 2 "nothing was given for parameter 1, f32 factor; the parameters are scale(x (8 bytes, a pointer), f32 factor" \
    "$HEDDLE" model k.ptx scale --arg f32:zeros:4
exits 2 "one more than the kernel takes" "$HEDDLE" model k.ptx nothing --arg 3
exits 2 "no parameter is called 'y'" "$HEDDLE" model k.ptx scale --arg y=3
exits 2 "n was given before" "$HEDDLE" model k.ptx scale --arg n=3 --arg n=4
exits 2 "x (8 bytes, a pointer) is a pointer: expected a buffer" "$HEDDLE" model k.ptx scale --arg x=f64:3
exits 2 "is no pointer: expected a value of 4 bytes" "$HEDDLE" model k.ptx scale --arg n=u32:zeros:3
exits 2 "the kernel takes f32 there, not f64" "$HEDDLE" model k.ptx scale --arg factor=f64:1
exits 2 "pair (8 bytes) has 8 bytes, got 4" "$HEDDLE" model k.ptx scale --arg pair=bytes:00000000
exits 2 "expected pairs of hexadecimal digits" "$HEDDLE" model k.ptx scale --arg pair=bytes:0g
exits 2 "expected a type first" "$HEDDLE" model k.ptx scale --arg x=zeros:3
exits 2 "expected a number of elements" "$HEDDLE" model k.ptx scale --arg x=f32:zeros
exits 2 "expected a number of elements" "$HEDDLE" model k.ptx scale --arg x=f32:zeros:2^99
exits 2 "comes after the number of elements" "$HEDDLE" model k.ptx scale --arg x=f32:zeros:3:4
exits 2 "expected a value, as in fill=3:256" "$HEDDLE" model k.ptx scale --arg x=f32:fill:3
exits 2 "expected a seed" "$HEDDLE" model k.ptx scale --arg x=f32:random:3:x
exits 2 "expected a number above 0" "$HEDDLE" model k.ptx scale --arg x=f32:random=-1:3
exits 2 "expected a number of type i32, got '1.5'" "$HEDDLE" model k.ptx copy --arg from=i32:list:1,1.5
exits 2 "expected TYPE:NUMBER" "$HEDDLE" model k.ptx scale --arg n=many
exits 2 "same:n: expected the name of a parameter with a buffer" "$HEDDLE" model k.ptx copy --arg i32:zeros:1 --arg to=same:n
exits 6 "missing.npy" "$HEDDLE" model k.ptx copy --arg @missing.npy
exits 2 "--grid: expected" "$HEDDLE" model k.ptx nothing --grid 0
exits 2 "--grid: expected" "$HEDDLE" model k.ptx nothing --grid 1,2,3,4
exits 2 "--block: expected" "$HEDDLE" model k.ptx nothing --block x
exits 2 "at most 1024" "$HEDDLE" model k.ptx nothing --block 32,33
exits 2 "--checks: expected some of" "$HEDDLE" model k.ptx nothing --checks memory,magic
exits 2 "--banks: expected" "$HEDDLE" model k.ptx nothing --banks 1,2,3
exits 2 "powers of two" "$HEDDLE" model k.ptx nothing --banks 3
exits 2 "--tolerance: expected" "$HEDDLE" model k.ptx nothing --tolerance -1
exits 2 "--out: expected NAME=FILE" "$HEDDLE" model k.ptx nothing --out x
exits 2 "expected the name of a parameter with a buffer" "$HEDDLE" model k.ptx scale $args --out n=n.npy
exits 2 "already has the array" "$HEDDLE" model k.ptx scale $args --out x=- --json
exits 6 "missing.npy" "$HEDDLE" model k.ptx scale $args --compare x=missing.npy
exits 2 "the buffer has 64 elements, the expectation 4" "$HEDDLE" model k.ptx scale $args --compare x=four.npy
exits 2 "the buffer is of type f32" "$HEDDLE" model k.ptx scale $args --compare x=i32:zeros:64
exits 2 "expected something to compare with" "$HEDDLE" model k.ptx scale $args --compare x=empty:64
exits 2 "expected one of nvrtc|clang" "$HEDDLE" model k.ptx nothing --compiler gcc
exits 6 "" "$HEDDLE" model k.ptx scale $args --out x=no/folder/y.npy
[ -e no ] && fail "a folder was made"
finish
