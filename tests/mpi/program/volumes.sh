# SPDX-License-Identifier: Apache-2.0
# What patterns send is what the scaling model says: messages, bytes and collective calls, counted
# by a library that is put before MPI's, beside the document of heddle bench --mpi.
. "$SOURCE/tests/mpi/program/_lib.sh" "$@"
command -v python3 >/dev/null || exit 77
"mpicc.$mpi" -shared -fPIC "$SOURCE/tests/mpi/program/count.c" -o count.so 2>log || { cat log; exit 77; }

for n in 2 $limit; do
    HEDDLE_COUNTS=counts.txt timeout 300 "$mpirun" -n "$n" env LD_PRELOAD="$PWD/count.so" "$HEDDLE" \
        bench --mpi --time 0.0001 --sizes 16384 --json scaling.json >out.txt 2>&1 ||
        fail "bench on $n ranks: $(cat out.txt)"
    python3 - "$n" <<'END' || fail "volumes on $n ranks"
import json, math, sys

ranks, levels, wrong = int(sys.argv[1]), math.ceil(math.log2(int(sys.argv[1]))), 0
for row, line in zip(json.load(open("scaling.json"))["patterns"], open("counts.txt")):
    cost, (calls, messages, sent) = row["cost"], map(int, line.split())
    name, exchanged = row["pattern"], cost["exchanged_bytes"]
    # Indices that come twice are asked for once; contraction draws numbers at random.
    good = abs(calls - cost["rounds"] / levels) <= 2 + 0.2 * calls
    good &= messages <= 1.25 * cost["messages"] and 2 * messages >= cost["messages"] / levels
    good &= sent <= 1.25 * exchanged + (0 if exchanged else cost["bytes"]) and sent >= 0.7 * exchanged
    print(name, ranks, "ranks:", calls, messages, sent, "counted;", cost)
    wrong += not good
sys.exit(wrong > 0)
END
done
finish
