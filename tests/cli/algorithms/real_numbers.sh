# SPDX-License-Identifier: Apache-2.0
# Algorithms on graphs, matrices, signals and images of the usual generators, against NumPy, SciPy
# and NetworkX. ./test --all installs these; without them the test is skipped.
. "$(dirname "$0")/../_lib.sh"
sanitized && [ -n "${HEDDLE_TEST_SMALL-}" ] && { echo "the same numbers as without sanitizers"; exit 77; }
for python in python3 /usr/bin/python3; do
    "$python" -c 'import networkx, numpy, scipy' 2>/dev/null || continue
    HEDDLE=$HEDDLE exec "$python" "$SOURCE/tests/python/real_numbers.py"
done
echo "no Python with NumPy, SciPy and NetworkX here"
exit 77
