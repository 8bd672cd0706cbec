#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The man pages format without a warning, and name every function of the public header.
set -u
failed=0
groff=$(command -v groff || true)
[ -n "$groff" ] || { echo "groff is not here"; exit 77; }
for page in "$SOURCE"/man/*.[13]; do
    warnings=$("$groff" -ww -man -Tutf8 -z "$page" 2>&1)
    [ -z "$warnings" ] || { echo "$page: $warnings"; failed=1; }
    if command -v mandoc >/dev/null; then
        mandoc -T lint -W warning "$page" || failed=1
    fi
done
for name in $(grep -ohE '\bhd_[a-z_0-9]+ *\(' "$SOURCE/include/heddle.h" | tr -d ' (' | sort -u); do
    grep -q "$name" "$SOURCE/man/heddle.3" || { echo "heddle.3 does not name $name"; failed=1; }
done
exit $failed
