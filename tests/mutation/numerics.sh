#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Mutation of the numeric contract: takes each promise of numerics.md out of a copy of the tree, one
# at a time, and expects the test that guards it to fail. The mutants are in numerics_rows.sh.
#
#     bash tests/mutation/numerics.sh [REGEX]     all rows, or those that match; in ./test --all
#
# The copy is built in a fresh folder, or in $HEDDLE_MUTATION_DIR, which stays and makes the next
# run faster. HEDDLE_MUTATION_PART=2/8 takes the second row of every eight, for several machines or
# cores. Ends with 1 if a mutant survives, does not build, or no longer applies.
set -u
SOURCE=${SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
if [ -n "${BUILD-}" ] && [ -z "${HEDDLE_TEST_ALL-}" ]; then # run by ctest
    echo "./test --all runs it"
    exit 77
fi
unset HEDDLE BUILD # of the build that runs this test
wanted=${1-}
folder=${HEDDLE_MUTATION_DIR-}
if [ -z "$folder" ]; then
    folder=$(mktemp -d "${TMPDIR:-/tmp}/heddle-mutation.XXXXXX") || exit 1
    trap 'rm -rf "$folder"' EXIT
fi
tree=$folder/tree build=$folder/tree/build/release log=$folder/log
jobs=${JOBS:-$(nproc)}
killed=0 failed=0 skipped=0

# ---- The copy ------------------------------------------------------------------------------------

# Brings the copy to the state of the tree; files that are the same keep their time, and those that
# are gone go.
copy_tree() {
    mkdir -p "$tree" || return
    (cd "$SOURCE" && git -c safe.directory='*' ls-files -co --exclude-standard -z |
        while IFS= read -r -d '' file; do
            [ -e "$file" ] || continue
            cmp -s "$file" "$tree/$file" && continue
            mkdir -p "$(dirname "$tree/$file")" && cp "$file" "$tree/$file"
        done) || return
    (cd "$tree" && find . -path ./build -prune -o -type f -print0 |
        while IFS= read -r -d '' file; do [ -e "$SOURCE/$file" ] || rm -f "$file"; done)
}

configure() {
    (cd "$tree" && cmake --preset release -DHEDDLE_PEERS=OFF -DHEDDLE_WERROR=ON \
        -DHEDDLE_PRECOMPILED_KERNELS=OFF -DHEDDLE_TEST_SMALL=OFF -DHEDDLE_MPI=OFF ${CC:+-DCMAKE_C_COMPILER="$CC"} \
        -DHEDDLE_TEST_KERNELS="$folder/kernels")
}

make() { # shellcheck disable=SC2086
    [ -z "$1" ] || [ "$1" = - ] || cmake --build "$build" -j "$jobs" --target $1
}

# try TESTS [OPTION...]: runs tests by their names, up to the first that fails.
try() {
    local tests=$1
    shift
    ctest --test-dir "$build" -R "^(${tests// /|})\$" --stop-on-failure --timeout 600 "$@"
}

# alone FILE: a test program compiled by itself, for mutants of public headers: with the build's
# own, everything would be compiled anew.
alone() {
    local libraries="$build/libheddle_test_helpers.a $build/libheddle_io.a"
    libraries+=" $build/libheddle_model.a $build/libheddle.a"
    # shellcheck disable=SC2086
    "${CC:-cc}" -O1 -std=gnu11 -DHEDDLE_SOURCE_DIR="\"$tree\"" -I"$tree/include" -I"$tree/src" -I"$tree" \
        "$tree/$1" -Wl,-u,hd__gpu_driver_model $libraries -fopenmp -lz -lm -ldl -o "$folder/alone" || return 0
    "$folder/alone"
}

# ---- Rows ----------------------------------------------------------------------------------------

# row ITEM WHAT FILE SED TARGETS TESTS: FILE is mutated by SED (basic, over the whole file at once),
# TARGETS are built ("-": nothing is compiled), one of TESTS must fail. TESTS may be "alone FILE".
# Files of what consumer.install has installed are mutated where they are installed.
# Read twice: gather has what the rows need as they are, mutate makes the mutants.
part=${HEDDLE_MUTATION_PART:-1/1} seen=0
chosen() {
    [ -z "$wanted" ] || grep -qE -- "$wanted" <<<"$1 $2 $3 $6" || return 1
    seen=$((seen + 1))
    [ $(((seen - 1) % ${part#*/})) -eq $((${part%/*} - 1)) ]
}

installed_targets="heddle_static heddle_shared heddle_model_static heddle_model_shared heddle_program"
targets="" tests=""
gather() {
    chosen "$@" || return 0
    [ "$5" = - ] || targets="$targets $5"
    case $6 in
    alone*) targets="$targets heddle_static heddle_model_static heddle_test_helpers" ;;
    consumer*) targets="$targets $installed_targets" tests="$tests $6" ;;
    *) tests="$tests $6" ;;
    esac
}

outcome() { # SED FILE TARGETS TESTS
    sed -z -i -e "$1" "$2"
    if cmp -s "$2" "$folder/original"; then
        echo "no match"
    elif ! make "$3" >"$log" 2>&1; then
        echo "no build"
    elif [ "${4%% *}" = alone ]; then
        alone "${4#* }" >"$log" 2>&1 && echo survived || echo killed
    elif ! try "$4" -FS heddle_installed >"$log" 2>&1; then
        echo killed
    elif grep -q 'Skipped' "$log"; then
        echo skipped # what the test needs is not here: another compiler, an emulator
    else
        echo survived
    fi
}

# Compiled kernels are known by their text, which does not show how they are compiled.
forget_kernels() { case $1 in src/model/source/*) rm -rf "$folder/kernels" ;; esac; }

mutate() {
    chosen "$@" || return 0
    local file=$tree/$3 result begin=$SECONDS
    cp -p "$file" "$folder/original" || { failed=$((failed + 1)); return; }
    forget_kernels "$3"
    result=$(outcome "$4" "$file" "$5" "$6")
    forget_kernels "$3"
    # An old time stamp would hide from the build that the file is another again.
    if [ "$5" = - ]; then cp -p "$folder/original" "$file"; else cp "$folder/original" "$file"; fi
    printf '%-8s | %s | %s | `%s` | %s | %d s\n' "$result" "$1" "$2" "${3##*/installed/}" "$6" \
        $((SECONDS - begin))
    case $result in
    killed) killed=$((killed + 1)) ;;
    skipped) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) && cp "$log" "$folder/log.$failed" ;;
    esac
}

