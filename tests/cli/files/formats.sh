# SPDX-License-Identifier: Apache-2.0
# Every format through the program: in, out, by pipes, damaged, and onto full disks.
. "$(dirname "$0")/../_lib.sh"

# What the build has: PNG and .npz are optional.
"$HEDDLE" doctor >doctor.txt
has() { grep -q "yes  $1 " doctor.txt; }
formats="npy pgm pnm csv tsv txt"
has libpng && formats="$formats png"
has zlib && formats="$formats npz"

# A picture of 3 rows and 4 columns, 0 to 110.
(printf 'P2\n4 3\n255\n' && seq 0 10 110) >photo.pgm
equal "the sum of a photo" 660 "$("$HEDDLE" reduce photo.pgm)"
equal "the rows' maxima" "30 70 110" "$("$HEDDLE" reduce photo.pgm --op max --axis 1 | xargs)"

# An ending that no format has is refused before anything is read or computed, by every command.
# What bigint writes are digits, whatever the file is called.
count=0
for command in $("$HEDDLE" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    case $command in convert | bigint) continue ;; esac
    "$HEDDLE" help $command | grep -q -- '-o, --output ' || continue
    count=$((count + 1))
    exits 2 "soft.jpg: no format is called .jpg: expected a name that ends in one of .npy .npz" \
        "$HEDDLE" $command missing.npy -o soft.jpg
done
[ $count -ge 20 ] || fail "only $count commands have -o"
exits 2 "b.jpg: no format is called .jpg" "$HEDDLE" convert photo.pgm -o b.jpg
exits 0 "" "$HEDDLE" convert photo.pgm -o b.dat --to raw
equal "a name of its own with --to" 12 "$(wc -c <b.dat)"
exits 2 "v.jpeg: no format" "$HEDDLE" sort photo.pgm -o s.npy --values photo.pgm --values-out v.jpeg
exits 0 "" "$HEDDLE" blur photo.pgm -o soft
equal "a name without an ending" 12 "$(elements soft)"
ls | grep -E 'jpe?g$' && fail "files that were refused are here"

# Each format to some others: the sum stays; and through pipes, by content or with --format.
last=csv
for from in $formats; do
    exits 0 "" "$HEDDLE" convert photo.pgm -o "a.$from"
    for to in npy $last; do
        as=
        case $from in csv | tsv | txt) as="--out-type u8" ;; esac
        exits 0 "" "$HEDDLE" convert "a.$from" -o "b.$to" $as
        equal "$from to $to" 660 "$("$HEDDLE" reduce "b.$to")"
    done
    last=$from
    how=
    case $from in csv | tsv) how="--format csv" ;; txt) how="--format text" ;; esac
    equal "$from in a pipe" 660 "$(cat "a.$from" | "$HEDDLE" reduce - $how)"
    equal "$from in a pipe, whole" "30 70 110" \
        "$(cat "a.$from" | "$HEDDLE" reduce - $how --op max --axis 1 | xargs)"
    equal "$from as standard input" 660 "$("$HEDDLE" reduce - $how <"a.$from")"
    "$HEDDLE" show "a.$from" >shown.txt || fail "show a.$from"
    grep -q 'shape    (3, 4)' shown.txt || fail "show a.$from: $(cat shown.txt)"
    grep -q 'max      110' shown.txt || fail "show a.$from: $(cat shown.txt)"
done
for to in npy csv text pnm raw; do
    "$HEDDLE" convert photo.pgm -o - --to $to >piped.$to || fail "convert to $to in a pipe"
    how=
    case $to in text | csv) how="--format $to" ;; raw) how="--dtype u8" ;; esac
    equal "$to out of a pipe" 660 "$("$HEDDLE" reduce - $how <piped.$to)"
done
equal "a CSV file" "0,10,20,30" "$(head -1 a.csv)"
equal "a tab" "40	50	60	70" "$(sed -n 2p a.tsv)"
equal "a text" "80 90 100 110" "$(tail -1 a.txt)"

