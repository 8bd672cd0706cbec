#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The binary interface is that of tests/tree/abi.txt, which scripts/abi.sh writes, and that of the
# last release, says abidiff; and the script notices a member that moves, a name that goes and one
# that comes. Part of ./test --all.
set -eu
[ -n "${HEDDLE_TEST_ALL-}" ] || { echo "./test --all runs it"; exit 77; }
[ -e "$BUILD/libheddle.so" ] || { echo "no shared library in this build"; exit 77; }
bash "$SOURCE/scripts/abi.sh" check "$BUILD"
bash "$SOURCE/scripts/abi.sh" released

# The same against facts that were others.
mkdir -p tree/tests/tree
cp -R "$SOURCE/scripts" "$SOURCE/include" tree/
sed -e 's/^\(member hd_view.type: hd_type at\) .*/\1 4/' -e '/^exported hd_open:/d' \
    "$SOURCE/tests/tree/abi.txt" >tree/tests/tree/abi.txt
echo 'exported hd_gone: void ()' >>tree/tests/tree/abi.txt
if bash tree/scripts/abi.sh check "$BUILD" >said; then
    echo "nothing was noticed"
    exit 1
fi
for line in 'exported hd_open: ' 'removed: exported hd_gone: ' \
    'changed: member hd_view.type: hd_type at 4'; do
    grep -q "^$line" said || { echo "not noticed: $line"; cat said; exit 1; }
done
