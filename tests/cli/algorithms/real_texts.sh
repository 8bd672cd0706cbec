# SPDX-License-Identifier: Apache-2.0
# heddle lex on JSON and C files that the packages of this machine brought, against other scanners.
. "$(dirname "$0")/../_lib.sh"
command -v python3 >/dev/null || { echo "no python3 here"; exit 77; }
sanitized && [ -n "${HEDDLE_TEST_SMALL-}" ] && { echo "the same texts as without sanitizers"; exit 77; }
HEDDLE=$HEDDLE exec python3 "$SOURCE/tests/python/real_texts.py"
