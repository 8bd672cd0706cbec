# SPDX-License-Identifier: Apache-2.0
# Round trips with NumPy: what it writes is read, what is written it reads, and values agree.
. "$(dirname "$0")/../_lib.sh"
python=$(numpy)
[ -n "$python" ] || { echo "no NumPy here"; exit 77; }
HEDDLE=$HEDDLE "$python" "$SOURCE/tests/python/cli_numpy.py" || fail "see above"
finish
