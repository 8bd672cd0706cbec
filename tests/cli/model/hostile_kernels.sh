# SPDX-License-Identifier: Apache-2.0
# Kernels that somebody wrote to do harm: none reads a file outside its folder, outlives its limits,
# or leaves a process or a file behind, also when the program is killed. Skipped where there is no
# compiler.
. "$(dirname "$0")/../_lib.sh"

# Everything that may be left behind is left in one place.
export TMPDIR=$PWD/tmp HEDDLE_CACHE_DIR=$PWD/cache
mkdir tmp kernels outside
printf 'int outside_secret = 1\nint more;\n' >outside/secret.h
mkfifo kernels/pipe.h
ln -s "$PWD/outside/secret.h" kernels/link.h
ln -s "$PWD/outside" kernels/folder
printf '#define FOUND 1\n' >kernels/own.h
cd kernels || exit 1
absolute=$(cd ../outside && pwd)/secret.h

echo '__global__ void k(int *x) {}' >probe.cu
"$HEDDLE" model probe.cu >/dev/null 2>probe.txt
case $? in
0) ;;
4) echo "no compiler of CUDA C is here" && exit 77 ;;
*) fail "probe.cu: $(cat probe.txt)" ;;
esac
compilers=
for c in nvrtc clang; do
    "$HEDDLE" model probe.cu --compiler $c >/dev/null 2>&1 && compilers="$compilers $c"
done

# Every process that a command starts carries this mark.
export HEDDLE_TEST_MARK=hostile-$$-$RANDOM
marked() {
    HEDDLE_TEST_MARK='' grep -lsa "HEDDLE_TEST_MARK=hostile-${HEDDLE_TEST_MARK#hostile-}" /proc/[0-9]*/environ
}
# nothing_left WHAT: no process, after at most 20 s, and no file
nothing_left() {
    local k
    for k in $(seq 200); do
        [ -z "$(marked)" ] && break
        sleep 0.1
    done
    [ -z "$(marked)" ] || fail "$1 left a process: $(for p in $(marked); do tr '\0' ' ' <"${p%environ}cmdline"; done)"
    [ -z "$(ls -A "$TMPDIR")" ] || fail "$1 left files: $(ls -A "$TMPDIR")"
}

# ---- Files outside -------------------------------------------------------------------------------

kernel='__global__ void k(int *x) { *x = FOUND; }'
refused() { # NAME COMPILER LINE
    local out=$1.$2.txt code
    "$HEDDLE" model "$1.cu" --compiler "$2" >"$out" 2>&1 </dev/null
    code=$?
    grep -q outside_secret "$out" && echo "$1, $2: shows a file outside: $(cat "$out")"
    [ "$code" = 3 ] || echo "$1, $2: expected exit 3, got $code: $(cat "$out")"
    grep -q "$1.cu[:(]$3[:)]" "$out" || echo "$1, $2: no line: $(cat "$out")"
    grep -q "files may be included from $PWD (the kernel's own)" "$out" ||
        echo "$1, $2: does not say what is allowed: $(cat "$out")"
}
# spelling NAME TEXT [LINE]: an #include in this line that every compiler must refuse. Sanitizers
# see one of each kind.
spelling() {
    local c
    case $1 in
    quotes | link | macro | pipe) ;;
    *) sanitized && return ;;
    esac
    printf "$2"'\n#define FOUND 1\n%s\n' "$kernel" >"$1.cu"
    for c in $compilers; do
        refused "$1" "$c" "${3:-1}" >>refused.txt &
    done
    wait
}
spelling quotes "#include \"$absolute\""
spelling angles "#include <$absolute>"
spelling above '#include "../outside/secret.h"'
spelling above_angles '#include <../outside/secret.h>'
spelling link '#include "link.h"'
spelling linked_folder '#include "folder/secret.h"'
spelling macro "#define F \"$absolute\"\n#include F" 2
spelling made "#define S(x) #x\n#include S($absolute)" 2
spelling made_link '#define F "link.h"\n#include F' 2
spelling next "#include_next \"$absolute\""
spelling digraph "%%:include \"$absolute\""
spelling continued "#inc\\\\\nlude \"$absolute\"" 2
spelling device '#include "/dev/zero"'
spelling pipe '#define F "pipe.h"\n#include F' 2
spelling toolkit "#include <cuda_fp16.h>\n#define S(x) #x\n#include S($absolute)" 3
[ -s refused.txt ] && fail "$(cat refused.txt)"

# Whether it is there is not told either.
printf '#if __has_include("%s")\n#error outside_secret\n#endif\n#include "own.h"\n%s\n' "$absolute" "$kernel" >has.cu
for c in $compilers; do
    exits 0 "" "$HEDDLE" model has.cu --compiler $c
done

