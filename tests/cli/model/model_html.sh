# SPDX-License-Identifier: Apache-2.0
# heddle model --html: one page, whole or absent, that refers to nothing outside of it.
. "$(dirname "$0")/../_lib.sh"

folder=$SOURCE/tests/kernels
shape="--grid 2,2 --block 32,32 --arg f32:range:64x64 --arg f32:empty:64x64 --arg 64"

# Well-formed: every element is closed by its own tag, and every SVG by itself is XML.
whole() {
    command -v python3 >/dev/null || return 0
    python3 - "$1" <<'END' || fail "$1 is not well-formed"
import sys, re
import xml.etree.ElementTree as tree
from html.parser import HTMLParser
text = open(sys.argv[1], encoding="utf-8").read()
void = {"meta", "rect", "line"}
class Check(HTMLParser):
    stack = []
    def handle_starttag(self, tag, attributes):
        if tag not in void or tag == "rect" and not self.get_starttag_text().endswith("/>"): self.stack.append(tag)
    def handle_startendtag(self, tag, attributes): pass
    def handle_endtag(self, tag):
        assert self.stack and self.stack[-1] == tag, (tag, self.stack)
        self.stack.pop()
check = Check()
check.feed(text)
assert not check.stack, check.stack
for svg in re.findall(r"<svg.*?</svg>", text, re.S): tree.fromstring(svg)
END
}

# Nothing is loaded and nothing runs.
alone() {
    grep -Eiq '(src|href|action) *=|url\(|@import|<script|<link|<iframe|https?:| on[a-z]+ *=' "$1" &&
        fail "$1 refers to something else: $(grep -Eio '(src|href) *=.{20}|url\(|https?:.{20}' "$1" | head -3)"
    grep -q "default-src 'none'" "$1" || fail "$1 has no policy"
}

exits 0 "" "$HEDDLE" model "$folder/execution/transpose.ptx" transpose_tiled $shape --html page.html
whole page.html
alone page.html
grep -q '<title>transpose_tiled: heddle model</title>' page.html || fail "no title"
grep -q 'wavefronts' page.html && grep -q '4,224' page.html || fail "no counts"
# The source beside the file of PTX, annotated, and the column that lies on one bank.
grep -q 'tile\[i\]\[j\]' page.html || fail "the source is not shown"
grep -q '4,096 (128)' page.html || fail "no counts beside the source"
equal "marks of 32 lanes" 32 "$(grep -c 'lane [0-9]*, bank 0, word' page.html)"
equal "wavefronts of marks" 32 "$(grep -o 'word [0-9]*: wavefront [0-9]*' page.html | sort -u | grep -c .)"

exits 0 "" "$HEDDLE" model "$folder/execution/transpose.ptx" transpose_naive $shape --html page.html
whole page.html
equal "sectors of 32 lanes" 32 "$(grep -c 'byte 0 of a sector: 4 of 32 bytes used' page.html)"
exits 0 "" "$HEDDLE" model "$folder/execution/transpose.ptx" transpose_padded $shape --html page.html
grep -q "Every request took as little as its bytes need" page.html || fail "padded"
whole page.html

# A kernel without source lines shows its PTX; a hazard is flagged; text is escaped.
cat >bare.ptx <<'END'
.version 8.0
.target sm_75
.address_size 64
.visible .entry bare(.param .u64 x)
{
.reg .b32 %r<3>; .reg .b64 %d<4>; // <b>&"
ld.param.u64 %d1, [x];
mov.u32 %r1, %tid.x;
mul.wide.u32 %d2, %r1, 8;
add.s64 %d3, %d1, %d2;
st.global.u32 [%d3], %r1;
ret;
}
END
exits 5 "" "$HEDDLE" model bare.ptx bare --arg i32:zeros:62 --html page.html --compare x=i32:zeros:62
whole page.html
alone page.html
grep -q '&lt;b&gt;&amp;&quot;' page.html || fail "text is not escaped"
grep -q '1 hazard found' page.html || fail "no verdict"
grep -q 'out of bounds, 1 time' page.html || fail "no hazard"
grep -q 'x is not as expected' page.html || fail "no comparison"

# Narrow settings, a launch that failed.
exits 0 "" "$HEDDLE" model "$folder/execution/transpose.ptx" transpose_tiled $shape --banks 4 --lanes 4 --html page.html
whole page.html
exits 5 "" "$HEDDLE" model "$folder/hazards/wrong.ptx" trapped --arg i32:range:32 --html page.html
whole page.html
grep -q 'The launch failed' page.html || fail "a failed launch"

# Whole or absent.
exits 6 "" "$HEDDLE" model bare.ptx bare --arg i32:zeros:64 --html no/page.html
rm -f page.html
exits 6 "full.html" "$HEDDLE" model bare.ptx bare --arg i32:zeros:64 --html /dev/full/full.html
[ -e /dev/full ] && exits 6 "could not be written" "$HEDDLE" model bare.ptx bare --arg i32:zeros:64 --html /dev/full
finish
