# SPDX-License-Identifier: Apache-2.0
# heddle stencil: weights, finite differences, time steps, errors.
. "$(dirname "$0")/../_lib.sh"

stencil() { "$HEDDLE" stencil "$@" 2>&1 | tr '\n' ' ' | sed 's/  */ /g'; }

bytes 1 4 9 16 25 36 >squares.raw
equal same "1 4 9 16 25 36 " "$(stencil squares.raw --dtype u8 --weights '0 1 0')"
equal wrap "36 1 4 9 16 25 " "$(stencil squares.raw --dtype u8 --weights '1 0 0' --border wrap)"
equal steps "25 36 1 4 9 16 " \
    "$(stencil squares.raw --dtype u8 --weights '1 0 0' --border wrap --steps 2)"
"$HEDDLE" convolve squares.raw --dtype u8 --mask 1 --out-type f64 -o squares.npy || fail "as f64"
for backend in serial cpu; do
    equal "second derivative on $backend" "1.0 2.0 2.0 2.0 2.0 36.0 " \
        "$(stencil squares.npy --derivative 2 --border keep --backend $backend)"
    equal "first derivative on $backend" "1.0 4.0 6.0 8.0 10.0 36.0 " \
        "$(stencil squares.npy --derivative 1 --border keep --backend $backend)"
done
equal "half the spacing" "1.0 8.0 8.0 8.0 8.0 36.0 " \
    "$(stencil squares.npy --derivative 2 --spacing 0.5 --border keep)"
equal "order four" "1.0 4.0 2.0 2.0 25.0 36.0 " "$(stencil squares.npy --laplacian 4 --border keep |
    awk '{for (i = 1; i <= NF; i++) printf "%.1f ", $i}')"
equal "no heat" "1.0 4.0 9.0 16.0 25.0 36.0 " "$(stencil squares.npy --heat 0 --steps 5)"
equal "heat on a line" "1.0 8.0 15.0 22.0 29.0 36.0 " \
    "$(stencil squares.npy --heat 0.25 --steps 2000 --border keep |
        awk '{for (i = 1; i <= NF; i++) printf "%.1f ", $i}')"
npy_u8 0 1 0 >weights.npy
equal file "1 4 9 16 25 36 " "$(stencil squares.raw --dtype u8 --weights-file weights.npy)"

exits 2 "expected one of" "$HEDDLE" stencil squares.npy
exits 2 "expected one of" "$HEDDLE" stencil squares.npy --weights 1 --heat 1
exits 2 "2, 4, 6 or 8" "$HEDDLE" stencil squares.npy --derivative 1 --order 3
exits 2 "--heat warm" "$HEDDLE" stencil squares.npy --heat warm
exits 2 "axes" "$HEDDLE" stencil squares.npy --laplacian 2 --axes 2
exits 2 "neither infinite" "$HEDDLE" stencil squares.npy --laplacian 2 --spacing 1e-200
exits 2 "neither infinite" "$HEDDLE" stencil squares.npy --derivative 2 --spacing 1e200
exits 2 "border" "$HEDDLE" stencil squares.npy --weights 1 --border none
finish