# scan, in and out.
printf 'x,y\n1,2\n3,4\n' >table.csv
exits 0 "" "$HEDDLE" scan table.csv -o out.csv
equal "scan of a table" "1,3 6,10" "$(xargs <out.csv)"
exits 0 "" "$HEDDLE" scan table.csv --axis 0 -o out.txt
equal "scan of columns" "1 2 4 6" "$(xargs <out.txt)"
seq 5 | "$HEDDLE" scan - --format text -o out.csv || fail "a text in a pipe"
equal "running totals" "1 3 6 10 15" "$(xargs <out.csv)"
seq 5 | "$HEDDLE" scan - --format text --dtype f32 -o - | "$HEDDLE" reduce - >out.txt
equal "through two pipes" 35.0 "$(cat out.txt)"
bytes 1 2 3 | "$HEDDLE" scan - --dtype u8 -o grown.csv || fail "a raw pipe to CSV"
equal "a length that came last" "1 3 6" "$(xargs <grown.csv)"

# Letters.
printf 'Heddle' >word.txt
exits 7 "word.txt: line 1, column 1: expected a number, got 'Heddle'" "$HEDDLE" reduce word.txt
equal "letters" 6 "$(elements word.txt --format bytes)"
equal "the greatest letter" "4 108" "$(printf Heddle | "$HEDDLE" reduce - --format bytes --op argmax)"

# Conversions: exact, or said.
printf '0.5\n-3\n300\n' >reals.txt
exits 7 "reals.txt: element 0: 0.5 does not fit in u8" "$HEDDLE" convert reals.txt -o n.npy \
    --out-type u8
[ ! -e n.npy ] || fail "n.npy is there"
exits 0 "" "$HEDDLE" convert reals.txt -o n.txt --out-type u8 --round
equal "rounded" "0 0 255" "$(xargs <n.txt)"
exits 0 "" "$HEDDLE" convert reals.txt -o n.txt --out-type i16 --scale 2
equal "scaled" "1 -6 600" "$(xargs <n.txt)"
exits 0 "" "$HEDDLE" convert photo.pgm -o n.csv --out-shape 2,6
equal "another shape" "0,10,20,30,40,50" "$(head -1 n.csv)"
exits 2 "--out-shape: expected a shape of 12 elements, got 10" "$HEDDLE" convert photo.pgm \
    -o n.csv --out-shape 2,5
exits 2 "--scale: expected a number that is not 0, got 'x'" "$HEDDLE" convert photo.pgm -o n.csv \
    --scale x
exits 2 "-o: expected a file to write" "$HEDDLE" convert photo.pgm
exits 2 "expected one of npy" "$HEDDLE" convert photo.pgm -o - --to jpeg
exits 0 "" "$HEDDLE" convert "$SOURCE/tests/data/fortran.npy" -o n.csv
equal "Fortran's order" "0.0,1.0,2.0 3.0,4.0,5.0" "$(xargs <n.csv)"
bytes 7 8 9 | "$HEDDLE" convert - -o n.npy --dtype u8 || fail "a raw pipe"
equal "a raw pipe" 3 "$(elements n.npy)"

# What cannot be written is refused before anything is.
exits 2 "got i64: convert it, as in heddle convert x.npy -o s.pgm --out-type u8 --round" "$HEDDLE" \
    scan table.csv -o s.pgm
exits 2 "has elements of type f32" "$HEDDLE" convert photo.pgm -o s.pfm
exits 0 "" "$HEDDLE" convert photo.pgm -o s.pfm --out-type f32
equal "floats" 660.0 "$("$HEDDLE" reduce s.pfm)"