# Its own folder and those of -I stay open, by their names, macros and __has_include.
mkdir -p sub
printf '#include "own.h"\n' | tee sub/deep.h >/dev/null
cp own.h sub/own.h
printf '#define FOUND 1\n' >../outside/allowed.h
cat >own.cu <<'END'
#define WHICH "own.h"
#if __has_include("own.h") && !__has_include("not_there.h")
#include WHICH
#endif
#include "sub/deep.h"
#include <allowed.h>
__global__ void k(int *x) { *x = FOUND; }
END
for c in $compilers; do
    exits 0 "" "$HEDDLE" model own.cu --compiler $c -I ../outside
done

# Lines that a text only names, by #line or in PTX.
printf '#line 1 "%s"\n__global__ void k(int *x) { x[threadIdx.x + 1] = 1; }\n' "$absolute" >named.cu
"$HEDDLE" model named.cu k --arg x=i32:zeros:4 --html ../named.html >out.txt 2>&1
grep -q outside_secret out.txt ../named.html && fail "#line shows a file outside: $(cat out.txt)"
"$HEDDLE" model named.cu --ptx >named.ptx
grep -q secret.h named.ptx || fail "the PTX does not name the file"
"$HEDDLE" model named.ptx k --arg i32:zeros:4 --json >out.txt 2>&1
grep -q outside_secret out.txt && fail "PTX shows a file outside: $(cat out.txt)"

# ---- Compilers without end -----------------------------------------------------------------------

cat >templates.cu <<'END'
template <int N, class... T> struct b {
    static constexpr int v = b<N - 1, T..., int[N]>::v + b<N - 1, T..., float[N]>::v;
};
template <class... T> struct b<0, T...> { static constexpr int v = 1; };
__global__ void k(int *x) { x[0] = b<24>::v; }
END
cat >constant.cu <<'END'
constexpr int f(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s ^= i * j; return s; }
__global__ void k(int *x) { constexpr int v = f(2000000); x[0] = v; }
END
{
    echo '#define A0 x[0] += 1;'
    for i in 1 2 3 4 5 6 7 8 9; do
        a=A$((i - 1))
        echo "#define A$i $a $a $a $a $a $a $a $a"
    done
    echo '__global__ void k(int *x) { A9 }'
} >macros.cu
{
    printf '__global__ void k(int *x) { x[0] = '
    printf '%200000s' '' | tr ' ' '('
    printf 1
    printf '%200000s' '' | tr ' ' ')'
    printf '; }\n'
} >deep.cu
for f in constant macros deep; do
    HEDDLE_COMPILE_SECONDS=1 HEDDLE_COMPILE_MEMORY=256 exits 3 "$f.cu" "$HEDDLE" model $f.cu
    nothing_left "$f.cu"
done
HEDDLE_COMPILE_SECONDS=1 HEDDLE_COMPILE_MEMORY=4000 exits 3 "was ended after 1 s" "$HEDDLE" model templates.cu
HEDDLE_COMPILE_MEMORY=120 exits 3 "120 MiB" "$HEDDLE" model macros.cu

# PTX that ptxas takes minutes for: its answer is done without.
{
    printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n'
    printf '.reg .b32 %%r<20001>;\n.reg .b64 %%rd<2>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\n'
    seq 2 19999 | sed 's/.*/add.s32 %r&, %r1, &;/'
    seq 2 19999 | sed 's/.*/st.global.u32 [%rd1], %r&;/'
    printf 'ret;\n}\n'
} >long.ptx
HEDDLE_COMPILE_SECONDS=1 "$HEDDLE" model long.ptx k --arg i32:zeros:1 --block 1 --checks caches >out.txt 2>&1 ||
    fail "long.ptx: $(tail -3 out.txt)"
nothing_left long.ptx

# ---- Kernels without end, in the sandbox ---------------------------------------------------------

say='(const int *in, int *out, int n)'
grade="$HEDDLE grade --ladder reduce --as sequential --n 64 --block 64 --threads 1"
echo "__global__ void reduce$say { while (((volatile const int *)in)[0] != 0x7fffffff) {} }" >endless.cu
exits 1 "ended after 1 s in the sandbox" $grade endless.cu --seconds 1
cat >large.cu <<END
__device__ char big[1u << 31];
__global__ void reduce$say { for (unsigned k = 0; k < 1u << 31; k += 4096) big[k] = 1; *out = 0; }
END
"$HEDDLE" grade --ladder reduce --as sequential --n 64 --block 64 --memory 96 --seconds 1 large.cu >out.txt 2>&1 &&
    fail "large.cu passed: $(cat out.txt)"
