# SPDX-License-Identifier: Apache-2.0
# heddle model: warnings beside the verdict, as text, document and page; --set gives variables
# values.
. "$(dirname "$0")/../_lib.sh"

cat >w.ptx <<'END'
.version 8.0
.target sm_75
.address_size 64
.const .align 4 .b8 mask[8];
.global .align 4 .f32 scale;
.visible .entry filter(.param .u64 .ptr .align 4 x)
{
.reg .b32 %r<3>; .reg .f32 %f<5>; .reg .b64 %d<4>;
ld.param.u64 %d1, [x];
ld.const.f32 %f1, [mask];
ld.const.f32 %f2, [mask+4];
ld.global.f32 %f3, [scale];
add.f32 %f1, %f1, %f2;
mul.f32 %f1, %f1, %f3;
st.global.f32 [%d1], %f1;
ret;
}
.visible .entry leave(.param .u64 .ptr .align 4 x, .param .u32 n)
{
.reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %d<4>;
ld.param.u64 %d1, [x];
ld.param.u32 %r2, [n];
mov.u32 %r1, %tid.x;
setp.ge.u32 %p1, %r1, %r2;
@%p1 bra DONE;
bar.sync 0;
st.global.u32 [%d1], 7;
DONE: ret;
}
END
args="--block 1 --arg x=f32:empty:1"

# Nobody set them: the verdict does not stand alone, the exit code does not change.
exits 0 "" "$HEDDLE" model w.ptx filter $args
grep -q "^No hazard was found, but there are 2 warnings:" stdout.txt || fail "$(cat stdout.txt)"
grep -q "unset variable: nobody set 'mask' (8 bytes of constant memory): it is all zeros; --set mask=TYPE:VALUE sets it" \
    stdout.txt || fail "what to do: $(cat stdout.txt)"
grep -q "nobody set 'scale' (4 bytes of global memory)" stdout.txt || fail "$(cat stdout.txt)"

# One of them, then both: 3 * (1 + 2).
exits 0 "" "$HEDDLE" model w.ptx filter $args --set mask=f32:list:1,2
grep -q "there is 1 warning:" stdout.txt || fail "one is left: $(cat stdout.txt)"
exits 0 "" "$HEDDLE" model w.ptx filter $args --set mask=f32:list:1,2 --set scale=f32:3 --compare x=list:9
grep -q "^No hazard was found.$" stdout.txt || fail "both were set: $(cat stdout.txt)"
exits 0 "" "$HEDDLE" model w.ptx filter $args --set mask=bytes:0000803f00000040 --set scale=f32:3 --compare x=list:9
exits 0 "" "$HEDDLE" model w.ptx filter $args --set mask=f32:ones:2 --set scale=f32:3 --compare x=list:6 --explore 3
grep -q "^No hazard was found.$" stdout.txt || fail "every schedule has them: $(cat stdout.txt)"
exits 0 "" "$HEDDLE" model w.ptx filter $args --explore 3
grep -q "there are 2 warnings:" stdout.txt || fail "schedules warn too: $(cat stdout.txt)"

# What cannot be.
exits 2 "no variable 'mas' in w.ptx; there are mask, scale" "$HEDDLE" model w.ptx filter $args --set mas=f32:list:1,2
exits 2 "mask has 8 bytes, got 12" "$HEDDLE" model w.ptx filter $args --set mask=f32:list:1,2,3
exits 2 "expected a type first, as in mask=f32:list:1,2" "$HEDDLE" model w.ptx filter $args --set mask=list:1,2
exits 2 "expected NAME=VALUE" "$HEDDLE" model w.ptx filter $args --set f32:list:1,2
exits 2 "expected a value" "$HEDDLE" model w.ptx filter $args --set mask=f32:empty:2
exits 6 "none.npy" "$HEDDLE" model w.ptx filter $args --set mask=@none.npy

# Lanes that leave before a barrier.
leave="leave --block 64 --arg x=i32:empty:1 --arg n"
exits 0 "" "$HEDDLE" model w.ptx ${leave}=40
grep -q "early exit: lanes 8 to 31 of warp 1 of block (0,0,0) left the kernel at PTX line 25, before this barrier" \
    stdout.txt || fail "$(cat stdout.txt)"
exits 0 "" "$HEDDLE" model w.ptx ${leave}=32
grep -q "^No hazard was found.$" stdout.txt || fail "a whole warp may leave: $(cat stdout.txt)"

# The document and the page.
exits 0 "" "$HEDDLE" model w.ptx filter $args --json
for text in '"warning": "unset variable"' '"variable": "mask"' '"advice": "--set mask=TYPE:VALUE sets it"'; do
    grep -q -- "$text" stdout.txt || fail "no $text: $(cat stdout.txt)"
done
exits 0 "" "$HEDDLE" model w.ptx filter $args --explore 2 --json
grep -q '"warning": "unset variable"' stdout.txt || fail "$(cat stdout.txt)"
exits 0 "" "$HEDDLE" model w.ptx filter $args --html w.html
grep -q "No hazard was found, but there are 2 warnings" w.html || fail "the page's verdict"
grep -q "<h2>Warnings</h2>" w.html || fail "the page's warnings"
exits 0 "" "$HEDDLE" model w.ptx ${leave}=33 --json
grep -q '"warning": "early exit"' stdout.txt || fail "$(cat stdout.txt)"

# With a compiler the source tells types and zeros that were meant.
cat >w.cu <<'END'
__constant__ float mask[3];
__constant__ float off[3] = {0};
__global__ void filter(float *x, int n)
{
    const int i = threadIdx.x;
    x[i] = mask[i % 3] + off[i % 3] + n;
}
END
"$HEDDLE" model w.cu filter --arg x=empty:32 --arg n=1 >out.txt 2>err.txt
code=$?
if [ $code = 4 ]; then # no compiler of CUDA C: what is above has been tested
    finish
fi
equal "w.cu" 0 $code
grep -q "there is 1 warning:" out.txt || fail "zeros that were meant: $(cat out.txt)"
grep -q -- "--set mask=f32:VALUE sets it" out.txt || fail "its type: $(cat out.txt)"
grep -q "w.cu:6 " out.txt || fail "its line: $(cat out.txt)"
exits 0 "" "$HEDDLE" model w.cu filter --arg x=empty:4 --arg n=1 --block 4 --set mask=list:1,2,3 --compare x=list:2,3,4,2
exits 2 "mask is of f32, not i32" "$HEDDLE" model w.cu filter --arg x=empty:4 --arg n=1 --set mask=i32:list:1,2,3

# A kernel that is graded, with a constant that nobody sets: right by luck.
"$HEDDLE" ladder reduce sequential --source | sed 's/__global__/__constant__ int bias;\n&/; s/x\[t\] += x\[t + s\]/& + bias/' >mine.cu
grep -q "bias;" mine.cu && grep -q "+ bias" mine.cu || fail "the step has changed: $(cat mine.cu)"
exits 0 "" "$HEDDLE" grade mine.cu --ladder reduce --as sequential --n 300 --block 64
grep -q "warning, line .*: nobody set 'bias'" stdout.txt || fail "$(cat stdout.txt)"
grep -q "^Passed: right everywhere, no hazard, but warnings.$" stdout.txt || fail "$(cat stdout.txt)"
finish
