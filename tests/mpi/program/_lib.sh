# SPDX-License-Identifier: Apache-2.0
# What the tests of the program over ranks share: SCRIPT MPIRUN HEDDLE-MPI NAME-OF-THE-MPI.
mpirun=$1 HEDDLE_MPI=$2 mpi=$3
. "$SOURCE/tests/cli/_lib.sh"
export HEDDLE_MPI
# Open MPI asks for a permission to run as root, and to have more ranks than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm_rsh_agent=

# ranks N ARGUMENT...: heddle on N ranks. 100 s only end what hangs.
ranks() {
    local n=$1
    shift
    timeout 300 "$mpirun" -n "$n" "$HEDDLE" "$@"
}

# Ranks that wait keep their cores busy under MPICH: cases of more than three run under the other.
limit=5
[ "$mpi" = mpich ] && limit=3

# Where both MPIs are here each case runs under one of them, in turn; cases share the ways of
# messages and files, which are what differs. next_case: whether it is this one's turn.
turn=0
both=$(command -v mpirun.openmpi mpirun.mpich | wc -l)
next_case() {
    turn=$((turn + 1))
    [ "$both" != 2 ] || [ $((turn % 2)) = $([ "$mpi" = mpich ] && echo 0 || echo 1) ]
}

# Whole numbers from 0 to N - 1, mixed: mixed N STEP
mixed() {
    awk -v n="$1" -v step="$2" 'BEGIN { for (k = 0; k < n; k++) print (k * step + 3) % n }'
}

# array FILE TYPE: numbers of standard input as an array.
array() {
    "$HEDDLE" convert - --format text --out-type "$2" -o "$1" || fail "no array $1"
}

# same RANKS WHAT OUTPUT ARGUMENT...: the command makes the same file on so many ranks as alone.
same() {
    local n=$(($1 < limit ? $1 : limit)) what=$2 out=$3
    shift 3
    next_case || return 0
    "$HEDDLE" "$@" -o "alone.$out" >alone.txt 2>&1 || fail "$what alone: $(cat alone.txt)"
    ranks "$n" "$@" -o "over.$out" >over.txt 2>&1 || fail "$what on $n ranks: $(cat over.txt)"
    cmp "alone.$out" "over.$out" || fail "$what on $n ranks: other bytes"
    cmp alone.txt over.txt || fail "$what on $n ranks: other words: $(cat over.txt)"
    rm -f "alone.$out" "over.$out"
}

# prints RANKS WHAT ARGUMENT...: the command prints the same.
prints() {
    local n=$(($1 < limit ? $1 : limit)) what=$2
    shift 2
    next_case || return 0
    "$HEDDLE" "$@" >alone.txt 2>&1
    ranks "$n" "$@" >over.txt 2>over.err || fail "$what on $n ranks: $(cat over.err)"
    cmp alone.txt over.txt || fail "$what on $n ranks: $(head -5 over.txt) and alone $(head -5 alone.txt)"
}
