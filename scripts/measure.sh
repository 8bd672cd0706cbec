#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The runs of heddle bench that the tables of docs/reference/ are made of, a JSON file a pattern.
#   scripts/measure.sh cores FOLDER   every pattern on all cores, 2^24 elements, and small calls
#   scripts/measure.sh algorithms FOLDER  what is built on them, 2^22 elements
#   scripts/measure.sh gpu FOLDER     the patterns that a GPU runs, 2^20, 2^24 and 2^28 elements
# HEDDLE names the program (build/release/heddle), PATTERNS the patterns if not all, TIME the
# seconds a row (0.3), LIMIT the seconds after which no further pattern is begun (none). The peers
# are those that the build has. Then: scripts/tables.py add FOLDER/*.json NAME; scripts/tables.py
# write
set -u
cd "$(dirname "$0")/.." || exit 1
heddle=${HEDDLE:-build/release/heddle}
what=${1-} folder=${2-}
case $what in cores | algorithms | gpu) ;; *) folder= ;; esac
[ -n "$folder" ] || { sed -n '3,10s/^# //p' "$0" >&2; exit 2; }
[ -x "$heddle" ] || { echo "no program $heddle: build it, or set HEDDLE" >&2; exit 2; }
mkdir -p "$folder" || exit 2
end=$((SECONDS + ${LIMIT:-1000000}))
failed=0

# bench NAME PATTERN OPTION...: one run, FOLDER/NAME.json.
bench() {
    local name=$1 begun=$SECONDS
    shift
    [ -z "${PATTERNS-}" ] || case " $PATTERNS " in *" $1 "*) ;; *) return ;; esac
    [ $SECONDS -lt $end ] || { echo "$name: no time left"; failed=1; return; }
    "$heddle" bench "$@" --peers --no-peaks --time "${TIME:-0.3}" --json "$folder/$name.json" >"$folder/$name.txt" 2>&1 ||
        { echo "$name: exit code $?"; tail -3 "$folder/$name.txt"; failed=1; }
    echo "$name: $((SECONDS - begun)) s"
}

if [ "$what" = cores ]; then
    bench latency latency
    for pattern in reduce scan segmented user_operators exact map gather scatter find difference shuffle transpose zip \
        list select runs histogram sort sort_by merge search top_k stencil convolve blur; do
        bench $pattern $pattern --sizes 2^24
    done
elif [ "$what" = algorithms ]; then
    for pattern in filter recurrence polynomial bigint tridiagonal spmv components mst tree lex strings evaluate hull \
        integral boxes label spans layout; do
        bench $pattern $pattern --sizes 2^22
    done
    for pattern in matmul inverse; do # of 1024 x 1024
        bench $pattern $pattern --sizes 2^20
    done
else
    for pattern in reduce scan map select runs gather scatter; do
        bench $pattern $pattern --backend cuda --sizes 2^20,2^24
    done
    bench slices slices --backend cuda --sizes 2^28
    for pattern in reduce scan map; do
        bench $pattern-large $pattern --backend cuda --sizes 2^28 --types i32,f32
    done
    for pattern in select runs gather scatter; do
        bench $pattern-large $pattern --backend cuda --sizes 2^28 --types i32
    done
fi
exit $failed