# Damage.
printf '1,2\n3\n' >ragged.csv
exits 7 "ragged.csv: line 2, column 2: expected 2 fields, got 1" "$HEDDLE" reduce ragged.csv
printf 'P5\n9 9\n255\nabc' >cut.pgm
exits 7 "cut.pgm: byte 11: the file ends too early: expected an image of 9 x 9" "$HEDDLE" show cut.pgm
printf 'P5\n9 9\n255\nabc' | "$HEDDLE" reduce - 2>err.txt && fail "a cut pipe was taken"
grep -q "standard input: byte 14: the data end too early" err.txt || fail "$(cat err.txt)"
printf 'P5\n99999999999 9\n255\nabc' >wide.pgm
exits 7 "the width: expected 1 to 2147483647" "$HEDDLE" show wide.pgm
printf 'plain words\n' >words
exits 7 "not an .npy file, nor .npz, PNG" "$HEDDLE" show words
printf 'name,age\nAda,36\n' >people.csv
exits 0 "" "$HEDDLE" show people.csv
grep -q "a table with words" stdout.txt || fail "show people.csv: $(cat stdout.txt)"
exits 7 "people.csv: line 2, column 1: expected a number, got 'Ada'" "$HEDDLE" reduce people.csv
if has libpng; then
    head -c 60 a.png >cut.png
    exits 7 "cut.png: byte 41: damaged PNG image: the file ends too early" "$HEDDLE" reduce cut.png
    (head -c 19 a.png && printf '\377' && tail -c +21 a.png) >bad.png
    exits 7 "bad.png: byte 33: damaged PNG image: IHDR: CRC error" "$HEDDLE" reduce bad.png
else
    printf '\211PNG\r\n\032\n' >none.png
    exits 2 "install libpng-dev" "$HEDDLE" reduce none.png
    exits 2 "install libpng-dev" "$HEDDLE" convert photo.pgm -o none.png
fi
if has zlib; then
    io=$SOURCE/tests/data
    exits 2 "expected one array, got 2 (a, b): choose one" "$HEDDLE" reduce "$io/two.npz"
    equal "one of two" 3 "$("$HEDDLE" reduce "$io/two.npz:a")"
    exits 0 "" "$HEDDLE" show "$io/two.npz"
    grep -q 'b  *f64  *(3,)' stdout.txt || fail "show two.npz: $(cat stdout.txt)"
    head -c 100 "$io/two.npz" >cut.npz
    exits 7 "cut.npz: byte 100: damaged .npz archive: no directory" "$HEDDLE" show cut.npz
    exits 2 "choose one" "$HEDDLE" show "$io/two.npz" --json
    "$HEDDLE" convert photo.pgm -o - --to npz | "$HEDDLE" reduce - >out.txt
    equal "an archive through a pipe" 660 "$(cat out.txt)"
else
    exits 2 "install zlib1g-dev" "$HEDDLE" convert photo.pgm -o none.npz
fi
exits 0 "" "$HEDDLE" show photo.pgm --json
if p=$(command -v python3); then
    "$p" -c 'import json; x = json.load(open("stdout.txt")); assert x["shape"] == [3, 4], x
assert x["max"] == 110 and x["format"] == "pnm" and x["first"][1] == 10, x' || fail "show --json"
fi

# Disks that are full, at once and on the way. ThreadSanitizer keeps a file of its own, which the
# limit cuts, and takes a reading thread that is cancelled for a mistake.
full_disks() {
    head -c 1200000 /dev/urandom >noise.raw
    for to in $formats raw; do
        if [ -w /dev/full ]; then
            exits 6 "/dev/full: byte 0: cannot write: No space left on device" "$HEDDLE" convert \
                noise.raw --dtype u8 --shape 1000,1200 -o /dev/full --to "$(case $to in
                pgm) echo pnm ;; tsv) echo csv ;; txt) echo text ;; *) echo "$to" ;; esac)"
        fi
        (
            ulimit -f 200
            "$HEDDLE" convert noise.raw --dtype u8 --shape 1000,1200 -o "full.$to" 2>err.txt
        )
        equal "a full disk for $to" 6 $?
        grep -q "full.$to: byte .*: cannot write: File too large" err.txt || fail "$(cat err.txt)"
        [ -z "$(ls | grep full)" ] || fail "$to left $(ls | grep full)"
    done
}
grep -qa __tsan_init "$HEDDLE" || full_disks

# The other decoders, where they are here.
python=$(numpy)
if [ -n "$python" ]; then
    HEDDLE=$HEDDLE FORMATS=$formats "$python" "$SOURCE/tests/python/cli_formats.py" || fail "see above"
fi
finish
