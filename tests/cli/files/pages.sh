# SPDX-License-Identifier: Apache-2.0
# The pages in a real browser: they load, every picture is there, nothing is wanted from elsewhere,
# they can be read at the widths of a desk and of a hand, and the arrow keys move through their
# steps.
. "$(dirname "$0")/../_lib.sh"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
sanitized && [ -n "${HEDDLE_TEST_SMALL-}" ] && { echo "the browser sees the same pages without sanitizers"; exit 77; }
[ -n "$browser" ] && command -v python3 >/dev/null || { echo "no browser here"; exit 77; }

draw() { # page ladder method
    "$HEDDLE" ladder "$2" --draw "$3" --html "$1.html" || fail "$2 $3"
}
draw steps scan blelloch
draw jump list jumping
draw pairs maximum all-pairs
draw tile convolution tiles
draw tile2 convolution2d tiles
draw banks reduce banks
draw sectors transpose sectors
draw lexer scan lexer
draw tree scan tree
"$HEDDLE" ladder transpose --n 64 --html ladder.html >/dev/null
[ $? = 4 ] && { echo "no compiler for CUDA C"; exit 77; }
"$HEDDLE" ladder atomics --shmoo --n 1024 --html shmoo.html >/dev/null || fail "the shmoo plot"
"$HEDDLE" tour scan list maximum --elements 1000 --html tour.html >/dev/null || fail "the tour"
# The ladder's: the worst requests of three steps, two grids, the roofline.
timeout 300 python3 "$SOURCE/tests/python/cli_pages.py" "$browser" steps.html:1:8 jump.html:1:5 pairs.html:1:3 \
    tile.html:1:9 tile2.html:1:9 banks.html:1:6 sectors.html:1:5 lexer.html:1:11 tree.html:1:6 shmoo.html:1 tour.html:3:12 ladder.html:6:7 >out.txt 2>&1
code=$?
[ $code = 77 ] && { cat out.txt; exit 77; }
equal "pages in the browser ($(cat out.txt))" 0 $code
finish
