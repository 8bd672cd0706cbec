# SPDX-License-Identifier: Apache-2.0
# A kernel in place of a step: right ones pass, wrong ones fail by what is wrong with them.
. "$(dirname "$0")/../_lib.sh"

exits 2 "--ladder is missing" "$HEDDLE" grade x.cu
exits 2 "no ladder is called tree" "$HEDDLE" grade x.cu --ladder tree
exits 2 "has no step third" "$HEDDLE" grade x.cu --ladder reduce --as third
exits 2 "no kernel" "$HEDDLE" grade x.cu --ladder reduce --as heddle
exits 2 "expected one of model|cuda" "$HEDDLE" grade x.cu --ladder reduce --backend gpu
exits 2 "takes 1 to" "$HEDDLE" grade x.cu --ladder reduce --n 2000000000
exits 6 "cannot be read" "$HEDDLE" grade none.cu --ladder reduce

"$HEDDLE" ladder reduce sequential --source >mine.cu
n=3000
sanitized && n=600
"$HEDDLE" grade mine.cu --ladder reduce --as sequential --n $n --block 64 >out.txt 2>err.txt
code=$?
if [ $code = 4 ]; then
    echo "no compiler for CUDA C: $(cat err.txt)"
    exit 77
fi
equal "the step itself" 0 $code
grep -q "Passed" out.txt || fail "$(cat out.txt)"
for values in "all alike" extremes falling; do
    grep -q "right, $values" out.txt || fail "not tried: $values: $(cat out.txt)"
done
grep -q "The fastest step at this size: " out.txt || fail "the best of the ladder: $(cat out.txt)"

# Elements behind the end count as well: wrong where n is no multiple of the block, and outside.
sed 's/i < n ? in\[i\] : 0/in[i]/' mine.cu >wrong.cu
"$HEDDLE" grade wrong.cu --ladder reduce --as sequential --n $n --block 64 >out.txt
equal "reads behind the end" 5 $?
grep -q "line 7" out.txt || fail "the line of the hazard: $(cat out.txt)"

sed 's/x\[t\] += x\[t + s\]/x[t] -= x[t + s]/' mine.cu >wrong.cu
"$HEDDLE" grade wrong.cu --ladder reduce --as sequential --n $n --block 64 >out.txt
equal "a wrong sum" 1 $?
grep -q "instead of" out.txt || fail "$(cat out.txt)"

sed '0,/__syncthreads();/s///' mine.cu >racy.cu
"$HEDDLE" grade racy.cu --ladder reduce --as sequential --n $n --block 64 --json >out.json
code=$?
[ $code = 5 ] || [ $code = 1 ] || fail "a missing barrier: exit $code"
grep -q "nothing orders them" out.json || fail "a race: $(cat out.json)"

: >empty.cu
exits 2 "--source" "$HEDDLE" grade empty.cu --ladder reduce
sed 's/, int n)/)/; s/i < n ? in\[i\] : 0/in[i]/' mine.cu >few.cu
exits 2 "--source" "$HEDDLE" grade few.cu --ladder reduce --as sequential

exits 2 "as with --block 128; got 96" "$HEDDLE" grade mine.cu --ladder reduce --as sequential --block 96

# An argument of another size: nothing is read that is not there.
sed 's/, int n)/, long long n)/' mine.cu >wide.cu
exits 2 "argument 3 of reduce has 8 bytes, and gets an int of 4" "$HEDDLE" grade wide.cu --ladder reduce --as sequential
sed 's/int \*out/float4 out/; s/out\[blockIdx.x\] = x\[0\]/x[0] = out.x/' mine.cu >wide.cu
exits 2 "argument 2 of reduce has 16 bytes, and gets a pointer of 8" "$HEDDLE" grade wide.cu --ladder reduce --as sequential

# Wrong on no random values, but where all are alike and negative.
"$HEDDLE" ladder maximum tournament --source | sed 's/x\[b\] > x\[a\] ?/x[b] > x[a] || x[b] == -1 ?/' >mine.cu
"$HEDDLE" grade mine.cu --ladder maximum --as tournament --n 100 --block 64 >out.txt
equal "all alike" 1 $?
grep -q "wrong, all alike" out.txt || fail "$(cat out.txt)"

# A kernel that never ends is given up on, and not tried again. Sanitizers would only make it
# slower.
cat >loop.cu <<'END'
extern "C" __global__ void reduce(const int *in, int *out, int n)
{
    volatile int more = n;
    int k = 0;
    while (more) k++;
    out[0] = k;
}
END
if ! sanitized; then
    "$HEDDLE" grade loop.cu --ladder reduce --n 600 --block 64 >out.txt
    equal "an endless loop" 1 $?
    grep -q "stopped after" out.txt || fail "$(cat out.txt)"
    grep -q "does not come to its end" out.txt || fail "$(cat out.txt)"
    equal "trials of it" 1 "$(grep -c "^  n = " out.txt)"
fi

# Wrong answers are not called right by luck.
cat >nowhere.cu <<'END'
extern "C" __global__ void reduce(const int *in, int *out, int n)
{
    *(int *)16 = n;
}
END
"$HEDDLE" grade nowhere.cu --ladder reduce --n 100 --block 64 >out.txt
equal "writes nowhere" 5 $?
grep -q "hazards were found, and wrong answers" out.txt || fail "$(cat out.txt)"

echo "this is no kernel" >bad.cu
exits 3 "bad.cu" "$HEDDLE" grade bad.cu --ladder reduce
finish
