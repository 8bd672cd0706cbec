#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The archive of bits, src/bits/archive.txt: what every pattern gives for inputs by formula. BUILD
# is a build folder, build/release if none is named; its program must be built.
#   scripts/bits.sh check [BUILD]     says what the serial backend gives otherwise; exit 1 if anything
#   scripts/bits.sh accept [BUILD]    writes src/bits/archive.txt: for bits that change on purpose, and
#                                     for new operators. Build again afterwards, and commit the diff.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
archive=$root/src/bits/archive.txt
way=${1-} program=${2:-$root/build/release}/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -x "$program" ] || { echo "no program: $program" >&2; exit 2; }
case $way in
check | accept) "$program" doctor --bits --write "$work/archive.txt" ;;
*) sed -n '5,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
difference=$(diff -u0 "$archive" "$work/archive.txt" | grep '^[-+][^-+]' || true)
[ -z "$difference" ] || printf '%s\n' "$difference"
if [ "$way" = check ]; then [ -z "$difference" ]; else cp "$work/archive.txt" "$archive"; fi
