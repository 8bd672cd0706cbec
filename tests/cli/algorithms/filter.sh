# SPDX-License-Identifier: Apache-2.0
# heddle filter: coefficients, sections, states, WAV files.
. "$(dirname "$0")/../_lib.sh"

filter() { "$HEDDLE" filter "$@" 2>&1 | tr '\n' ' '; }
printf '1 0 0 0' >one.txt
equal decay "1.0 0.5 0.25 0.125 " "$(filter one.txt -b 1 -a 1,-0.5 --dtype f64)"
equal "whole numbers" "1.0 0.5 0.25 0.125 " "$(filter one.txt -b 1 -a 1,-0.5)"
equal taps "2.0 3.0 0.0 0.0 " "$(filter one.txt -b 2,3 --dtype f64)"
equal backward "1.0 0.0 0.0 0.0 " "$(filter one.txt -b 1 -a 1,-0.5 --dtype f64 --backward)"
printf '1,0,0,1,-0.5,0\n0,1,0,1,0,0\n' >s.csv
equal sections "0.0 1.0 0.5 0.25 " "$(filter one.txt --sections s.csv --dtype f64 2>&1)"
equal both "0.25 0.0 0.0 0.0 " "$(filter one.txt -b 0.5 --both --dtype f64)"
equal steady "1.0 0.5 0.25 0.125 " "$(filter one.txt -b 0.5 -a 1,-0.5 --steady --dtype f64)"
# Two halves joined by a state.
printf '1 0' >left.txt; printf '0 0' >right.txt
exits 0 "" "$HEDDLE" filter left.txt -b 1 -a 1,-0.5 --dtype f64 --state-out state.npy -o l.npy
equal state "0.25 0.125 " \
    "$(filter right.txt -b 1 -a 1,-0.5 --dtype f64 --state-in state.npy)"
exits 2 "expected -b, or --sections" "$HEDDLE" filter one.txt --dtype f64
exits 2 "not with --sections" "$HEDDLE" filter one.txt --sections s.csv -a 1 --dtype f64
exits 7 "a[0] is 0" "$HEDDLE" filter one.txt -b 1 -a 0,1 --dtype f64
exits 2 "pad is 9" "$HEDDLE" filter one.txt -b 1 --pad 9 --dtype f64
exits 2 "no format is called .mp3" "$HEDDLE" filter one.txt -b 1 --dtype f64 -o x.mp3
exits 2 "only from another" "$HEDDLE" filter one.txt -b 1 --dtype f64 -o x.wav

# WAV: every kind of samples through a filter that changes nothing, and through one that halves.
corpus=$SOURCE/tests/fuzz/corpus/wav
for kind in pcm8 pcm16_stereo pcm32 float32 float64; do
    cp "$corpus/$kind" in.wav
    exits 0 "" "$HEDDLE" filter in.wav -b 1 -o out.wav
    exits 0 "" "$HEDDLE" filter out.wav -b 1 -o again.wav
    cmp out.wav again.wav || fail "$kind: not the same again"
    equal "$kind" "$(filter in.wav -b 1)" "$(filter out.wav -b 1)"
done
cp "$corpus/pcm24" in.wav
equal "24 bits" "-0.5 0.49999994 " "$(filter in.wav -b 0.5)"
cp "$corpus/pcm16_stereo" in.wav
exits 0 "" "$HEDDLE" filter in.wav -b 2 -o out.wav --json
grep -q '"rate": 44100' stdout.txt || fail "json: $(cat stdout.txt)"
equal clamped "-1.0 0.9999695 0.0 6.1035156e-05 " "$(filter out.wav -b 1)"
for kind in lying cut compressed no_channels; do
    cp "$corpus/$kind" in.wav
    exits 7 "not a WAV file that can be read" "$HEDDLE" filter in.wav -b 1
done
finish
