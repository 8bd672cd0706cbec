#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What numerics.md has to say where no code can: limits of the promises, and the remedy for running
# sums that decrease on its first screen. The numbers in these sentences are those of tests.
set -u
page=$SOURCE/docs/reference/numerics.md
failed=0
says() { # TEXT PHRASE
    grep -qF -- "$2" <<<"$1" || { echo "numerics.md does not say: $2"; failed=1; }
}
screen=$(head -n 20 "$page" | tr -s '\n ' ' ')
says "$screen" "the backends serial, cpu, cuda and model"
says "$screen" "**Running sums of floats may decrease**"
says "$screen" 'use `.monotone`'

all=$(tr -s '\n ' ' ' <"$page")
while IFS= read -r phrase; do says "$all" "$phrase"; done <<'END'
`exp`, `log` and their kind differ between backends
A sum whose |x| add up to less than half the greatest float has no such node
{MAX, MAX, -MAX, -MAX} sums to NaN
The product's bound needs every node normal
product, relative to itself | n - 1, where no node underflows or overflows
d of the segment's own length does not bound them
the least of d(i + 1) and 2 floor(log2 L)
there are at most 2^64 orders of n elements
their sum comes back to within (d(i + 1) + 1) u
an infinity or a NaN only where `HD_CONVOLVE_DIRECT` gives one of them
|R(n) - sum of x| <= d u (1 + d u / 2) * sum of |x|
with `init`, which counts among the \|x\| | d(n) + 1
mean, over the count | d(n) + 1
other sums of non-negative floats | may fall, by 2 d u of themselves at most
END
# A row for each of the rules around the tree.
for rule in '`init`' axis 'segments, reduce' 'segments, scan' keys exclusive backward carry monotone \
    'fused map' strides; do
    says "$all" "| $rule | "
done
exit $failed