echo "__global__ void reduce$say { __shared__ int x[1 << 26]; x[n] = n; *out = x[*in]; }" >shared.cu
exits 2 "shared memory" $grade shared.cu
cat >taken.cu <<END
__global__ void reduce$say { for (int k = 0; k < 9999; k++) { char *p = (char *)malloc(1 << 20); if (p) *p = 1; } }
END
$grade taken.cu --seconds 1 >out.txt 2>&1 && fail "taken.cu passed: $(cat out.txt)"
sed 's/ k(int \*x)/ reduce(const int *in, int *x, int n)/' quotes.cu >graded.cu
exits 3 "is refused" $grade graded.cu
grep -q outside_secret stdout.txt stderr.txt && fail "grade shows a file outside"
nothing_left grade

# What they print.
cat >flood.cu <<'END'
#include <cstdio>
__global__ void k(int *x) { for (int i = 0; i < 2000; i++) printf("line %d of very many\n", i); }
END
exits 0 "" "$HEDDLE" model flood.cu k --arg x=i32:zeros:1 --print-bytes 1000
grep -q "bytes more, which were dropped (--print-bytes; now 1,000)" stdout.txt || fail "flood: $(head -70 stdout.txt)"
[ "$(wc -c <stdout.txt)" -lt 4000 ] || fail "flood: $(wc -c <stdout.txt) bytes"
exits 0 "" "$HEDDLE" model flood.cu k --arg x=i32:zeros:1
[ "$(wc -c <stdout.txt)" -gt 1000000 ] || fail "flood: only $(wc -c <stdout.txt) bytes"

# ---- The sandbox itself --------------------------------------------------------------------------

exits 2 "is a limit of the sandbox" "$HEDDLE" model probe.cu --seconds 2
exits 2 "--sandbox and --no-sandbox" "$HEDDLE" model probe.cu --sandbox --no-sandbox
exits 2 "devices" "$HEDDLE" grade probe.cu --ladder reduce --backend cuda --sandbox
export HEDDLE_SANDBOX_WITHOUT=landlock,seccomp
exits 4 "neither Landlock nor seccomp" "$HEDDLE" model probe.cu --sandbox
exits 3 "not whole here: neither files nor the network" $grade graded.cu
unset HEDDLE_SANDBOX_WITHOUT
"$HEDDLE" model probe.cu --sandbox >out.txt 2>&1
whole=$?
if [ $whole = 0 ]; then
    exits 0 "" "$HEDDLE" model own.cu k -I ../outside --arg x=i32:zeros:1 --sandbox --out x=../y.npy --html ../y.html
    [ -s ../y.npy ] && [ -s ../y.html ] || fail "the sandbox does not write what it is told to"
    # A compiler in its place, to see what is open in there.
    cat >spy <<'END'
#!/bin/bash
(echo >"$SPY/written") 2>/dev/null && echo "wrote a file" >&2
(exec 3<>/dev/tcp/127.0.0.1/9) 2>&1 | grep -qi -e refused && echo "reached the network" >&2
rm -f "$SPY/kept" 2>/dev/null
chmod 777 "$SPY/kept" 2>/dev/null && echo "changed a mode" >&2
echo "the spy was here" >&2
exit 1
END
    chmod +x spy
    mkdir ../spied && : >../spied/kept
    HEDDLE_MODEL_CLANG=$PWD/spy SPY=$PWD/../spied exits 3 "the spy was here" \
        "$HEDDLE" model probe.cu --compiler clang --sandbox
    grep -e "wrote a file" -e "reached" -e "changed a mode" stderr.txt && fail "the sandbox is open"
    [ -e ../spied/kept ] && [ ! -e ../spied/written ] || fail "the sandbox lets files be changed: $(ls ../spied)"
    # The same without it does all of that: the spy works.
    HEDDLE_MODEL_CLANG=$PWD/spy SPY=$PWD/../spied exits 3 "wrote a file" "$HEDDLE" model probe.cu --compiler clang
else
    echo "the sandbox is not whole here: $(cat out.txt)"
fi

# ---- Killed --------------------------------------------------------------------------------------

# killed SIGNAL PROCESSES COMMAND...: all of them end with the first.
killed() {
    local signal=$1 count=$2 pid k looks=0
    shift 2
    "$@" >/dev/null 2>&1 </dev/null &
    pid=$!
    for k in $(seq 150); do # until its compiler runs, and does not end soon
        [ "$(marked | wc -l)" -ge "$count" ] && looks=$((looks + 1)) || looks=0
        [ $looks = 2 ] && break
        sleep 0.2
    done
    [ $looks = 2 ] || fail "$*: has no $count processes"
    kill -"$signal" $pid
    wait $pid 2>/dev/null
    nothing_left "SIG$signal, $*"
}
sed 's/ k(int \*x)/ reduce(const int *in, int *x, int n)/' templates.cu >graded.cu
signals="KILL TERM"
sanitized && signals=TERM
for signal in $signals; do
    killed $signal 2 "$HEDDLE" model templates.cu
    killed $signal 3 $grade graded.cu
done
finish
