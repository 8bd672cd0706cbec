#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The measured tables of the documentation are what the files in bench/results/ say; these files
# name no host and no path, and a table that was changed by hand is found.
set -u
SOURCE=$(cd "$SOURCE" && pwd) || exit 1
folder=$(mktemp -d "${TMPDIR:-/tmp}/heddle-tables.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
python3 "$SOURCE/scripts/tables.py" check || exit 1
if grep -lE '"(host_name|executable|samples)"' "$SOURCE"/bench/results/*.json; then
    echo "these results name a host or a file, or have raw samples: scripts/tables.py add leaves them out"
    exit 1
fi
cd "$folder" || exit 1
mkdir -p tree/docs tree/bench && cp -R "$SOURCE/scripts" tree/ && cp -R "$SOURCE/bench/results" tree/bench/ || exit 1
page=$(grep -lE '^<!-- table: ' -r "$SOURCE/docs" --include='*.md' | head -1)
[ -n "$page" ] || { echo "no page has a table"; exit 1; }
echo "# none" >tree/README.md
awk '{ print } /^<!-- table: /{ print "a line by hand" }' "$page" >tree/docs/page.md
if python3 tree/scripts/tables.py check >log; then
    echo "a table that was changed by hand is not found"
    exit 1
fi
python3 tree/scripts/tables.py write >log && python3 tree/scripts/tables.py check && cmp tree/docs/page.md "$page" ||
    exit 1

# Two runs of one machine become one file; a run of another machine is refused.
run() { # FILE THREADS ROW NANOSECONDS
    cat >"$1" <<END
{"context": {"date": "2026-11-18T00:00:00+0000", "host_name": "secret", "executable": "secret", "cpu_name": "a CPU",
  "commit": "abcdef0", "heddle_isa": "avx2", "heddle_threads": $2},
 "benchmarks": [{"name": "$3/f32/sum/1024", "real_time": $4, "bytes_per_second": 2e9, "samples": [1, 2]},
  {"name": "$3/f32/sum/1024/peak", "real_time": $4, "bytes_per_second": 2e9},
  {"name": "$3/f32/sum/1024/TBB", "real_time": 500, "bytes_per_second": 1e9}]}
END
}
run a.json 2 reduce 250
run b.json 2 scan 125
run c.json 3 map 1
python3 tree/scripts/tables.py add a.json b.json two-runs >log || exit 1
grep -qE 'secret|samples' tree/bench/results/two-runs.json && { echo "a host, a file or samples are kept"; exit 1; }
python3 tree/scripts/tables.py add a.json c.json other >log 2>&1 && { echo "runs that differ were joined"; exit 1; }
printf '%s\n' '<!-- table: two-runs.json sizes=2^10 show=all -->' '<!-- end of table -->' \
    '<!-- table: to-come.json -->' '<!-- end of table -->' >tree/docs/page.md
python3 tree/scripts/tables.py write >log || exit 1
for line in 'a CPU, 2 threads, avx2; 2026-11-18, commit `abcdef0`.' 'Not measured yet.' \
    '| reduce f32 sum | 250 ns | 2 GB/s | 100 % | 2.00 TBB |' '| scan f32 sum | 125 ns | 2 GB/s | 100 % | 4.00 TBB |'; do
    grep -qxF -- "$line" tree/docs/page.md || { echo "no line $line"; cat tree/docs/page.md; exit 1; }
done
