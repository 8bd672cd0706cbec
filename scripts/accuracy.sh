#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The tables of `heddle bench --accuracy` in docs/reference/numerics.md. BUILD is a build folder,
# build/release if none is named; its program must be built.
#   scripts/accuracy.sh check [BUILD]     says where the page has other numbers; exit 1 if it has
#   scripts/accuracy.sh accept [BUILD]    writes them into the page
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
page=$root/docs/reference/numerics.md
way=${1-} program=${2:-$root/build/release}/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -x "$program" ] || { echo "no program: $program" >&2; exit 2; }
"$program" bench --accuracy >"$work/tables"
# What follows the command, up to the end of its block, is what it prints.
awk -v tables="$work/tables" '
    /^```/ { inside = 0 }
    !inside { print }
    /^\$ heddle bench --accuracy$/ { inside = 1; while ((getline line < tables) > 0) print line }
' "$page" >"$work/page"
case $way in
check) diff -u "$page" "$work/page" ;;
accept) cp "$work/page" "$page" ;;
*) sed -n '5,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
