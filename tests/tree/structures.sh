#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Public structures can grow and are laid out alike by every compiler: options begin with their
# size, point to views, and have a row in src/core/options.c (those of the model machine: in
# src/model/model.c) that names every such pointer and every reserved member; values of enumerations
# are int32_t.
set -u
cd "$SOURCE" || exit 1
failed=0
say() { echo "$*"; failed=1; }
headers=(include/*.h include/heddle/*.h include/heddle/*/*.h)
enums=$(grep -ohE '^typedef enum hd_\w+' "${headers[@]}" | awk '{print $3}' | paste -sd'|')
[ -n "$enums" ] || say "no enumerations were found"
found=$(grep -nE "^    ($enums) \w+(, \w+)*;" "${headers[@]}") && say "expected int32_t: $found"

# Every member of a structure of options, a line each: structure type name.
members=$(awk '/^typedef struct hd_[a-z_0-9]+_options \{/ { structure = $3; first = 1; next }
    /^\}/ { structure = "" }
    structure != "" && /^    [a-z]/ {
        sub(/;.*/, ""); sub(/\[[0-9]+\]$/, "")
        print structure, first ? "first" : "later", $0; first = 0
    }' "${headers[@]}")
[ "$(grep -c ' first ' <<<"$members")" -ge 29 ] || say "options were not found"
while read -r structure place member; do
    name=${structure%_options} last=${member##* }
    case "$place $member" in
    "first size_t size") ;;
    first*) say "$structure begins with $member; expected size_t size" ;;
    *"const hd_view *"*) row="VIEW($name, ${last#\*})" ;;
    *\ "hd_view "*) say "$structure: $member is a view; expected a pointer to one" ;;
    *" reserved"*) row="RESERVED($name, $last)" ;;
    esac
    # What is built on the headers alone looks itself.
    grep -q "^} $structure;" include/heddle/algorithms/*.h include/heddle/teaching/quicksort.h \
        include/heddle_mpi.h && row=
    [ -n "${row-}" ] && ! cat src/core/options.c src/model/model.c | tr -s ' \n' ' ' | grep -qF "$row" &&
        say "src/core/options.c: no $row"
    row=
done <<<"$members"
exit $failed
