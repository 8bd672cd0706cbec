#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The HTML reference has a text for every function of the public headers: docs/doxygen/filter.awk
# puts one before each; where doxygen is found, it makes the pages without a warning.
set -u
failed=0
for header in "$SOURCE"/include/heddle.h "$SOURCE"/include/heddle_model.h \
    "$SOURCE"/include/heddle_dlpack.h "$SOURCE"/include/heddle/*.h "$SOURCE"/include/heddle/*/*.h; do
    awk -f "$SOURCE/docs/doxygen/filter.awk" "$header" |
        awk -v header="$header" '/^HD_API .*\(/ && last !~ /^\/\/\// { print header ": no text before: " $0; bad = 1 }
             { last = $0 } END { exit bad }' || failed=1
done
command -v doxygen >/dev/null || exit $failed
sed "s|@PROJECT_VERSION@|0|; s|@PROJECT_BINARY_DIR@|$PWD|; s|@PROJECT_SOURCE_DIR@|$SOURCE|" \
    "$SOURCE/docs/doxygen/Doxyfile.in" >Doxyfile
mkdir -p docs && doxygen Doxyfile >warnings 2>&1 || failed=1
[ -s warnings ] && { cat warnings; failed=1; }
grep -q 'the bits of' docs/html/scan_8h.html || { echo "the page of hd_scan has no text"; failed=1; }
exit $failed
