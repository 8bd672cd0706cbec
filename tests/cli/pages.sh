# SPDX-License-Identifier: Apache-2.0
# The pages in a real browser: they load, every picture is there, nothing is wanted from elsewhere, and
# they can be drawn at the widths of a desk and of a hand.
. "$(dirname "$0")/_lib.sh"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
[ -n "$browser" ] || { echo "no browser here"; exit 77; }

"$HEDDLE" ladder scan --draw blelloch --html steps.html || fail "a drawing"
"$HEDDLE" ladder transpose --n 64 --html ladder.html >/dev/null
[ $? = 4 ] && { echo "no compiler for CUDA C"; exit 77; }

show() { # page width height
    HOME=$PWD timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --enable-logging=stderr --v=0 --window-size="$2,$3" --screenshot="$PWD/$1.$2.png" \
        "file://$PWD/$1" >"$1.log" 2>&1 || { echo "the browser does not run here"; exit 77; }
    [ -s "$1.$2.png" ] || fail "$1 at $2 pixels: no picture"
    grep -E "CONSOLE|Refused|net::ERR" "$1.log" && fail "$1 at $2 pixels: errors in the browser"
}
for page in steps.html ladder.html; do
    show $page 1280 1600
    show $page 390 1600
done
HOME=$PWD timeout 120 "$browser" --headless --no-sandbox --disable-gpu --dump-dom "file://$PWD/steps.html" \
    >dom.html 2>/dev/null
equal "the drawing as the browser has it" 1 "$(grep -c '<svg' dom.html)"
equal "steps to choose from" 8 "$(grep -o 'type="radio"' dom.html | wc -l)"
finish
