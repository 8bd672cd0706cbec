# SPDX-License-Identifier: Apache-2.0
# Outputs appear whole or not at all: full disks, size limits, signals, closed streams, pipes.
. "$(dirname "$0")/../_lib.sh"

nothing_left() {
    local left
    left=$(ls | grep -e tmp- -e '^y\.npy$')
    [ -z "$left" ] || fail "$1 left $left"
}

head -c 4000000 /dev/zero >x.raw
raw="--dtype i32"

if [ -w /dev/full ]; then
    exits 6 "No space left on device" "$HEDDLE" scan x.raw $raw -o /dev/full
    "$HEDDLE" reduce x.raw $raw >/dev/full 2>err.txt
    equal "printing to a full disk" 6 $?
    grep -q "standard output: cannot write: No space left" err.txt || fail "$(cat err.txt)"
    "$HEDDLE" scan x.raw $raw -o - >/dev/full 2>err.txt
    equal "an array to a full disk" 6 $?
fi

# A limit on the size of files stands for a disk that fills up on the way.
(
    ulimit -f 2000
    "$HEDDLE" scan x.raw $raw -o y.npy 2>err.txt
    exit $?
)
equal "a file too large" 6 $?
grep -q "y.npy: byte .*: cannot write: File too large" err.txt || fail "$(cat err.txt)"
nothing_left "a file too large"

# A real file system that is full, where one can be had.
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=1m none small 2>/dev/null; then
    "$HEDDLE" scan x.raw $raw -o small/y.npy 2>err.txt
    equal "a full file system" 6 $?
    grep -q "No space left" err.txt || fail "$(cat err.txt)"
    equal "what a full file system holds" "" "$(ls small)"
    umount small
fi

# An old output survives a failure.
echo precious >y.npy
head -c 4000001 /dev/zero >odd.raw
exits 7 "after the last element" "$HEDDLE" scan odd.raw $raw -o y.npy
equal "the old file" precious "$(cat y.npy)"
rm y.npy

# Signals: the reader waits for a pipe that stays silent after its first bytes. All that end a
# program and can be caught; a sanitizer has its own ways with crashes.
signals="HUP INT QUIT ALRM TERM USR1 USR2 XCPU VTALRM PROF IO RTMIN RTMAX"
sanitized || signals="$signals ILL TRAP ABRT FPE SEGV SYS"
ulimit -c 0
mkfifo pipe
for signal in $signals; do
    env --default-signal=$signal true 2>/dev/null || continue
    # A shell starts background jobs with SIGINT ignored, and the program would go on ignoring it.
    env --default-signal=$signal "$HEDDLE" scan - --dtype i32 --shape 2000000 -o y.npy <pipe &
    job=$!
    exec 9>pipe
    cat x.raw >&9
    for _ in $(seq 600); do
        ls | grep -q tmp- && break
        sleep 0.05
    done
    ls | grep -q tmp- || fail "no file is written aside"
    kill -$signal $job
    wait $job 2>/dev/null
    code=$?
    exec 9>&-
    equal "the exit status after SIG$signal" $((128 + $(kill -l $signal))) $code
    nothing_left "SIG$signal"
done

# A reader that goes away: no error text, no partial file.
"$HEDDLE" scan x.raw $raw -o - 2>err.txt | head -c 100 >/dev/null
equal "a closed pipe" "" "$(cat err.txt)"

# Closed streams are not given to files.
"$HEDDLE" reduce x.raw $raw >&- 2>err.txt
equal "closed standard output" 6 $?
grep -q "standard output: cannot write" err.txt || fail "$(cat err.txt)"
"$HEDDLE" scan x.raw $raw -o y.npy <&- >&- 2>&-
equal "all streams closed" 0 $?
equal "what was written" 0 "$("$HEDDLE" reduce y.npy)"
rm y.npy
"$HEDDLE" reduce - $raw <&- >out.txt 2>err.txt
equal "closed standard input" 6 $?

# Pipes, both ways, and lengths that are known only at the end.
through() { "$HEDDLE" scan - $raw --shape 1000000 -o - | "$HEDDLE" reduce -; }
equal "through pipes" 0 "$(cat x.raw | through)"
cat x.raw | "$HEDDLE" scan - $raw -o y.npy || fail "a raw pipe to a file"
equal "its length" 1000000 "$(elements y.npy)"
cat x.raw | "$HEDDLE" scan - $raw -o - >/dev/null 2>err.txt
equal "a raw pipe to a pipe" 2 $?
grep -q "give the input's shape" err.txt || fail "$(cat err.txt)"
"$HEDDLE" scan x.raw $raw -o z.raw || fail "raw output"
equal "raw output" 8000000 "$(wc -c <z.raw)"

# A file through standard input.
equal "a file as standard input" 1000000 "$(elements - $raw <x.raw)"

# Permissions: those of a new file are the user's, those of an old one stay.
(umask 027 && "$HEDDLE" scan x.raw $raw -o new.npy)
equal "a new file" -rw-r----- "$(ls -l new.npy | cut -c1-10)"
chmod 604 new.npy
"$HEDDLE" scan x.raw $raw -o new.npy
equal "an old file" -rw----r-- "$(ls -l new.npy | cut -c1-10)"
if [ "$(id -u)" = 0 ]; then
    chown 12345:23456 new.npy && chmod 640 new.npy
    "$HEDDLE" scan x.raw $raw -o new.npy
    equal "its owner" "12345 23456 640" "$(stat -c '%u %g %a' new.npy)"
else
    chmod 400 new.npy
    exits 6 "new.npy: cannot open for writing: Permission denied" \
        "$HEDDLE" scan x.raw $raw -o new.npy
fi

# A link stays one: what it names is replaced, or made.
mkdir -p far
echo precious >far/real.npy && chmod 600 far/real.npy
ln -s far/real.npy link.npy && ln -s link.npy again.npy
exits 0 "" "$HEDDLE" scan x.raw $raw -o again.npy
[ -L again.npy ] && [ -L link.npy ] || fail "a link was replaced"
equal "through two links" 0 "$("$HEDDLE" reduce far/real.npy)"
equal "its permissions" 600 "$(stat -c %a far/real.npy)"
ln -s far/none.npy dangling.npy
exits 0 "" "$HEDDLE" scan x.raw $raw -o dangling.npy
[ -L dangling.npy ] && [ -f far/none.npy ] || fail "a link to nothing was replaced"
ln -s circle.npy circle.npy
exits 6 "circle.npy: the links lead nowhere" "$HEDDLE" scan x.raw $raw -o circle.npy
equal "nothing beside them" "none.npy real.npy" "$(ls far | xargs)"
finish
