#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is installed names no folder of the source or the build, and has no dates; and the same
# sources in another folder give the same objects. tree.two_builds compares everything.
set -u
cd "$(pwd -P)" || exit 1
cache=$BUILD/CMakeCache.txt
grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=Debug' "$cache" && { echo "a debug build"; exit 77; }
failed=0

installed=$BUILD/tests/installed
count=0
while read -r file; do
    count=$((count + 1))
    for folder in "$SOURCE" "$BUILD"; do
        ! grep -qaF -- "$folder" "$file" || { echo "$file names $folder"; failed=1; }
    done
done < <(find "$installed" -type f)
[ $count -gt 50 ] || { echo "only $count files in $installed"; failed=1; }
ar tv "$installed"/lib*/libheddle.a 2>/dev/null | grep -v ' 0/0 .* 1970 ' | head -3 | grep . &&
    { echo "members of libheddle.a have owners or dates"; failed=1; }

# Objects as the build made them, and as its own commands make them elsewhere.
[ -e "$BUILD/compile_commands.json" ] || exit $failed
mkdir -p elsewhere/build
cp -R "$SOURCE/src" "$SOURCE/include" "$SOURCE/cli" "$SOURCE/bench" elsewhere/
export CCACHE_DISABLE=1
for object in heddle_objects.dir/src/core/context.c.o heddle_objects.dir/src/model/counters/hierarchy.c.o \
    heddle_objects_baseline.dir/src/cpu/simd/sort/before.c.o \
    heddle_objects_neon.dir/src/cpu/simd/sort/before.c.o heddle_cli.dir/bench/peer/peer_loader.c.o; do
    [ -e "$BUILD/CMakeFiles/$object" ] || continue
    command=$(grep '^ *"command"' "$BUILD/compile_commands.json" | grep -F "/$object " | head -1 |
        sed 's/^ *"command": "//; s/",$//; s/\\"/"/g; s/\\\\/\\/g')
    [ -n "$command" ] || { echo "no command makes $object"; failed=1; continue; }
    command=${command//"$BUILD"/$PWD/elsewhere/build}
    command=${command//"$SOURCE"/$PWD/elsewhere}
    mkdir -p "elsewhere/build/CMakeFiles/$(dirname "$object")"
    (cd elsewhere/build && eval "$command") || { echo "$object: not made"; failed=1; continue; }
    cmp "$BUILD/CMakeFiles/$object" "elsewhere/build/CMakeFiles/$object" || failed=1
done
exit $failed
