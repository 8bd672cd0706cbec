#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every kernel of the library begins with hk_begin(), for it may be launched while the one before it
# still works (docs/internals/gpu-runtime.md); no GPU is needed to forget it, but one to notice.
set -u
cd "$SOURCE/src/gpu" || exit 1
failed=0
for file in */*.cu; do
    awk '/__global__/ { kernel = 1 }
         kernel && /^{/ { getline; if ($0 != "    hk_begin();") bad = 1; kernel = 0; seen = 1 }
         END { exit bad || !seen }' "$file" || { echo "$file: a kernel does not begin with hk_begin()"; failed=1; }
done
exit $failed
