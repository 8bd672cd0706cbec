#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The tests pass wherever the tree lies: in a folder called heddle, which is what git clone makes
# and what the model machine calls the folder of its own headers, on a path with a blank, a quote
# and a letter that is not ASCII. This runs tests of the build that is here over a copy of their
# files there; consumer.add_subdirectory builds the library on such a path, and tree.two_builds
# everything.
set -u
SOURCE=$(cd "$SOURCE" && pwd) && BUILD=$(cd "$BUILD" && pwd) || exit 1
folder=$(mktemp -d "${TMPDIR:-/tmp}/heddle-folders.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
tree="$folder/it's here ü/heddle"
mkdir -p "$tree" || exit 1
cp -R "$SOURCE/tests" "$SOURCE/examples" "$SOURCE/man" "$SOURCE/docs" "$tree/" || exit 1
ln -s "$BUILD" "$tree/build" || exit 1
export SOURCE=$tree BUILD=$tree/build HEDDLE=$tree/build/heddle
failed=0

# passes NAME COMMAND...: in a new folder on that path; skipped is passed.
passes() {
    local name=$1 code
    shift
    mkdir "$tree/$name" && cd "$tree/$name" || exit 1
    "$@" >log 2>&1
    code=$?
    [ $code -eq 0 ] || [ $code -eq 77 ] || { echo "$name ends with $code:"; cat log; failed=1; }
}
for name in model_compilers io_format; do passes $name "$BUILD/tests/test_$name"; done
for name in help sort model_source output model; do
    passes $name bash "$(find "$SOURCE/tests/cli" -name "$name.sh")"
done
exit $failed
