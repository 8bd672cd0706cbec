# SPDX-License-Identifier: Apache-2.0
# NumPy's arrays through DLPack into the shared library and back.
. "$(dirname "$0")/../_lib.sh"
python=$(numpy)
[ -n "$python" ] || { echo "no NumPy here"; exit 77; }
[ -e "$BUILD/libheddle.so" ] || { echo "no shared library in this build"; exit 77; }
{ sanitized || grep -qa __ubsan_handle "$HEDDLE"; } && { echo "a sanitizer cannot be loaded into Python"; exit 77; }
"$python" "$SOURCE/tests/python/dlpack_numpy.py" "$BUILD/libheddle.so"
code=$?
[ $code = 77 ] && exit 77
[ $code = 0 ] || fail "see above"
finish
