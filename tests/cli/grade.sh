# SPDX-License-Identifier: Apache-2.0
# A kernel in place of a rung: right ones pass, wrong ones fail by what is wrong with them.
. "$(dirname "$0")/_lib.sh"

exits 2 "--ladder is missing" "$HEDDLE" grade x.cu
exits 2 "no ladder is called tree" "$HEDDLE" grade x.cu --ladder tree
exits 2 "has no rung third" "$HEDDLE" grade x.cu --ladder reduce --as third
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
equal "the rung itself" 0 $code
grep -q "Passed" out.txt || fail "$(cat out.txt)"

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

echo "this is no kernel" >bad.cu
exits 3 "bad.cu" "$HEDDLE" grade bad.cu --ladder reduce
finish