# each ITEM WHAT TEXT TARGETS TESTS FILE...: a row for every line of the files that has the text.
each() {
    local item=$1 what=$2 text=$3 built=$4 guards=$5 file k count
    shift 5
    for file in "$@"; do
        count=$(grep -c -F -- "$text" "$SOURCE/$file")
        for ((k = 1; k <= count; k++)); do
            row "$item" "$what ($k of $count)" "$file" "s/$text//$k" "$built" "$guards"
        done
    done
}

rows=$SOURCE/tests/mutation/numerics_rows.sh
copy_tree && configure >"$log" 2>&1 || { cat "$log"; exit 1; }
row() { gather "$@"; }
# shellcheck source=tests/mutation/numerics_rows.sh
. "$rows"
unique() { printf '%s\n' $1 | sort -u | tr '\n' ' ' | sed 's/ $//'; }
make "$(unique "$targets")" >"$log" 2>&1 || { cat "$log"; exit 1; }
# HEDDLE_MUTATION_ONLY=1: they are known to pass, except for what others need.
[ -z "${HEDDLE_MUTATION_ONLY-}" ] || tests=$(grep -o 'consumer[^ ]*' <<<"$tests" | head -1)
if [ -n "$tests" ]; then
    try "$(unique "$tests")" >"$log" 2>&1 || { cat "$log"; echo "without a mutation"; exit 1; }
fi
row() { mutate "$@"; }
seen=0
. "$rows"
echo "$killed mutants killed, $skipped skipped, $failed survived, do not build or do not apply"
[ $failed -eq 0 ]
