# SPDX-License-Identifier: Apache-2.0
# What goes wrong on one rank ends the command on all: one text, the right exit code, no file.
. "$SOURCE/tests/mpi/program/_lib.sh" "$@"

# fails RANKS CODE TEXT ARGUMENT...: the text comes once; launchers add words of their own.
fails() {
    local n=$1 code=$2 text=$3 got
    shift 3
    ranks "$n" "$@" >stdout.txt 2>stderr.txt
    got=$?
    equal "exit code of $*" "$code" "$got"
    equal "'$text' once of $*" 1 "$(grep -cF -- "$text" stderr.txt)"
    [ "$(grep -c '^heddle' stderr.txt)" = 1 ] || fail "$*: other texts: $(cat stderr.txt)"
    [ ! -s stdout.txt ] || fail "$*: on standard output: $(head -3 stdout.txt)"
    [ ! -e out.npy ] && [ -z "$(ls | grep tmp)" ] || fail "$*: there are $(ls)"
}

mixed 3001 617 | array x.npy i32
head -c 9000 x.npy >short.npy
echo 'no array' >words.npy
fails 3 6 "heddle sort: missing.npy: cannot open for reading: No such file" sort missing.npy -o out.npy
fails 2 7 "heddle scan: short.npy: byte 128: the file ends too early: expected 12004 bytes" \
    scan short.npy -o out.npy
fails 2 7 "words.npy: byte 0: not an .npy file" reduce words.npy
fails 3 6 "heddle sort: nowhere/out.npy: cannot create nowhere/out.npy" sort x.npy -o nowhere/out.npy
fails 2 2 "heddle sort: --axis: not over several ranks" sort x.npy --axis 0 -o out.npy
fails 2 2 "no command 'show' over several ranks" show x.npy
fails 2 2 "heddle reduce: --op: expected one of" reduce x.npy --op total
fails 2 2 "heddle sort: -: over several ranks a file is expected, not a pipe" sort - --dtype u8

# In the words of the rank that fails: an index that is its own, a part that is not there.
awk 'BEGIN { for (k = 0; k < 3001; k++) print k == 2500 ? 3001 : k }' | array index.npy i64
fails 3 7 "heddle gather: rank 2: hd_mpi_gather: index 2500 is 3001; expected 0 to 3000" \
    gather x.npy index.npy --checked -o out.npy

# Processes that are no ranks of one command; a heddle-mpi of another MPI; none.
timeout 300 "$mpirun" -n 2 bash -c '"$HEDDLE" reduce x.npy --init $$' >stdout.txt 2>stderr.txt
equal "different arguments" 2 $?
equal "said once" 1 "$(grep -c 'the processes have different arguments' stderr.txt)"
equal "each by itself" "4501500 4501500" \
    "$(HEDDLE_MPI=0 ranks 2 reduce x.npy 2>/dev/null | tr -d '\r' | xargs)"
HEDDLE_MPI=$PWD/none fails 2 4 "2 processes were started together, which $PWD/none would join" reduce x.npy
other=${HEDDLE_MPI/$mpi/$([ "$mpi" = mpich ] && echo openmpi || echo mpich)}
if [ -x "$other" ]; then
    HEDDLE_MPI=$other fails 2 4 "2 processes were started together, but each is alone" sort x.npy -o out.npy
fi

# A rank that is killed, in the midst of a sort and of a write, ends the job and leaves no file.
if "mpicc.$mpi" -shared -fPIC "$SOURCE/tests/mpi/program/kill.c" -o kill.so 2>log; then
    for at in "1 allreduce 20" "2 write 1" "0 write 2"; do
        for try in 1 2 3; do # one of three times within 10 s, on a busy machine
            begin=$SECONDS
            timeout 60 "$mpirun" -n 3 env LD_PRELOAD="$PWD/kill.so" HEDDLE_KILL_RANK="${at%% *}" \
                HEDDLE_KILL_AT="${at#* }" "$HEDDLE" sort x.npy -o out.npy >stdout.txt 2>stderr.txt
            code=$? took=$((SECONDS - begin))
            [ $took -gt 10 ] || break
        done
        [ $took -le 10 ] || fail "killed at $at: the job took $took s to end"
        [ $code != 0 ] && [ $code != 124 ] || fail "killed at $at: exit code $code: $(cat stderr.txt)"
        [ ! -e out.npy ] || fail "killed at $at: there is a file"
        # MPICH's launcher leaves the other ranks no time to remove it.
        [ "$mpi" = mpich ] || [ -z "$(ls | grep tmp)" ] || fail "killed at $at: there is a part of a file"
        rm -f ./*.tmp-*
    done
    ranks 3 sort x.npy -o out.npy || fail "nobody killed"
else
    cat log
fi
finish
