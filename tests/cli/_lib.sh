# SPDX-License-Identifier: Apache-2.0
# What the tests of the program share. HEDDLE is the program, the working folder is fresh.
set -u
: "${HEDDLE:?the program to test}"
SOURCE=${SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
unset HEDDLE_BACKEND HEDDLE_THREADS HEDDLE_ISA HEDDLE_TRACE HEDDLE_MAX_BYTES
failures=0

# Sanitizers reserve terabytes of addresses: memory limits mean nothing to them.
sanitized() {
    grep -qa -e __asan_init -e __tsan_init "$HEDDLE"
}

# Looking for leaks takes seconds a run on some machines: tests/core/test_program.c does it for a
# few runs.
sanitized && export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# equal WHAT EXPECTED GOT
equal() {
    [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

# bytes NUMBER...: these bytes, 0 to 255
bytes() {
    local b
    for b in "$@"; do printf "\\$(printf %o "$b")"; done
}

# npy_u8 NUMBER...: the same as an .npy file of type u8, whose header takes 128 bytes
npy_u8() {
    local header="{'descr': '|u1', 'fortran_order': False, 'shape': ($#,), }"
    printf '\223NUMPY\1\0\166\0%-117s\n' "$header"
    bytes "$@"
}

# elements FILE OPTION...: how many elements the program finds in it
elements() {
    "$HEDDLE" reduce "$@" --json | sed -n 's/.*"elements": \([0-9]*\).*/\1/p'
}

# exits CODE TEXT COMMAND...: the command must exit with the code; its standard error must contain
# the text, and be empty for code 0 with no text.
exits() {
    local code=$1 text=$2 got
    shift 2
    "$@" >stdout.txt 2>stderr.txt </dev/null
    got=$?
    [ "$got" = "$code" ] || fail "$*: expected exit $code, got $got: $(cat stderr.txt)"
    case $(cat stderr.txt) in
    *"$text"*) ;;
    *) fail "$*: expected '$text' in: $(cat stderr.txt)" ;;
    esac
    if [ "$code" = 0 ] && [ -z "$text" ] && [ -s stderr.txt ]; then
        fail "$*: expected nothing on standard error, got: $(cat stderr.txt)"
    fi
}

# The first Python that has NumPy, or nothing.
numpy() {
    local p
    for p in python3 /usr/bin/python3; do
        if "$p" -c 'import numpy' 2>/dev/null; then
            echo "$p"
            return
        fi
    done
}

finish() {
    [ "$failures" = 0 ] && exit 0
    echo "$failures failures" >&2
    exit 1
}
