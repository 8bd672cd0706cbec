#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The table of public calls is what the headers say, and the headers keep to the conventions of
# calls and options; a header that breaks one is found.
set -u
SOURCE=$(cd "$SOURCE" && pwd) || exit 1
folder=$(mktemp -d "${TMPDIR:-/tmp}/heddle-calls.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
python3 "$SOURCE/scripts/calls.py" check || exit 1

# Each change of a header, and what the check has to say of it.
failed=0
breaks() { # header, sed expression, text
    rm -rf "$folder/tree"
    mkdir -p "$folder/tree/docs/reference" "$folder/tree/scripts" || exit 1
    cp -R "$SOURCE/include" "$folder/tree/" && cp "$SOURCE/scripts/calls.py" "$folder/tree/scripts/" || exit 1
    sed -i "$2" "$folder/tree/include/$1"
    cmp -s "$SOURCE/include/$1" "$folder/tree/include/$1" && { echo "$1: $2 changes nothing"; failed=1; }
    python3 "$folder/tree/scripts/calls.py" write
    python3 "$folder/tree/scripts/calls.py" check >"$folder/said" && { echo "$1: $2 is not found"; failed=1; }
    grep -qF -- "$3" "$folder/said" || { echo "$1: $2: no '$3' in:"; cat "$folder/said"; failed=1; }
}
breaks heddle/scan.h '/size_t size;/d' 'hd_scan_options: expected size_t size'
breaks heddle/reduce.h 's/const hd_view \*segments/hd_view segments/' 'hd_reduce_options.segments: a view'
breaks heddle/gather.h 's/const hd_view \*bad/int64_t *bad/' 'hd_gather_options.bad: int64_t *'
breaks heddle/blur.h 's/int32_t border/hd_border border/' 'hd_blur_options.border: hd_border'
breaks heddle/sort.h 's/int32_t axis/int64_t axis/' 'axis'
breaks heddle/select.h 's/hd_view out, hd_view count/hd_view out, int64_t *count/' 'hd_compact: int64_t *count'
breaks heddle_mpi.h 's/const hd_gather_options \*options/int32_t axis/' 'hd_mpi_gather: expected its options last'
breaks heddle_model.h 's/size_t size; *\/\/ sizeof(hd_model_options).*//' 'hd_model_options: expected size_t size'
rm -rf "$folder/tree" && mkdir -p "$folder/tree/docs/reference" "$folder/tree/scripts" &&
    cp -R "$SOURCE/include" "$folder/tree/" && cp "$SOURCE/scripts/calls.py" "$folder/tree/scripts/" || exit 1
sed 's/`sigma/`sigmas/; s/double sigma/double width/' "$SOURCE/docs/reference/calls.md" >"$folder/tree/docs/reference/calls.md"
python3 "$folder/tree/scripts/calls.py" check >/dev/null && { echo "a table by hand is not found"; failed=1; }
exit $failed
