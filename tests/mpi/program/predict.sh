# SPDX-License-Identifier: Apache-2.0
# heddle bench --mpi: it measures something, and its predictions are what the formulas make of that.
. "$SOURCE/tests/mpi/program/_lib.sh" "$@"

ranks 2 bench --mpi --predict --quick --sizes 4096 --json scaling.json >out.txt || fail "bench --mpi"
for row in reduce scan compact histogram sort gather scatter transpose stencil rank; do
    equal "rows of $row" 3 "$(grep -c "^$row " out.txt)"
done
for column in 2 8 64 512 4096 32768 100000; do
    grep "^ranks " out.txt | grep -qw "$column" || fail "no column of $column ranks"
done
command -v python3 >/dev/null && { python3 - <<'END' || fail "the document"; }
import json, math
d = json.load(open("scaling.json"))
assert d["ranks"] == 2 and d["nodes"] == 1 and d["elements_per_rank"] == 4096, d
for key in ("latency_seconds", "seconds_per_collective_round", "seconds_per_search_step"):
    assert d[key] > 0, key
assert len(d["patterns"]) == 10
for p in d["patterns"]:
    assert p["seconds_alone"] > 0 and p["seconds_over_ranks"] > 0, p
    assert [row["ranks"] for row in p["weak"]] == [1, 2, 8, 64, 512, 4096, 32768, 100000]
    # On one rank nothing is sent; on the measured number the prediction is the model's row.
    assert p["weak"][0]["seconds"] == p["seconds_alone"], p
    assert p["weak"][1]["seconds"] == p["seconds_by_model"], p
    assert p["strong"][0]["elements"] == 2**36
# Reduce by hand, on 64 ranks: four collective calls, 6 messages of a carry.
p = d["patterns"][0]
n = 64 * 4096
by_hand = p["seconds_alone"] + 24 * d["seconds_per_collective_round"] + 6 * d["latency_seconds"] \
    + 6 * (16 * math.log2(n) + 64) * d["seconds_per_byte"]
assert abs(p["weak"][3]["seconds"] - by_hand) < 1e-9 * by_hand, (p, by_hand)
END

exits 2 "--mpi: expected two ranks or more" "$HEDDLE" bench --mpi
exits 2 "--predict: goes with --mpi" "$HEDDLE" bench --predict
ranks 2 bench >out.txt 2>&1
equal "bench without --mpi" 2 $?
ranks 2 bench --mpi --sizes 5 >out.txt 2>&1
equal "too few elements" 2 $?
finish
