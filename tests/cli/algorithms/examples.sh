# SPDX-License-Identifier: Apache-2.0
# The examples in the help of the commands that are built on algorithms: what "prints" stands behind
# is run, one line after another in a folder, and prints that; rows stand there with "and" or commas
# between them.
. "$(dirname "$0")/../_lib.sh"
PATH=$(dirname "$HEDDLE"):$PATH

# One example a line, as it is typed, and behind a tab what it prints; lines that go on are joined.
examples() {
    "$HEDDLE" help "$1" | sed -n '/^Examples*:$/,$p' | sed 1d | awk '
        /\\$/ { sub(/\\$/, ""); held = held $0; next }
        { line = held $0; held = "" }
        /^ *$/ { next }
        /^  [^ ]/ { if (last != "") print last; last = line; next }
        { last = last " " line }
        END { if (last != "") print last }' | sed 's/^ *//; s/  *prints  */\t/; s/  *and  */ /g'
}

words() { tr ',\n' '  ' | tr -s ' ' | sed 's/^ //; s/ $//'; }

ran=0
for command in spmv components mst lex spans integral boxes threshold label tree matmul inverse filter \
    recurrence polynomial bigint tridiagonal strings evaluate hull; do
    mkdir -p "$command" && cd "$command" || exit 1
    while IFS=$'\t' read -r line want; do
        case $line in
        printf* | echo*) ;;
        *) [ -n "$want" ] || continue ;; # of files that are not here
        esac
        bash -c "$line" >out.txt 2>err.txt </dev/null || fail "$command: $line: $(cat err.txt)"
        [ -n "$want" ] || continue
        equal "$command: $line" "$(printf '%s' "$want" | words)" "$(words <out.txt)"
        ran=$((ran + 1))
    done < <(examples "$command")
    cd ..
done
[ $ran -ge 24 ] || fail "only $ran examples say what they print"
finish
