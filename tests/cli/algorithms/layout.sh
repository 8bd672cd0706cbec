# SPDX-License-Identifier: Apache-2.0
# heddle layout: boxes of a small page on every host backend, its files, and what is refused.
. "$(dirname "$0")/../_lib.sh"

layout() { "$HEDDLE" layout "$@" 2>&1 | tr '\n' ';'; }

# Three images in a box of 30 pixels: two and a blank fit in a line, which is 17.875 high.
img='<img width="10" height="8"/>'
printf '<div style="width: 30px; margin: 5px 0 0 auto; padding: 2px">%s %s %s</div>\n' \
    "$img" "$img" "$img" >page.html
boxes="0 0 100 34.875 <page>;66 5 34 29.875 <div>;68 13.484375 10 8 <img>;"
for how in "--backend serial" "--backend cpu" "--threads 1"; do
    equal "boxes $how" "$boxes" "$(layout page.html --width 100 $how | cut -d';' -f1-3);"
done
equal lines "-1;-1;0;0;0;0;1;" "$("$HEDDLE" layout page.html -w 100 -o - | "$HEDDLE" transpose - |
    sed -n 5p | tr -s ' ' ';' | sed 's/[.]0//g;s/$/;/')"
printf 'a<b>b</b>&lt;\n' >words.html
equal words "8.890625;8.890625;9.34375;" "$(layout words.html | grep -o '[^;]*' |
    sed 1d | cut -d' ' -f3 | tr '\n' ';')"
equal letters "a;b;<;" "$(layout words.html | grep -o '[^;]*' | sed 1d | cut -d' ' -f5 | tr '\n' ';')"
equal pipe "$(layout words.html)" "$("$HEDDLE" layout - <words.html | tr '\n' ';')"

"$HEDDLE" layout page.html -w 100 -o boxes.csv || fail "-o"
equal csv "66.0,5.0,34.0,29.875,-1.0" "$(sed -n 2p boxes.csv)"
equal json "2 34.875" "$("$HEDDLE" layout page.html -w 100 --json |
    sed -n 's/.*"lines": \([0-9]*\).*/\1/p; s/.*"height": \([0-9.]*\).*/\1/p' | tr '\n' ' ' | sed 's/ $//')"

"$HEDDLE" layout words.html --svg page.svg || fail "--svg"
grep -q '<svg xmlns="http://www.w3.org/2000/svg" width="800"' page.svg || fail "svg: $(head -1 page.svg)"
grep -q 'font-weight="bold" textLength="8.890625".*>b</text>' page.svg || fail "bold: $(cat page.svg)"
grep -q '>&lt;</text>' page.svg || fail "a < as it is: $(cat page.svg)"
command -v python3 >/dev/null && {
    python3 -c 'import xml.dom.minidom as m; m.parse("page.svg")' || fail "the picture is no XML"
}
equal "only the picture" "" "$(layout words.html --svg page.svg)"
: >empty.html
equal empty "0 0 800 0 <page>;" "$(layout empty.html)"

printf '<p>\n  <q>x</q></p>' >q.html
exits 7 "q.html: line 2, column 3: <q> is no element of a layout" "$HEDDLE" layout q.html
printf '<p style="width: 3pt">x</p>' >unit.html
exits 7 "line 1, column 18: expected a length such as 12px or 1.5em, got '3pt'" "$HEDDLE" layout unit.html
exits 6 "absent" "$HEDDLE" layout absent
exits 2 "--width" "$HEDDLE" layout page.html --width -3
exits 2 "expected" "$HEDDLE" layout page.html -o page.jpg
exits 6 "no/page.svg" "$HEDDLE" layout page.html --svg no/page.svg
exits 7 "--max-bytes" "$HEDDLE" layout page.html --max-bytes 1K
finish
